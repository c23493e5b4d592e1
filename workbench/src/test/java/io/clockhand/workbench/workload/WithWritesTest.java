// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.workload.Workload.References;
import io.clockhand.workbench.workload.Workloads.Uniform;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WithWritesTest {
    private static final int COUNT = 50_000;
    private static final Workload READS = new Uniform(500, 1);

    private static int[] first(Workload workload, int count, int threads) {
        int[] keys = new int[count];
        for (int t = 0; t < threads; t++) {
            References references = workload.references(t, threads);
            for (int n = t; n < count; n += threads) {
                keys[n] = references.next();
            }
        }
        return keys;
    }

    private static int writes(int... keys) {
        int writes = 0;
        for (int key : keys) {
            writes += key < 0 ? 1 : 0;
        }
        return writes;
    }

    /** Also if the other workload has writes itself. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 20, 99, 100})
    void shareOfTheReferencesAreWritesAndTheirKeysStayTheSame(double percent) {
        int[] reads = first(READS, COUNT, 1);
        for (Workload workload : List.of(READS, new WithWrites(READS, 50, 2))) {
            int[] keys = first(new WithWrites(workload, percent, 1), COUNT, 1);

            assertThat(writes(keys) / (COUNT / 100.0)).isBetween(percent * 0.8, Math.min(100, percent * 1.2));
            for (int i = 0; i < COUNT; i++) {
                assertThat(keys[i] < 0 ? ~keys[i] : keys[i]).isEqualTo(reads[i]);
            }
        }
    }

    @Test
    void writesAreTheSameForAnyNumberOfThreadsAndOthersForAnotherSeed() {
        int[] one = first(new WithWrites(READS, 20, 1), COUNT, 1);

        assertThat(first(new WithWrites(READS, 20, 1), COUNT, 7)).isEqualTo(one);
        assertThat(first(new WithWrites(READS, 20, 2), COUNT, 1)).isNotEqualTo(one);
    }

    @Test
    void writesHaveNothingToDoWithKeysOfTheSameSeed() {
        int[] keys = first(new WithWrites(new Uniform(2, 1), 50, 1), COUNT, 1);
        int zeros = 0;
        for (int key : keys) {
            zeros += key == ~0 ? 1 : 0;
        }

        assertThat((double) zeros / writes(keys)).isBetween(0.48, 0.52);
    }
}
