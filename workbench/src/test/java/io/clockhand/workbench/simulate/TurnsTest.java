// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TurnsTest {
    /** Reference n is to page n. */
    private static final Workload NUMBERS = new Workload() {
        @Override
        public int keys() {
            return Integer.MAX_VALUE;
        }

        @Override
        public long length() {
            return 0;
        }

        @Override
        public References references(long first, int step) {
            long[] next = {first - step};
            return () -> Math.toIntExact(next[0] += step);
        }
    };

    private static List<Integer> all(int threads, long from, long to) {
        Turns turns = new Turns(NUMBERS, threads, from, to);
        List<Integer> pages = new ArrayList<>();
        for (long n = 0; n < turns.count(); n++) {
            pages.add(turns.next());
        }
        return pages;
    }

    /** A turn of the references from {@code first} on. */
    private static Stream<Integer> turn(int first, int threads, int length) {
        return IntStream.range(0, length).mapToObj(n -> first + n * threads);
    }

    @Test
    void threadsTakeTurnsOfTheirReferencesWhereverCountingBegins() {
        assertThat(all(1, 3, 9)).containsExactly(3, 4, 5, 6, 7, 8);
        assertThat(all(3, 4, 64))
                .containsExactlyElementsOf(Stream.of(
                                turn(6, 3, 16),
                                turn(4, 3, 16),
                                turn(5, 3, 16),
                                turn(54, 3, 4),
                                turn(52, 3, 4),
                                turn(53, 3, 4))
                        .flatMap(turn -> turn)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({"2, 0, 1000", "64, 1000, 9999", "5, 3, 77", "10, 17, 4000", "7, 2, 4", "7, 2, 2"})
    void everyReferenceIsPlayedOnce(int threads, int from, int to) {
        assertThat(all(threads, from, to))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(from, to).boxed().toList());
    }
}
