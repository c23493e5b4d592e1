// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Runs contenders in turn: in every round each runs for one slice while the others are stopped.
 *
 * <p>Other load on the machine thus affects all contenders alike. The order is drawn anew for every round, so no
 * contender always runs after the same other one.
 */
public final class Referee {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** A slice may take this much longer than it should before the contender counts as hung. */
    private static final long OVERTIME_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final List<Contender> contenders;
    private final List<String> names;
    private final DuelSettings settings;
    private final Progress progress;
    private final Random random;
    private int slicesDone;

    private Referee(List<Contender> contenders, DuelSettings settings, Progress progress) {
        this.contenders = List.copyOf(contenders);
        this.names = contenders.stream().map(Contender::name).toList();
        this.settings = settings;
        this.progress = progress;
        this.random = new Random(settings.seed());
    }

    /** Whether contenders can take turns on this platform. */
    public static boolean hasSignals() {
        Optional<Signals> signals = Signals.open();
        signals.ifPresent(Signals::close);
        return signals.isPresent();
    }

    /**
     * Runs a duel; no process of it is left when this returns or throws.
     *
     * @throws ContenderFailure if a contender dies, hangs or reports an error
     */
    public static Rounds run(List<Contender> contenders, DuelSettings settings, Progress progress)
            throws IOException, InterruptedException {
        List<String> names = contenders.stream().map(Contender::name).toList();
        if (contenders.size() < 2 || names.stream().distinct().count() < names.size()) {
            throw new IllegalArgumentException("a duel needs two contenders with different names, not " + names);
        }
        if (!names.containsAll(settings.slowed().keySet())) {
            throw new IllegalArgumentException(
                    "cannot slow " + settings.slowed().keySet() + ", the contenders are " + names);
        }
        Optional<Signals> signals = settings.inTurns() ? Signals.open() : Optional.empty();
        return new Referee(contenders, settings, progress).run(signals);
    }

    private Rounds run(Optional<Signals> signals) throws IOException, InterruptedException {
        try (LiveProcesses live = new LiveProcesses(signals)) {
            try {
                List<List<List<Slice>>> processes = new ArrayList<>();
                int first = random.nextInt(contenders.size());
                for (int process = 0; process < settings.processes(); process++) {
                    List<Integer> order = startOrder(first + process);
                    processes.add(signals.isPresent() ? runInTurns(order, live) : runOneAfterAnother(order, live));
                }
                return new Rounds(names, signals.isPresent(), processes);
            } catch (ContenderFailure | IOException failure) {
                live.holdIfGoingDown();
                throw failure;
            }
        }
    }

    /** Each contender is the first to start equally often. */
    private List<Integer> startOrder(int first) {
        int count = contenders.size();
        return IntStream.range(0, count).mapToObj(i -> (first + i) % count).toList();
    }

    private List<List<Slice>> runInTurns(List<Integer> startOrder, LiveProcesses live)
            throws IOException, InterruptedException {
        List<ContenderProcess> processes = startTogether(startOrder, live);
        for (int slice = 1; slice <= settings.warmUpRounds(); slice++) {
            playRound(processes, -slice, live);
        }
        List<List<Slice>> rounds = new ArrayList<>();
        for (int slice = 1; slice <= settings.rounds(); slice++) {
            rounds.add(playRound(processes, slice, live));
        }
        for (ContenderProcess process : processes) {
            live.resume(process.handle());
            finish(process, live);
        }
        return rounds;
    }

    private List<List<Slice>> runOneAfterAnother(List<Integer> startOrder, LiveProcesses live)
            throws IOException, InterruptedException {
        Slice[][] rounds = new Slice[settings.rounds()][contenders.size()];
        for (int c : startOrder) {
            ContenderProcess process = start(contenders.get(c), live);
            process.awaitReady();
            for (int slice = 1; slice <= settings.warmUpRounds(); slice++) {
                play(c, process, -slice, live);
            }
            for (int slice = 1; slice <= settings.rounds(); slice++) {
                rounds[slice - 1][c] = play(c, process, slice, live);
            }
            finish(process, live);
        }
        return Arrays.stream(rounds).map(Arrays::asList).toList();
    }

    /**
     * Lets all contenders set up at the same time, so that the system deals its free memory out to them in turns. One
     * that sets up after another gets other memory than it, more scattered or less so, and is slower or faster for it
     * all its life.
     */
    private List<ContenderProcess> startTogether(List<Integer> startOrder, LiveProcesses live)
            throws IOException, InterruptedException {
        ContenderProcess[] started = new ContenderProcess[contenders.size()];
        for (int c : startOrder) {
            started[c] = start(contenders.get(c), live);
        }
        for (int c : startOrder) {
            started[c].awaitReady();
            live.stop(started[c].handle());
        }
        return Arrays.asList(started);
    }

    private ContenderProcess start(Contender contender, LiveProcesses live) throws IOException {
        report("starting " + contender.name());
        ContenderProcess process = contender.start();
        live.add(process.handle());
        return process;
    }

    private static void finish(ContenderProcess process, LiveProcesses live) throws IOException, InterruptedException {
        process.finish();
        live.remove(process.handle());
    }

    private List<Slice> playRound(List<ContenderProcess> processes, int slice, LiveProcesses live)
            throws IOException, InterruptedException {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, processes.size()).boxed().toList());
        Collections.shuffle(order, random);
        Slice[] round = new Slice[processes.size()];
        for (int c : order) {
            round[c] = play(c, processes.get(c), slice, live);
        }
        return Arrays.asList(round);
    }

    private Slice play(int contender, ContenderProcess process, int slice, LiveProcesses live)
            throws IOException, InterruptedException {
        process.beginSlice(slice);
        long begin = System.nanoTime();
        live.resume(process.handle());
        awaitEnd(contender, process);
        live.stop(process.handle());
        Slice result = slowed(contender, process.endSlice(System.nanoTime() - begin));
        slicesDone++;
        report(slice < 0 ? "warm-up, round " + -slice : "round " + slice + " of " + settings.rounds());
        return result;
    }

    private void awaitEnd(int contender, ContenderProcess process) throws IOException, InterruptedException {
        long most = settings.slice().toNanos() + OVERTIME_NANOS;
        long begin = System.nanoTime();
        while (!process.awaitSlice(TICK_NANOS)) {
            if (System.nanoTime() - begin > most) {
                throw new ContenderFailure(names.get(contender) + " did not end its slice of "
                        + settings.slice().toMillis() + " ms within " + TimeUnit.NANOSECONDS.toSeconds(most) + " s");
            }
        }
    }

    /** A slowed contender does all of its operations, and so has to do more of them for each that counts. */
    private Slice slowed(int contender, Slice slice) {
        double share = settings.slowed().getOrDefault(names.get(contender), 0.0);
        return new Slice(Math.round(slice.operations() * (1 - share)), slice.nanos());
    }

    private void report(String what) {
        int slices = settings.processes() * contenders.size() * (settings.warmUpRounds() + settings.rounds());
        progress.report(slicesDone / (double) slices, what);
    }
}
