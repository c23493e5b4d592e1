// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefereeTest {
    @TempDir
    private Path directory;

    private final List<Watched> started = new ArrayList<>();

    @Test
    void onlyOneContenderRunsAtATime() throws IOException, InterruptedException {
        assumeTrue(Referee.hasSignals());
        Rounds rounds =
                Referee.run(List.of(contender("a"), contender("b"), contender("c")), settings(10, 1), Progress.NONE);
        assertThat(rounds.inTurns()).isTrue();
        assertThat(rounds.processes()).hasSize(1);
        assertThat(rounds.processes().get(0))
                .hasSize(10)
                .allSatisfy(round -> assertThat(round).hasSize(3).allSatisfy(slice -> {
                    assertThat(slice.operations()).isNotNegative();
                    assertThat(slice.nanos()).isGreaterThanOrEqualTo(Children.SLICE.toNanos());
                }));
        assertThat(started).hasSize(3).allSatisfy(watched -> {
            assertThat(watched.countedByOthers).isZero();
            assertThat(watched.process.handle().isAlive()).isFalse();
        });
    }

    @Test
    void everyProcessWarmsUpBeforeItsSlicesCount() throws IOException, InterruptedException {
        List<Integer> slices = new ArrayList<>();
        Referee.run(List.of(contender("a", slices), contender("b")), settings(3, 2), Progress.NONE);
        assertThat(slices).containsExactly(-1, -2, 1, 2, 3, -1, -2, 1, 2, 3);
    }

    @Test
    void everyContenderIsTheFirstToStartEquallyOften() throws IOException, InterruptedException {
        List<String> starts = new ArrayList<>();
        Referee.run(List.of(contender("a"), contender("b"), contender("c")), settings(1, 3), (fraction, text) -> {
            if (text.startsWith("starting")) {
                starts.add(text.substring("starting ".length()));
            }
        });
        assertThat(starts).hasSize(9);
        assertThat(List.of(starts.get(0), starts.get(3), starts.get(6))).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void contendersSetUpAtTheSameTime() throws IOException, InterruptedException {
        assumeTrue(Referee.hasSignals());
        Referee.run(List.of(contender("a"), contender("b"), contender("c")), settings(1, 1), Progress.NONE);
        assertThat(started)
                .hasSize(3)
                .allSatisfy(watched -> assertThat(watched.startedWhenAwaited).isEqualTo(3));
    }

    @Test
    void orderOfARoundIsDrawnFromTheSeed() throws IOException, InterruptedException {
        List<String> first = order(1);
        assertThat(order(1)).isEqualTo(first);
        assertThat(order(2)).isNotEqualTo(first);
        assertThat(first.subList(0, 2)).containsExactlyInAnyOrder("a", "b");
    }

    private List<String> order(long seed) throws IOException, InterruptedException {
        assumeTrue(Referee.hasSignals());
        List<String> order = new ArrayList<>();
        DuelSettings settings =
                new DuelSettings(Duration.ofMillis(5), Duration.ofMillis(100), Duration.ZERO, 1, seed, Map.of(), true);
        Referee.run(List.of(ordered("a", order), ordered("b", order)), settings, Progress.NONE);
        return order;
    }

    @Test
    void shareOfTheOperationsOfASlowedContenderDoesNotCount() throws IOException, InterruptedException {
        DuelSettings settings = new DuelSettings(
                Children.SLICE, Children.SLICE.multipliedBy(3), Duration.ZERO, 1, 1, Map.of("b", 0.6), true);
        Rounds rounds = Referee.run(List.of(contender("a"), contender("b")), settings, Progress.NONE);
        List<List<Slice>> played = rounds.processes().get(0);
        Watched slowed = started.get(started.get(0).name.equals("b") ? 0 : 1);
        assertThat(played.stream().map(round -> round.get(1).operations()))
                .containsExactlyElementsOf(slowed.operations.stream()
                        .map(operations -> Math.round(operations * 0.4))
                        .toList());
    }

    @Tag("nightly")
    @Test
    void slowedContenderIsFoundToBeSlower() throws IOException, InterruptedException {
        DuelSettings settings = new DuelSettings(
                Children.SLICE, Duration.ofSeconds(2), Duration.ofMillis(400), 1, 1, Map.of("b", 0.6), true);
        Rounds rounds = Referee.run(List.of(contender("a"), contender("b")), settings, Progress.NONE);
        DuelResult.Standing slowed = Bootstrap.evaluate(rounds, "a", 1).standing("b");
        assertThat(slowed.ratioHigh()).isLessThan(1);
        assertThat(slowed.ratioLow()).isPositive();
    }

    @Test
    void contendersRunOneAfterAnotherWhereTheyCannotTakeTurns() throws IOException, InterruptedException {
        List<String> order = new ArrayList<>();
        DuelSettings settings =
                new DuelSettings(Children.SLICE, Children.SLICE.multipliedBy(4), Children.SLICE, 2, 1, Map.of(), false);
        Rounds rounds = Referee.run(List.of(ordered("a", order), ordered("b", order)), settings, Progress.NONE);
        assertThat(rounds.inTurns()).isFalse();
        assertThat(rounds.processes()).hasSize(2);
        assertThat(order.subList(0, 6))
                .isIn(List.of("a", "a", "a", "b", "b", "b"), List.of("b", "b", "b", "a", "a", "a"));
        List<String> secondSet = new ArrayList<>(order.subList(6, 12));
        Collections.reverse(secondSet);
        assertThat(secondSet).isEqualTo(order.subList(0, 6));
    }

    @Test
    void progressGoesFromNothingToAll() throws IOException, InterruptedException {
        List<Double> fractions = new ArrayList<>();
        Referee.run(
                List.of(contender("a"), contender("b")), settings(3, 1), (fraction, text) -> fractions.add(fraction));
        assertThat(fractions).isSorted().startsWith(0.0).endsWith(1.0);
    }

    @Test
    void deathOfAContenderIsReportedAndEndsTheOthers() {
        assertFailureIsReported(contender("mortal", "die"), "mortal ended with status 4");
    }

    @Test
    void contenderThatFailsBeforeItIsReadyIsReported() {
        assertFailureIsReported(contender("unfit", "fail"), "unfit ended with status 3");
    }

    @Test
    void contenderThatIsNeverReadyIsReported() {
        assertFailureIsReported(hanging(), "lazy was not ready after 1 s");
    }

    /** With the seed of these settings the failing contender starts last, so the other one has to be ended. */
    private void assertFailureIsReported(Contender failing, String message) {
        assertThatThrownBy(() -> Referee.run(List.of(failing, contender("a")), settings(10, 1), Progress.NONE))
                .isInstanceOf(ContenderFailure.class)
                .hasMessage(message);
        assertNothingIsLeft(2);
    }

    @Test
    void duelWithoutTwoNamesIsRefused() {
        assertThatThrownBy(() -> Referee.run(List.of(contender("a")), settings(1, 1), Progress.NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Referee.run(List.of(contender("a"), contender("a")), settings(1, 1), Progress.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[a, a]");
        DuelSettings slowed =
                new DuelSettings(Children.SLICE, Children.SLICE, Duration.ZERO, 1, 1, Map.of("x", 0.1), true);
        assertThatThrownBy(() -> Referee.run(List.of(contender("a"), contender("b")), slowed, Progress.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[x]");
        assertThat(started).isEmpty();
    }

    private void assertNothingIsLeft(int count) {
        assertThat(started)
                .hasSize(count)
                .allSatisfy(watched ->
                        assertThat(watched.process.handle().isAlive()).isFalse());
    }

    private static DuelSettings settings(int rounds, int processes) {
        return new DuelSettings(
                Children.SLICE,
                Children.SLICE.multipliedBy((long) rounds * processes),
                Children.SLICE.multipliedBy(2),
                processes,
                1,
                Map.of(),
                true);
    }

    private Contender contender(String name) {
        return contender(name, "spin");
    }

    private Contender contender(String name, String work) {
        return contender(name, work, new ArrayList<>());
    }

    private Contender contender(String name, List<Integer> slices) {
        return contender(name, "spin", slices);
    }

    private Contender contender(String name, String work, List<Integer> slices) {
        Contender spinning = Children.spinning(name, directory, work);
        return new Contender() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public ContenderProcess start() throws IOException {
                Watched watched = new Watched(name, spinning.start(), slices);
                started.add(watched);
                return watched;
            }
        };
    }

    private Contender ordered(String name, List<String> order) {
        Contender spinning = Children.spinning(name, directory, "spin");
        return new Contender() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public ContenderProcess start() throws IOException {
                return new Watched(name, spinning.start(), new ArrayList<>()) {
                    @Override
                    public void beginSlice(int slice) throws IOException {
                        order.add(name);
                        super.beginSlice(slice);
                    }
                };
            }
        };
    }

    private Contender hanging() {
        return new Contender() {
            @Override
            public String name() {
                return "lazy";
            }

            @Override
            public ContenderProcess start() throws IOException {
                Path file = directory.resolve("lazy");
                SliceBoard board = SliceBoard.create(file, 1);
                Watched watched = new Watched(
                        "lazy",
                        new CountedProcess(
                                "lazy",
                                Children.java(SpinningChild.class, file.toString(), "hang"),
                                board,
                                Children.SLICE,
                                Duration.ofSeconds(1)),
                        new ArrayList<>());
                started.add(watched);
                return watched;
            }
        };
    }

    /** Notes what the other contenders count while this one runs. */
    private class Watched implements ContenderProcess {
        private final String name;
        private final ContenderProcess process;
        private final List<Integer> slices;
        private final List<Long> operations = new ArrayList<>();
        private long before;
        private long countedByOthers;
        private int startedWhenAwaited;

        Watched(String name, ContenderProcess process, List<Integer> slices) {
            this.name = name;
            this.process = process;
            this.slices = slices;
        }

        @Override
        public ProcessHandle handle() {
            return process.handle();
        }

        @Override
        public void awaitReady() throws IOException, InterruptedException {
            startedWhenAwaited = started.size();
            process.awaitReady();
        }

        @Override
        public void beginSlice(int slice) throws IOException {
            slices.add(slice);
            before = others();
            process.beginSlice(slice);
        }

        @Override
        public boolean awaitSlice(long nanos) throws IOException, InterruptedException {
            return process.awaitSlice(nanos);
        }

        @Override
        public Slice endSlice(long ranNanos) throws IOException {
            countedByOthers += others() - before;
            Slice slice = process.endSlice(ranNanos);
            operations.add(slice.operations());
            return slice;
        }

        @Override
        public void finish() throws IOException, InterruptedException {
            process.finish();
        }

        @SuppressWarnings("ReferenceEquality") // the very contender
        private long others() {
            return started.stream()
                    .filter(other -> other != this)
                    .mapToLong(other -> ((CountedProcess) other.process).operations())
                    .sum();
        }
    }
}
