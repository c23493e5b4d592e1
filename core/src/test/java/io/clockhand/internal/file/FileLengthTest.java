// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.file.FileLength.Creation;
import io.clockhand.testing.Allocations;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The length of a file against the set of its creations in progress. */
class FileLengthTest {
    private static final int PAGES = 2_000;
    private static final int PAGE_BYTES = 4096;

    @Test
    void pagesExistWhenTheirCreationAndAllBeforeItHaveEnded() {
        SplittableRandom random = new SplittableRandom(11);
        FileLength length = new FileLength(5);
        long next = 5;
        long extended = 5;
        List<Creation> inProgress = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    assertThat(length.hasRoom()).as("step %d", step).isEqualTo(next < extended);
                    if (next == extended) {
                        extended = length.extension(PAGE_BYTES);
                        length.extended(extended);
                    }
                    Creation begun = new Creation(null);
                    length.begin(begun);
                    assertThat(begun.page()).isEqualTo(next++);
                    inProgress.add(begun);
                }
                case 2, 3 -> {
                    if (!inProgress.isEmpty()) {
                        length.end(inProgress.remove(random.nextInt(inProgress.size())));
                    }
                }
                case 4 -> {
                    if (!inProgress.isEmpty()) {
                        int index = random.nextInt(inProgress.size());
                        boolean last = inProgress.get(index).page() == next - 1;
                        assertThat(length.tryGiveUp(inProgress.get(index))).isEqualTo(last);
                        if (last) {
                            inProgress.remove(index);
                            next--;
                        }
                    }
                }
                default -> {
                    if (inProgress.isEmpty()) {
                        next = random.nextLong(length.pages() + 1);
                        length.truncate(next);
                        length.storeTruncated();
                        extended = next;
                    }
                }
            }
            TreeSet<Long> left = new TreeSet<>();
            inProgress.forEach(creation -> left.add(creation.page()));
            assertThat(length.pages()).as("step %d", step).isEqualTo(left.isEmpty() ? next : left.first());
            assertThat(length.next()).as("step %d", step).isEqualTo(next);
        }
    }

    @Test
    void storeIsExtendedByAnEighthButByEightPagesAtLeastAndAMegabyteAtMost() {
        assertThat(new FileLength(0).extension(PAGE_BYTES)).isEqualTo(8);
        assertThat(new FileLength(64).extension(PAGE_BYTES)).isEqualTo(72);
        assertThat(new FileLength(800).extension(PAGE_BYTES)).isEqualTo(900);
        assertThat(new FileLength(1_000_000).extension(PAGE_BYTES)).isEqualTo(1_000_256);
        assertThat(new FileLength(1_000_000).extension(1 << 16)).isEqualTo(1_000_016);
        assertThat(new FileLength(0).extension(1 << 19)).isEqualTo(2);
        assertThat(new FileLength(0).extension(1 << 21)).isEqualTo(1);
    }

    @Test
    void pagesOfCreationsThatEndInTheReverseOrderExistTogether() {
        FileLength file = new FileLength(0);
        Creation[] made = new Creation[PAGES];
        file.extended(PAGES);
        for (int page = 0; page < PAGES; page++) {
            made[page] = new Creation(null);
            file.begin(made[page]);
        }
        for (int page = PAGES - 1; page >= 0; page--) {
            assertThat(file.pages()).isZero();
            file.end(made[page]);
        }
        assertThat(file.pages()).isEqualTo(PAGES);
    }

    /** Even if they end in another order than they began. */
    @Tag("nightly")
    @Test
    void creationsBeginAndEndWithoutMemory() throws Exception {
        List<FileLength> files = new ArrayList<>();
        List<Creation[]> creations = new ArrayList<>();
        for (int run = 0; run < 3; run++) {
            files.add(new FileLength(0));
            Creation[] made = new Creation[PAGES];
            for (int page = 0; page < PAGES; page++) {
                made[page] = new Creation(null);
            }
            creations.add(made);
        }
        int[] run = {0};
        long bytes = Allocations.ofEachRun(() -> {
            FileLength file = files.get(run[0]);
            Creation[] made = creations.get(run[0]++);
            file.extended(PAGES);
            for (int at = 0; at < PAGES; at++) {
                file.begin(made[at]);
            }
            for (int at = PAGES - 1; at >= 0; at--) {
                file.end(made[at]);
            }
        });

        assertThat(bytes).as("bytes for %d creations", PAGES).isLessThan(PAGES);
        assertThat(files).allMatch(file -> file.pages() == PAGES);
    }
}
