// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages;

import io.clockhand.duel.DuelSettings;
import io.clockhand.duel.SliceBoard;
import io.clockhand.workbench.Journal;
import io.clockhand.workbench.duel.Duel;
import io.clockhand.workbench.duel.Entrant;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Turns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Has child JVMs play, each one run.
 *
 * @param program whose {@code main} plays a run
 * @param answers the type of its answers
 * @param allHolds whether an answer shows no error
 * @param flags of every child
 * @param directory for orders and answers
 * @param logs gets a log of each child
 */
public record Children<A>(
        Class<?> program,
        Class<A> answers,
        Predicate<A> allHolds,
        Installation installation,
        List<String> flags,
        Path directory,
        Path logs,
        CleanUp cleanUp) {
    /** A child reports its progress several times a second; drawing a workload takes less than a second. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * One run; a {@link io.clockhand.workbench.CommandFailure} says why there is no answer.
     *
     * @param fileName of its log, without the ending
     */
    public A run(Object order, String fileName, Progress progress) {
        return jvm(fileName, directory).ask(order, answers, allHolds, cleanUp, progress::at);
    }

    private ChildJvm jvm(String fileName, Path home) {
        return new ChildJvm(
                program.getName(), installation.classPath(), flags, home, PATIENCE, logs.resolve(fileName + ".log"));
    }

    /**
     * One contender of a duel.
     *
     * @param contender its name in the duel
     * @param fileName of its log, without the ending
     * @param order makes the order for a file of slices
     */
    public record Job(String contender, String fileName, Function<String, ?> order) {}

    /**
     * Runs in turn; a {@link io.clockhand.workbench.CommandFailure} says why there are no answers.
     *
     * @param threads of each child
     */
    private Duel.Outcome<A> duel(List<Job> jobs, int threads, DuelSettings settings, Progress progress) {
        List<Entrant> entrants = jobs.stream()
                .map(job -> new Entrant(job.contender(), threads, () -> start(job, threads)))
                .toList();
        return new Duel(settings, PATIENCE).run(entrants, answers, allHolds, progress);
    }

    /** Compares contenders in a duel; a single one plays alone. The answers are null if it failed. */
    public <S, C> List<Turns> compare(
            List<Cell<S, C>> cells,
            List<Job> jobs,
            int threads,
            DuelSettings settings,
            Journal journal,
            String number,
            List<A> answers) {
        Cell<S, C> first = cells.get(0);
        List<Turns> turns = new ArrayList<>();
        if (cells.size() == 1) {
            Job job = jobs.get(0);
            answers.add(
                    journal.attempt(number, first, progress -> run(job.order().apply(null), job.fileName(), progress)));
            turns.add(null);
            return turns;
        }
        Duel.Outcome<A> outcome =
                journal.attempt(number, first.duelName(), progress -> duel(jobs, threads, settings, progress));
        for (int i = 0; i < cells.size(); i++) {
            answers.add(outcome == null ? null : outcome.answers().get(i));
            turns.add(
                    outcome == null
                            ? null
                            : new Turns(outcome.rounds(), cells.get(i).name()));
        }
        return turns;
    }

    private Entrant.Started start(Job job, int threads) throws IOException {
        Path home = Files.createTempDirectory(directory, "contender-");
        Path slices = home.resolve("slices").toAbsolutePath();
        SliceBoard board = SliceBoard.create(slices, threads);
        return new Entrant.Started(
                jvm(job.fileName(), home).start(job.order().apply(slices.toString()), cleanUp), board);
    }
}
