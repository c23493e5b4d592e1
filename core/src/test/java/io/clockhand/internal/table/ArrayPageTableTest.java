// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PageId;
import io.clockhand.testing.SmallStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

/** Chunks come and go, within a bound, and pages overflow: only in a table of arrays. */
class ArrayPageTableTest {
    private static final int CHUNK = 2048;
    /** The bytes of a chunk, about. */
    private static final long CHUNK_BYTES = CHUNK * 4L;

    private static final long SPACE = 1 << 24;

    private final AtomicLongArray ids = new AtomicLongArray(8_192);
    private int nextFrame;

    private ArrayPageTable table(long maxBytes) {
        return new ArrayPageTable(ids.length(), ids::get, maxBytes);
    }

    private int map(PageTable table, long id) {
        int frame = nextFrame++;
        ids.set(frame, id);
        assertThat(table.putIfAbsent(id, frame)).isEqualTo(PageTable.NONE);
        return frame;
    }

    private static void sweepForLong(ArrayPageTable table) {
        for (int visit = 0; visit < 10_000; visit++) {
            table.sweep();
        }
    }

    @Test
    void pagesOfEveryMagnitudeAndFileAreKeptApart() {
        ArrayPageTable table = table(SPACE);
        List<Long> pages = new ArrayList<>();
        for (int file : new int[] {0, 1, 15, 16, 255, 256, 4095, 65_536, PageId.GREATEST_FILE}) {
            for (int bits = 1; bits < 43; bits++) {
                pages.add(PageId.of(file, (1L << bits) - 1));
                pages.add(PageId.of(file, 1L << bits));
            }
            pages.add(PageId.of(file, PageId.GREATEST_PAGE));
        }
        List<Long> different = pages.stream().distinct().toList();
        for (long id : different) {
            assertThat(table.find(id)).isEqualTo(PageTable.NONE);
            int frame = map(table, id);
            assertThat(table.find(id)).isEqualTo(frame);
        }
        assertThat(table.size()).isEqualTo(different.size());
        for (int frame = 0; frame < different.size(); frame++) {
            assertThat(table.find(different.get(frame))).isEqualTo(frame);
            assertThat(table.remove(different.get(frame), frame)).isTrue();
            assertThat(table.find(different.get(frame))).isEqualTo(PageTable.NONE);
        }
        assertThat(table.size()).isZero();
    }

    @Test
    void pageHasAHintFromTheTimeWhenItIsMapped() {
        ArrayPageTable table = table(SPACE);
        int frame = map(table, 5);
        assertThat(table.peek(5)).isEqualTo(frame);
        assertThat(table.remove(5, frame)).isTrue();
        assertThat(table.peek(5)).isEqualTo(PageTable.NONE);
    }

    @Test
    void pageThatIsOnlyMappedLeavesTheHintOfAnother() {
        ArrayPageTable table = table(SPACE);
        int frame = map(table, 5);
        for (long page = 6; nextFrame < ids.length(); page++) {
            int other = map(table, page << 14 | 5); // a multiple of the number of hints farther
            assertThat(table.peek(5)).isEqualTo(frame);
            assertThat(table.remove(page << 14 | 5, other)).isTrue();
        }
        assertThat(table.peek(5)).isEqualTo(frame);
    }

    @Test
    void chunkWithoutPagesIsGivenBackAfterAWhile() {
        ArrayPageTable table = table(SPACE);
        long empty = table.bytes();
        List<Integer> frames = new ArrayList<>();
        for (int chunk = 0; chunk < 100; chunk++) {
            frames.add(map(table, (long) chunk * CHUNK));
        }
        assertThat(table.bytes() - empty).isBetween(100 * CHUNK_BYTES, 110 * CHUNK_BYTES);
        sweepForLong(table);
        assertThat(table.bytes() - empty).isGreaterThan(100 * CHUNK_BYTES);
        for (int frame : frames.subList(1, 100)) {
            assertThat(table.remove(ids.get(frame), frame)).isTrue();
        }
        sweepForLong(table);
        assertThat(table.bytes() - empty).isLessThan(3 * CHUNK_BYTES);
        assertThat(table.find(0)).isEqualTo(frames.get(0));
        assertThat(table.remove(0, frames.get(0))).isTrue();
        sweepForLong(table);
        assertThat(table.bytes()).isEqualTo(empty);
        map(table, 0);
        assertThat(table.find(0)).isEqualTo(nextFrame - 1);
    }

