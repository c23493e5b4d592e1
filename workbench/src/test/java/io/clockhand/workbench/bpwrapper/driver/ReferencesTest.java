// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import static io.clockhand.workbench.bpwrapper.driver.Trial.withMisses;
import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.pages.driver.PageStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReferencesTest {
    private static final int PAGES = 2048;
    private static final int MANY = 400_000;

    private static PageStream stream(References references, int pages, int thread, long seed) {
        return references.stream(pages, thread, new SplittableRandom(seed));
    }

    /** How often each page was referred to. */
    private static int[] uses(References references, int pages, int thread) {
        PageStream stream = stream(references, pages, thread, thread);
        int[] uses = new int[pages];
        for (int i = 0; i < MANY; i++) {
            uses[(int) stream.next()]++;
        }
        return uses;
    }

    @ParameterizedTest
    @EnumSource
    void fewestPagesHaveRoomForAllTables(References references) {
        for (int thread : new int[] {0, 1, 63}) {
            assertThat(uses(references, References.FEWEST_PAGES, thread)).hasSize(References.FEWEST_PAGES);
            assertThat(uses(references, References.FEWEST_PAGES + 41, thread)).hasSize(References.FEWEST_PAGES + 41);
        }
    }

    @ParameterizedTest
    @EnumSource
    void threadsTogetherUseMostPages(References references) {
        int[] first = uses(references, PAGES, 0);
        for (int thread = 1; thread < 4; thread++) {
            int[] more = uses(references, PAGES, thread);
            Arrays.setAll(first, page -> first[page] + more[page]);
        }

        assertThat(Arrays.stream(first).filter(uses -> uses == 0).count()).isLessThan(PAGES / 4);
    }

    @ParameterizedTest
    @EnumSource
    void streamIsThatOfItsSeed(References references) {
        PageStream one = stream(references, PAGES, 2, 7);
        PageStream same = stream(references, PAGES, 2, 7);
        PageStream other = stream(references, PAGES, 2, 8);
        long differences = 0;
        for (int i = 0; i < 1000; i++) {
            long page = one.next();
            assertThat(same.next()).isEqualTo(page);
            differences += other.next() == page ? 0 : 1;
        }

        assertThat(differences).isGreaterThan(100);
    }

    @ParameterizedTest
    @EnumSource(names = {"DBT1", "DBT2"})
    void fewPagesAreVeryHot(References references) {
        int[] uses = uses(references, PAGES, 0);
        Arrays.sort(uses);

        long hottest =
                Arrays.stream(uses).skip(PAGES - PAGES / 100).asLongStream().sum();
        assertThat(hottest / (double) MANY).isGreaterThan(0.3);
    }

    @Test
    void tableScanGoesRoundInTheOrderOfThePages() {
        PageStream scan = stream(References.TABLE_SCAN, PAGES, 0, 1);
        long first = scan.next();

        for (int i = 1; i < 3 * PAGES; i++) {
            assertThat(scan.next()).isEqualTo((first + i) % PAGES);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 5, 50, 100})
    void missesGoToPagesThatNeverCameBefore(double percent) {
        Set<Long> fresh = new HashSet<>();
        long misses = 0;
        for (int thread = 0; thread < 3; thread++) {
            PageStream mixed = withMisses(
                    stream(References.DBT2, PAGES, thread, 1),
                    percent,
                    new SplittableRandom(thread),
                    PAGES + (long) thread,
                    3);
            long[] pages = LongStream.generate(mixed::next).limit(100_000).toArray();
            for (long page : pages) {
                if (page >= PAGES) {
                    misses++;
                    assertThat(fresh.add(page)).isTrue();
                }
            }
        }

        assertThat(misses / 3_000.0).isBetween(percent * 0.9, percent * 1.1);
    }
}
