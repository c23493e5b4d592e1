// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.workload.Workload;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

    private static List<Integer> all(Turns turns) {
        List<Integer> pages = new ArrayList<>();
        for (long n = 0; n < turns.count(); n++) {
            pages.add(turns.next());
        }
        return pages;
    }

    @Test
    void oneThreadHasAllReferencesInOrder() {
        assertThat(all(new Turns(NUMBERS, 1, 2, 3, 9))).containsExactly(3, 4, 5, 6, 7, 8);
    }

    @Test
    void threadsTakeTurnsOfTheirReferences() {
        assertThat(all(new Turns(NUMBERS, 3, 2, 0, 11))).containsExactly(0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8);
    }

    @Test
    void threadKeepsItsReferencesWhereverCountingBegins() {
        assertThat(all(new Turns(NUMBERS, 3, 2, 4, 11))).containsExactly(6, 9, 4, 7, 5, 8, 10);
    }

    @Test
    void moreThreadsThanReferencesAreNoTrouble() {
        assertThat(all(new Turns(NUMBERS, 7, 16, 2, 4))).containsExactly(2, 3);
        assertThat(all(new Turns(NUMBERS, 7, 16, 2, 2))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"2, 16, 0, 1000", "64, 16, 1000, 9999", "5, 1, 3, 77", "10, 100, 17, 4000"})
    void everyReferenceIsPlayedOnce(int threads, int interleave, long from, long to) throws IOException {
        List<Integer> pages = all(new Turns(NUMBERS, threads, interleave, from, to));

        assertThat(pages).hasSize((int) (to - from)).doesNotHaveDuplicates();
        assertThat(pages).allMatch(n -> n >= from && n < to);
        Workload paper = Workloads.of("paper80", 0, 1, null);
        long sum = 0;
        Workload.References inOrder = paper.references(from, 1);
        for (long n = from; n < to; n++) {
            sum += inOrder.next();
        }
        assertThat(all(new Turns(paper, threads, interleave, from, to)).stream()
                        .mapToLong(Integer::longValue)
                        .sum())
                .isEqualTo(sum);
    }
}
