// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import static io.clockhand.workbench.bpwrapper.Trial.withMisses;
import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.pages.driver.PageStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReferencesTest {
    private static final int PAGES = 2048;
    private static final int MANY = 100_000;

    private static PageStream stream(References references, int thread, long seed) {
        return references.stream(PAGES, thread, new SplittableRandom(seed));
    }

    /** How often each page was referred to. */
    private static int[] uses(References references, int thread) {
        PageStream stream = stream(references, thread, thread);
        int[] uses = new int[PAGES];
        for (int i = 0; i < MANY; i++) {
            uses[(int) stream.next()]++;
        }
        return uses;
    }

    @ParameterizedTest
    @EnumSource
    void threadsTogetherUseMostPages(References references) {
        int[] first = uses(references, 0);
        for (int thread = 1; thread < 4; thread++) {
            int[] more = uses(references, thread);
            Arrays.setAll(first, page -> first[page] + more[page]);
        }

        assertThat(Arrays.stream(first).filter(uses -> uses == 0).count()).isLessThan(PAGES / 4);
    }

    @ParameterizedTest
    @EnumSource
    void streamIsThatOfItsSeed(References references) {
        assertThat(pages(references, 7)).isEqualTo(pages(references, 7)).isNotEqualTo(pages(references, 8));
    }

    private static List<Long> pages(References references, long seed) {
        return Stream.generate(stream(references, 2, seed)::next).limit(1000).toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"DBT1", "DBT2"})
    void fewPagesAreVeryHot(References references) {
        int[] uses = uses(references, 0);
        Arrays.sort(uses);

        long hottest =
                Arrays.stream(uses).skip(PAGES - PAGES / 100).asLongStream().sum();
        assertThat(hottest / (double) MANY).isGreaterThan(0.3);
    }

    @Test
    void tableScanGoesRoundInTheOrderOfThePages() {
        PageStream scan = stream(References.TABLE_SCAN, 0, 1);
        long first = scan.next();

        for (int i = 1; i < 3 * PAGES; i++) {
            assertThat(scan.next()).isEqualTo((first + i) % PAGES);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 5, 50, 100})
    void missesGoToPagesThatNeverCameBefore(double percent) {
        Set<Long> fresh = new HashSet<>();
        int misses = 0;
        for (int thread = 0; thread < 3; thread++) {
            PageStream mixed = withMisses(
                    stream(References.DBT2, thread, 1),
                    percent,
                    new SplittableRandom(thread),
                    PAGES + (long) thread,
                    3);
            for (int i = 0; i < MANY / 3; i++) {
                long page = mixed.next();
                if (page >= PAGES) {
                    misses++;
                    fresh.add(page);
                }
            }
        }

        assertThat(fresh).hasSize(misses);
        assertThat(100.0 * misses / MANY).isBetween(percent * 0.9, percent * 1.1);
    }
}