    @Test
    void tableShrinksWhileOtherPagesComeAndGo() {
        ArrayPageTable table = table(SPACE);
        int[] frames = new int[2_000];
        for (int page = 0; page < frames.length; page++) {
            frames[page] = map(table, (long) page * CHUNK);
        }
        long full = table.bytes();
        for (int page = 0; page < frames.length; page++) {
            table.remove((long) page * CHUNK, frames[page]);
        }
        for (int round = 0; round < 2_000; round++) {
            for (int frame = 0; frame < 256; frame++) {
                ids.set(frame, frame);
                table.putIfAbsent(frame, frame);
                table.remove(frame, frame);
            }
        }
        assertThat(table.bytes()).isLessThan(full / 20);
    }

    @Test
    void sparsePagesStayWithinTheBound() {
        long bound = 1 << 20;
        ArrayPageTable table = table(bound);
        long fixed = table.bytes();
        Random random = new Random(7);
        for (int page = 0; page < ids.length(); page++) {
            map(table, random.nextLong() >>> 1);
        }
        long overflow = new ChainedPageTable(ids.length(), ids::get).bytes();
        assertThat(table.bytes()).isLessThanOrEqualTo(bound + fixed + overflow);
        assertThat(table.size()).isEqualTo(ids.length());
        for (int frame = 0; frame < ids.length(); frame++) {
            assertThat(table.find(ids.get(frame))).isEqualTo(frame);
            assertThat(table.putIfAbsent(ids.get(frame), 0)).isEqualTo(frame);
            assertThat(table.remove(ids.get(frame), frame)).isTrue();
            assertThat(table.find(ids.get(frame))).isEqualTo(PageTable.NONE);
        }
        assertThat(table.size()).isZero();
    }

    @Test
    void withoutAnySpaceEveryPageOverflows() {
        ArrayPageTable table = table(0);
        long empty = table.bytes();
        int frame = map(table, 5);
        assertThat(table.find(5)).isEqualTo(frame);
        assertThat(table.bytes() - empty).isEqualTo(new ChainedPageTable(ids.length(), ids::get).bytes());
    }

    @Test
    void rangeThatOverflowedGetsItsChunkWhenItsPagesHaveLeft() {
        ArrayPageTable table = table(64 << 10);
        long overflow = new ChainedPageTable(ids.length(), ids::get).bytes();
        long empty = table.bytes();
        int frame = 0;
        while (table.bytes() < empty + overflow) { // until the overflow has been created
            frame = map(table, (long) nextFrame * CHUNK);
        }
        long overflowed = ids.get(frame);
        for (int other = 0; other < frame; other++) {
            table.remove(ids.get(other), other);
        }
        sweepForLong(table);
        long few = table.bytes();
        int neighbour = map(table, overflowed + 1);
        assertThat(table.bytes())
                .as("a page in the overflow keeps its neighbours there")
                .isEqualTo(few);
        assertThat(table.find(overflowed)).isEqualTo(frame);
        assertThat(table.remove(overflowed, frame)).isTrue();
        assertThat(table.remove(overflowed + 1, neighbour)).isTrue();
        neighbour = map(table, overflowed + 1);
        assertThat(table.bytes()).isGreaterThanOrEqualTo(few + CHUNK_BYTES);
        assertThat(table.find(overflowed + 1)).isEqualTo(neighbour);
    }

    /** A loader that finds the page mapped counts no page of its own. */
    @Test
    void rangeGetsItsChunkAlsoIfAPageOfItWasToBeMappedTwice() {
        ArrayPageTable table = table(64 << 10);
        long overflow = new ChainedPageTable(ids.length(), ids::get).bytes();
        long empty = table.bytes();
        int frame = 0;
        while (table.bytes() < empty + overflow) { // until the overflow has been created
            frame = map(table, (long) nextFrame * CHUNK);
        }
        long overflowed = ids.get(frame);
        assertThat(table.putIfAbsent(overflowed, nextFrame)).isEqualTo(frame);
        for (int other = 0; other <= frame; other++) {
            assertThat(table.remove(ids.get(other), other)).isTrue();
        }
        sweepForLong(table);
        long few = table.bytes();

        map(table, overflowed);

        assertThat(table.bytes())
                .as("bytes with a chunk for a range that has left the overflow")
                .isGreaterThanOrEqualTo(few + CHUNK_BYTES);
    }

