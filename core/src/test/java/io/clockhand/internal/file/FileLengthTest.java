// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.file.FileLength.Creation;
import io.clockhand.testing.Allocations;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The length of a file against a map of all its pages. */
class FileLengthTest {
    private static final int PAGES = 2_000;

    @Test
    void pagesExistWhenAllBeforeThemHaveEnded() {
        SplittableRandom random = new SplittableRandom(11);
        FileLength length = new FileLength(5);
        TreeMap<Long, Boolean> ended = new TreeMap<>();
        for (long page = 0; page < 5; page++) {
            ended.put(page, true);
        }
        long least = 0;
        List<Creation> writing = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    writing.add(length.beginWriting());
                    assertThat(writing.get(writing.size() - 1).page())
                            .as("the next number")
                            .isEqualTo(length.next() - 1);
                }
                case 2, 3 -> {
                    if (!writing.isEmpty()) {
                        Creation creation = writing.remove(random.nextInt(writing.size()));
                        boolean success = random.nextInt(4) > 0;
                        length.endWriting(creation, success);
                        ended.put(creation.page(), success);
                    }
                }
                default -> {
                    if (writing.isEmpty() && random.nextInt(10) == 0) {
                        long keep = random.nextLong(length.pages() + 1);
                        length.truncate(keep);
                        length.completeTruncation();
                        ended.tailMap(keep).clear();
                        least = keep; // though the last one may be a hole
                    } else if (writing.isEmpty()) {
                        length.giveUpFailed();
                        ended.tailMap(length.pages()).clear();
                    }
                }
            }
            expectSame(length, ended, least, step);
        }
    }

    private static void expectSame(FileLength length, SortedMap<Long, Boolean> ended, long least, int step) {
        long end = least;
        long page = 0;
        for (; ended.containsKey(page); page++) {
            if (ended.get(page)) {
                end = Math.max(end, page + 1);
            }
        }
        assertThat(length.pages()).as("step %d", step).isEqualTo(end);
        for (long last = page + 2; page >= Math.max(0, last - 50); page--) {
            boolean written = page < end && ended.get(page);
            assertThat(length.exists(page)).as("page %d in step %d", page, step).isEqualTo(written);
            assertThat(length.isHole(page)).as("hole %d in step %d", page, step).isEqualTo(page < end && !written);
        }
    }

    /** Even if every second one fails, and they end in another order than they began. */
    @Test
    void creationsEndWithoutMemory() throws Exception {
        long bytes = Allocations.ofEachRun(new CreationsToEnd()::endNext);

        assertThat(bytes).as("bytes for %d creations", PAGES).isLessThan(PAGES);
    }

    @Test
    void truncationEndsWithoutMemory() throws Exception {
        CreationsToEnd files = new CreationsToEnd();
        for (int run = 0; run < 3; run++) {
            files.endNext();
        }
        long bytes = Allocations.ofEachRun(files::truncateNext);

        assertThat(bytes)
                .as("bytes for a truncation that takes %d holes out", PAGES / 2)
                .isLessThan(PAGES);
    }

    /** Three files with creations in progress: all of them were begun before the allocations are counted. */
    private static final class CreationsToEnd {
        private final List<FileLength> files = new ArrayList<>();
        private final List<Creation[]> creations = new ArrayList<>();
        private int ended;
        private int truncated;

        CreationsToEnd() {
            for (int run = 0; run < 3; run++) {
                FileLength file = new FileLength(0);
                Creation[] begun = new Creation[PAGES];
                for (int page = 0; page < PAGES; page++) {
                    begun[page] = file.beginWriting();
                }
                files.add(file);
                creations.add(begun);
            }
        }

        void endNext() {
            FileLength file = files.get(ended);
            Creation[] begun = creations.get(ended++);
            for (int at = PAGES - 1; at >= 0; at--) {
                file.endWriting(begun[at], at % 2 == 1);
            }
            check(file.pages() == PAGES && file.isHole(PAGES - 2) && file.exists(PAGES - 1));
        }

        void truncateNext() {
            FileLength file = files.get(truncated++);
            file.truncate(1);
            file.completeTruncation();
            check(file.next() == 1 && file.isHole(0) && !file.isHole(2));
        }

        private static void check(boolean holds) {
            if (!holds) {
                throw new AssertionError("the file has another length");
            }
        }
    }
}
