// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The cost of nodes, and when they are given back. */
class RangeTreeTest {
    private static final int CHUNK_BITS = 11;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final long CHUNK_BYTES = PageRange.bytes(CHUNK, false);
    /** The visits that a chunk costs in the last quarter of the memory. */
    private static final int PRICE = (int) (CHUNK_BYTES / RangeTree.INSERTIONS);

    private static Directory file(RangeTree tree) {
        tree.tryLink(tree.root(), 0);
        return (Directory) tree.root().child(0);
    }

    private static boolean link(RangeTree tree, Directory file, int chunk) {
        tree.tryLink(file, (long) chunk * CHUNK);
        return file.child(file.index((long) chunk * CHUNK)) != null;
    }

    @Test
    void nodesOfTheLastQuarterCostTheVisitsThatWereSavedUp() {
        RangeTree probe = new RangeTree(CHUNK_BITS, 1 << 20);
        file(probe);
        long directories = probe.bytes();
        // three quarters have the directories and sixty chunks, and a few bytes are left
        long bound = (directories + 60 * CHUNK_BYTES) * 4 / 3 + 4;
        RangeTree tree = new RangeTree(CHUNK_BITS, bound);
        Directory file = file(tree);
        int linked = 0;
        while (linked < 200 && link(tree, file, linked)) {
            linked++;
        }
        assertThat(linked)
                .as("chunks: sixty without a price, the others for %d visits each", PRICE)
                .isEqualTo(60 + RangeTree.MOST_VISITS / PRICE);

        int left = RangeTree.MOST_VISITS % PRICE;
        for (int visit = left + 1; visit < PRICE; visit++) {
            tree.sweep();
            assertThat(link(tree, file, linked))
                    .as("chunk after %d visits", visit - left)
                    .isFalse();
        }
        tree.sweep();
        assertThat(link(tree, file, linked)).as("chunk when the visits suffice").isTrue();
        assertThat(link(tree, file, linked + 1)).as("another chunk at once").isFalse();
    }

    @Test
    void noNodeExceedsTheBound() {
        RangeTree tree = new RangeTree(CHUNK_BITS, 1 << 20);
        Directory file = file(tree);
        for (int chunk = 0; chunk < 200; chunk++) {
            for (int visit = 0; visit < PRICE && chunk > 0; visit++) {
                tree.sweep();
            }
            if (link(tree, file, chunk)) {
                PageRange linked = file.child(file.index((long) chunk * CHUNK));
                linked.cas(0, PageRange.EMPTY, 1); // so it stays
            }
        }
        assertThat(tree.bytes()).as("bytes of nodes").isBetween((1L << 20) - CHUNK_BYTES, 1L << 20);
    }

    @Test
    void visitsAreSavedUpToALimit() {
        RangeTree tree = new RangeTree(CHUNK_BITS, 1 << 20);
        for (int visit = 0; visit < 100 * RangeTree.MOST_VISITS; visit++) {
            tree.sweep();
        }
        Directory file = file(tree);
        int linked = 0;
        while (linked < 200 && link(tree, file, linked)) {
            linked++;
        }
        long free = (1L << 20) - (1L << 20) / 4 - (tree.bytes() - linked * CHUNK_BYTES);
        assertThat(linked)
                .as("chunks after many visits")
                .isEqualTo((int) (free / CHUNK_BYTES) + RangeTree.MOST_VISITS / PRICE);
    }

    @Test
    void emptyChunkIsGivenBackAtTheSecondVisitAfterItsLastUse() {
        RangeTree tree = new RangeTree(CHUNK_BITS, 1 << 20);
        Directory file = file(tree);
        long before = tree.bytes();
        link(tree, file, 0);
        PageRange chunk = file.child(0);
        int round = 3; // root, file and chunk
        for (int visit = 0; visit < 2 * round && file.child(0) != null; visit++) {
            tree.sweep();
        }
        assertThat(file.child(0)).as("the chunk after two rounds").isNull();
        assertThat(tree.bytes()).as("bytes").isEqualTo(before);
        assertThat(file.word(0)).as("the word of the range").isEqualTo(PageRange.EMPTY);
        assertThat(chunk.word(7)).as("the word of a late thread").isEqualTo(PageRange.FROZEN);
    }

    @Test
    void freezeOfARangeWithAPageLeavesNoWordFrozen() {
        for (int page = 0; page < 4; page++) {
            Chunk chunk = new Chunk(4, null, 0);
            chunk.cas(page, PageRange.EMPTY, 9);

            assertThat(chunk.tryFreeze()).isFalse();

            for (int at = 0; at < 4; at++) {
                assertThat(chunk.word(at))
                        .as("word %d, page in word %d", at, page)
                        .isEqualTo(at == page ? 9 : PageRange.EMPTY);
            }
        }
        Chunk empty = new Chunk(4, null, 0);
        assertThat(empty.tryFreeze()).isTrue();
        for (int at = 0; at < 4; at++) {
            assertThat(empty.word(at)).as("word %d of a frozen range", at).isEqualTo(PageRange.FROZEN);
        }
    }
}
