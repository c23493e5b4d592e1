// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.duel.DuelResult.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BootstrapTest {
    private static final List<String> NAMES = List.of("a", "b");
    private static final long NANOS = 150_000_000;

    @Test
    void ratioIsThatOfTheSums() {
        Rounds rounds = new Rounds(
                NAMES,
                true,
                List.of(List.of(
                        List.of(new Slice(100, NANOS), new Slice(300, NANOS)),
                        List.of(new Slice(300, NANOS), new Slice(300, 2 * NANOS)))));
        DuelResult result = Bootstrap.evaluate(rounds, "a", 1);
        assertThat(result.standing("a").operationsPerSecond()).isCloseTo(400 / 0.3, within(1e-6));
        assertThat(result.standing("b").operationsPerSecond()).isCloseTo(600 / 0.45, within(1e-6));
        assertThat(result.standing("b").ratio()).isCloseTo(1, within(1e-9));
        assertThat(result.standing("a").ratio()).isEqualTo(1);
        assertThat(result.standing("b").ownSeconds()).isCloseTo(0.45, within(1e-9));
    }

    @Test
    void anyContenderCanBeTheOneToCompareWith() {
        Rounds rounds = played(1, 40, 0.5, 0, 1, true);
        assertThat(Bootstrap.evaluate(rounds, "a", 1).standing("b").ratio()).isCloseTo(0.5, within(0.1));
        assertThat(Bootstrap.evaluate(rounds, "b", 1).standing("a").ratio()).isCloseTo(2, within(0.3));
        assertThatThrownBy(() -> Bootstrap.evaluate(rounds, "c", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[a, b]");
    }

    @Test
    void intervalOfEqualContendersContainsOneAboutAsOftenAsItSays() {
        long contained = IntStream.range(0, 200)
                .filter(seed -> !Bootstrap.evaluate(played(1, 80, 1, 0, seed, true), "a", seed)
                        .standing("b")
                        .claimed())
                .count();
        assertThat(contained).isBetween(180L, 199L);
    }

    @Test
    void disturbanceOfAWholeRoundDoesNotWidenTheInterval() {
        List<List<Slice>> rounds = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 100; round++) {
            long operations = 1_000_000L + random.nextInt(9_000_000);
            rounds.add(List.of(new Slice(operations, NANOS), new Slice(operations * 95 / 100, NANOS)));
        }
        Standing inTurns = Bootstrap.evaluate(new Rounds(NAMES, true, List.of(rounds)), "a", 1)
                .standing("b");
        assertThat(inTurns.ratioHigh() - inTurns.ratioLow()).isLessThan(0.001);
        assertThat(inTurns.claimed()).isTrue();
        Standing oneAfterAnother = Bootstrap.evaluate(new Rounds(NAMES, false, List.of(rounds)), "a", 1)
                .standing("b");
        assertThat(oneAfterAnother.ratioHigh() - oneAfterAnother.ratioLow()).isGreaterThan(0.1);
    }

    @Test
    void differenceBetweenProcessesWidensTheInterval() {
        Standing one =
                Bootstrap.evaluate(played(1, 400, 1, 0.1, 1, true), "a", 1).standing("b");
        Standing five =
                Bootstrap.evaluate(played(5, 80, 1, 0.1, 1, true), "a", 1).standing("b");
        assertThat(five.ratioHigh() - five.ratioLow()).isGreaterThan(one.ratioHigh() - one.ratioLow());
    }

    @Test
    void intervalOfEqualContendersWhoseProcessesDifferContainsOneAboutAsOftenAsItSays() {
        long contained = IntStream.range(0, 100)
                .filter(seed -> !Bootstrap.evaluate(played(12, 10, 1, 0.2, seed, true), "a", seed)
                        .standing("b")
                        .claimed())
                .count();
        assertThat(contained).isGreaterThanOrEqualTo(88);
    }

    @Test
    void intervalOfFewProcessesThatDifferWidelyStaysPositiveAndIsTheSameForTheInverse() {
        List<List<List<Slice>>> processes = new ArrayList<>();
        for (int faster : new int[] {1, 2, 20}) {
            processes.add(List.of(List.of(new Slice(1_000, NANOS), new Slice(1_000L * faster, NANOS))));
        }
        Rounds rounds = new Rounds(NAMES, true, processes);
        Standing ofB = Bootstrap.evaluate(rounds, "a", 1).standing("b");
        Standing ofA = Bootstrap.evaluate(rounds, "b", 1).standing("a");
        assertThat(ofB.ratioLow()).isPositive().isLessThan(1);
        assertThat(ofA.ratioHigh() * ofB.ratioLow()).isCloseTo(1, within(0.01));
    }

    @Test
    void contendersThatDidNotTakeTurnsClaimNothing() {
        assertThat(Bootstrap.evaluate(played(1, 80, 0.5, 0, 1, true), "a", 1)
                        .standing("b")
                        .claimed())
                .isTrue();
        DuelResult result = Bootstrap.evaluate(played(1, 80, 0.5, 0, 1, false), "a", 1);
        assertThat(result.standing("b").claimed()).isFalse();
        assertThat(result.inTurns()).isFalse();
        assertThat(result.table()).contains("ONE AFTER ANOTHER");
    }

    @Test
    void sameSeedGivesTheSameInterval() {
        Rounds rounds = played(2, 40, 0.9, 0.05, 1, true);
        assertThat(Bootstrap.evaluate(rounds, "a", 7)).isEqualTo(Bootstrap.evaluate(rounds, "a", 7));
    }

    @Test
    void tableNamesEveryContenderWithItsInterval() {
        String table =
                Bootstrap.evaluate(played(1, 80, 0.5, 0, 1, true), "a", 1).table();
        assertThat(table.lines()).hasSize(4);
        assertThat(table)
                .contains("95 % interval")
                .contains("contenders took turns")
                .contains("80 rounds");
        assertThat(table.lines().skip(2).findFirst().orElseThrow())
                .startsWith("b ")
                .endsWith("yes");
    }

    /** Rounds with noise of 10 % in each slice, and of so much in each process. */
    private static Rounds played(
            int processes, int rounds, double ratio, double processNoise, long seed, boolean inTurns) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<List<Slice>>> played = new ArrayList<>();
        for (int p = 0; p < processes; p++) {
            List<List<Slice>> ofProcess = new ArrayList<>();
            double bias = 1 + processNoise * (random.nextDouble() - 0.5) * 2;
            for (int round = 0; round < rounds; round++) {
                ofProcess.add(List.of(slice(random, 1), slice(random, ratio * bias)));
            }
            played.add(ofProcess);
        }
        return new Rounds(NAMES, inTurns, played);
    }

    private static Slice slice(SplittableRandom random, double speed) {
        return new Slice((long) (1e6 * speed * (0.9 + 0.2 * random.nextDouble())), NANOS);
    }
}
