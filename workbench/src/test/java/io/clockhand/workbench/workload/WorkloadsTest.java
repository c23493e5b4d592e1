// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.workload.Workload.References;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadsTest {
    private static final int KEYS = 50_000;

    private static Workload workload(String name, int keys, long seed) {
        return Workloads.of(name, keys, seed, null);
    }

    private static int[] first(References references, int count) {
        int[] keys = new int[count];
        for (int i = 0; i < count; i++) {
            keys[i] = references.next();
        }
        return keys;
    }

    private static long checksum(int[] keys) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * keys.length);
        for (int key : keys) {
            bytes.putInt(key);
        }
        CRC32 crc = new CRC32();
        crc.update(bytes.flip());
        return crc.getValue();
    }

    /** The checksums are those of another program, in another language, that looks up the sums by bisection. */
    @ParameterizedTest
    @CsvSource({"0.86, 360832486", "0.5, 2593616160"})
    void drawsOfThePaperAreThoseOfAnotherProgram(double exponent, long references) {
        assertThat(checksum(PaperDraws.references(exponent, 1))).isEqualTo(references);
    }

    @ParameterizedTest
    @ValueSource(strings = {"paper80", "uniform", "hot-page"})
    void sharesOfTheThreadsAreTheWholeSequence(String name) {
        Workload workload = workload(name, 1_000, 1);
        int count = 1_100_000; // the draws of the paper begin anew after a million
        int[] whole = first(workload.references(0, 1), count);
        for (int threads : new int[] {3, 64}) {
            for (int t = 0; t < threads; t += 13) {
                References share = workload.references(t, threads);
                for (int n = t; n < count; n += threads) {
                    if (share.next() != whole[n]) {
                        throw new AssertionError("reference " + n + " of " + threads + " threads is another");
                    }
                }
            }
        }
    }

    @Test
    void sequenceShorterThanTheNumberOfThreadsIsSharedAllTheSame() {
        Workload three = Workloads.circle(3, new int[] {0, 1, 2});

        assertThat(first(three.references(4, 5), 4)).containsExactly(1, 0, 2, 1);
        assertThat(first(three.references(3, 7), 4)).containsExactly(0, 1, 2, 0);
    }

    @Test
    void fifthOfTheReferencesWithScansAreScansOfConsecutiveKeys() {
        int[] plain = PaperDraws.references(0.86, 1);
        Workload workload = workload("paper80+scan", KEYS, 1);
        int[] scanned = first(workload.references(0, 1), (int) workload.length());

        int inScans = 0;
        int draws = 0;
        for (int n = 0; n < scanned.length; n++) {
            int scan = 1;
            while (scan < 100 && n + scan < scanned.length && scanned[n + scan] == (scanned[n] + scan) % KEYS) {
                scan++;
            }
            if (scan == 100) {
                inScans += 100;
                n += 99;
            } else {
                assertThat(scanned[n]).isEqualTo(plain[draws++ % plain.length]);
            }
        }
        assertThat((double) inScans / scanned.length).isBetween(0.19, 0.21);
        assertThat(draws).isEqualTo(8 * plain.length);
    }

    @Test
    void uniformDrawsEveryKeyAboutAsOften() {
        Map<Integer, Integer> counts = new HashMap<>();
        for (int key : first(workload("uniform", 100, 1).references(0, 1), 100_000)) {
            counts.merge(key, 1, Integer::sum);
        }

        assertThat(counts).hasSize(100);
        assertThat(counts.values()).allMatch(count -> count > 850 && count < 1150);
    }

    @ParameterizedTest
    @ValueSource(strings = {"paper80", "uniform"})
    void seedDecidesWhatIsDrawn(String name) {
        Set<Long> checksums = new HashSet<>();
        for (long seed : new long[] {1, -5, 1}) {
            checksums.add(checksum(first(workload(name, KEYS, seed).references(0, 1), 10_000)));
        }

        assertThat(checksums).hasSize(2);
    }

    @Test
    void unknownWorkloadIsAnsweredWithTheNearest() {
        assertThatThrownBy(() -> workload("paper8", 1, 1))
                .hasMessageContaining("did you mean paper80? Possible: paper80,");
        assertThatThrownBy(() -> workload("trace:", 1, 1)).hasMessageContaining("trace:FILE");
    }

    @Test
    void pagesOfTpccAreAWorkloadWithAnEnd() {
        Trace drawn = Workloads.trace("tpcc:1", Workloads.TPCC_REFERENCES + 7, 1, null, null);

        assertThat(drawn.length()).isEqualTo(Workloads.TPCC_REFERENCES + 7);
        assertThat(drawn.pages()).isBetween(20_000, 60_000);
        assertThat(Workloads.hasEnd("tpcc:1") && Workloads.hasEnd("trace:a") && !Workloads.hasEnd("paper80"))
                .isTrue();
        assertThatThrownBy(() -> workload("tpcc:1001", 1, 1)).hasMessageContaining("from 1 to 1000, not '1001'");
    }

    @Test
    void fileNeedsNoWordBeforeItWhereOnlyTracesAreMeant() {
        assertThat(Workloads.named("a/b.trace")).isEqualTo("trace:a/b.trace");
        assertThat(Workloads.named("trace:a/b.trace")).isEqualTo("trace:a/b.trace");
        assertThat(Workloads.named("paper80")).isEqualTo("paper80");
        assertThat(Workloads.named("tpcc:7")).isEqualTo("tpcc:7");
    }
}