    /** A lookup that runs until the page is unmapped may set the hint anew. */
    @Test
    void pageThatIsFoundWhileItIsRemovedLeavesNoHint() {
        Runnable[] onIdentity = {() -> {}};
        ArrayPageTable[] tables = new ArrayPageTable[1];
        tables[0] = new ArrayPageTable(
                ids.length(),
                frame -> {
                    Runnable step = onIdentity[0];
                    onIdentity[0] = () -> {};
                    step.run();
                    return ids.get(frame);
                },
                0); // so it is in the overflow
        int frame = map(tables[0], 5);
        boolean[] found = new boolean[1];
        onIdentity[0] = () -> found[0] = tables[0].find(5) == frame;

        assertThat(tables[0].remove(5, frame)).isTrue();

        assertThat(found[0]).as("whether the lookup came before the removal").isTrue();
        assertThat(tables[0].peek(5)).as("the hint of a page that was removed").isEqualTo(PageTable.NONE);
    }

    /**
     * A truncation removes the page of a frame that a loader is about to map. The page comes between the walk of the
     * removal and the removal itself, under a directory that is new.
     */
    @Test
    void removalOfAPageThatIsMappedMeanwhileLeavesNoDirectory() {
        Runnable[] onIdentity = {() -> {}};
        ArrayPageTable table = new ArrayPageTable(
                2,
                frame -> {
                    onIdentity[0].run();
                    return ids.get(frame);
                },
                bytesOfTwoFilesWithoutChunks(),
                11,
                0);
        long other = PageId.of(0, 0);
        ids.set(0, other);
        table.putIfAbsent(other, 0);
        long before = table.bytes();
        long page = PageId.of(1, 0);
        ids.set(1, page);
        onIdentity[0] = () -> {
            onIdentity[0] = () -> {};
            assertThat(table.putIfAbsent(page, 1)).isEqualTo(PageTable.NONE);
            assertThat(table.bytes()).as("with a directory for the file").isGreaterThan(before);
        };

        assertThat(table.remove(page, 1)).isTrue();

        assertThat(table.size()).isEqualTo(1);
        sweepForLong(table);
        assertThat(table.bytes()).as("the directory is given back").isEqualTo(before);
        assertThat(table.find(other)).isZero();
    }

    private long bytesOfTwoFilesWithoutChunks() {
        ArrayPageTable spacious = new ArrayPageTable(2, ids::get, SPACE, 11, 0);
        long empty = spacious.bytes();
        spacious.putIfAbsent(0, 0);
        long file = spacious.bytes() - empty - CHUNK_BYTES;
        return Directory.root(11).bytes() + 2 * file;
    }

    @Test
    void scatteredPagesCreateFewChunks() {
        int pages = 1_000_000;
        ArrayPageTable table = table(512 << 10);
        Random random = new Random(3);
        int frames = 8_192;
        long created = 0;
        for (int i = 0; i < 300_000; i++) {
            int frame = i % frames;
            if (i >= frames) {
                table.remove(ids.get(frame), frame);
            }
            long id = random.nextInt(pages) * 1000L;
            ids.set(frame, id);
            long before = table.bytes();
            if (table.putIfAbsent(id, frame) != PageTable.NONE) {
                ids.set(frame, -1);
            }
            if (i >= 100_000) {
                created += Math.max(0, table.bytes() - before);
            }
        }
        assertThat(created)
                .as("bytes created for 200,000 pages: about one each, and 3.4 without a price")
                .isLessThan(300_000);
    }

    /** Changes that overflow the stack at every depth leave no frozen chunk that would stop others. */
    @Test
    void changesThatOverflowTheStackLeaveNothingFrozen() {
        ArrayPageTable table = new ArrayPageTable(8, ids::get, 14_000, 1, 4);
        int overflows = SmallStack.dive(40, depth -> {
            int frame = depth & 7;
            ids.set(frame, frame);
            table.remove(frame, frame);
            table.putIfAbsent(frame, frame);
            table.sweep();
        });
        assertThat(overflows).isGreaterThan(40);
        for (int frame = 0; frame < 8; frame++) {
            table.remove(frame, frame);
            assertThat(table.find(frame)).isEqualTo(PageTable.NONE);
            ids.set(frame, frame);
            assertThat(table.putIfAbsent(frame, frame)).isEqualTo(PageTable.NONE);
            assertThat(table.find(frame)).isEqualTo(frame);
        }
        assertThat(table.size()).isEqualTo(8);
        long full = table.bytes();
        for (int frame = 0; frame < 8; frame++) {
            assertThat(table.remove(frame, frame)).isTrue();
        }
        sweepForLong(table);
        assertThat(table.size()).isZero();
        assertThat(table.bytes()).isLessThan(full);
    }
}
