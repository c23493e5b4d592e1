// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import io.clockhand.duel.DuelSettings;
import io.clockhand.workbench.Journal;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.options.TimeOptions;
import io.clockhand.workbench.pages.Children;
import io.clockhand.workbench.pages.driver.Timing;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.Turns;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs an experiment: every cell of the plan in a child JVM, timed in duels or alone, then counted; then its report.
 */
final class Runner<S, C, A extends Answer> {
    private final Experiment<S, C, A> experiment;
    private final PrintStream out;
    private final PrintStream err;
    private final List<Run<S, C, A>> runs = new ArrayList<>();
    private Journal journal;
    private Children<A> children;

    Runner(Experiment<S, C, A> experiment, PrintStream out, PrintStream err) {
        this.experiment = experiment;
        this.out = out;
        this.err = err;
    }

    /** Returns whether every run ended and every check held. */
    boolean run() {
        try (CleanUp cleanUp = new CleanUp()) {
            journal = new Journal(err, cleanUp);
            Path directory = Disk.workingDirectory(experiment.out(), "." + experiment.name() + "-", cleanUp);
            List<List<Cell<S, C>>> groups = experiment.plan();
            List<String> flags = experiment.prepare(new Workplace(directory, cleanUp, journal));
            describe(groups.stream().mapToInt(List::size).sum());
            children = new Children<>(
                    RunChild.class,
                    experiment.answerType(),
                    Answer::allHolds,
                    Installation.here(),
                    flags,
                    directory,
                    experiment.out(),
                    cleanUp);
            for (int i = 0; i < groups.size(); i++) {
                perform(groups.get(i), "part " + (i + 1) + " of " + groups.size());
            }
            List<Run<S, C, A>> all = experiment.completed(runs);
            int cores = Environment.here(List.of()).cores();
            experiment
                    .report(all, flags)
                    .publish(experiment.out(), out, experiment.conclusion(all, cores, journal.isGood()));
            return journal.isGood();
        }
    }

    private void describe(int count) {
        TimeOptions times = experiment.times();
        journal.say(Figures.counted(count, "runs")
                + (experiment.isTimed()
                        ? " of " + (times.warmup() + times.seconds()) + " s each, and as many shorter ones in which "
                                + experiment.counts() + " are counted."
                        : " in which " + experiment.counts() + " are counted, and no time is measured."));
    }

    private void perform(List<Cell<S, C>> cells, String number) {
        if (!experiment.isTimed()) {
            cells.forEach(cell -> count(new Run<>(cell, null, null, null), number));
            return;
        }
        Cell<S, C> first = cells.get(0);
        if (cells.size() > 1 && !experiment.takesTurns(first.setting())) {
            cells.forEach(cell -> perform(List.of(cell), number));
            return;
        }
        List<Children.Job> jobs = cells.stream()
                .map(cell -> new Children.Job(
                        cell.name(),
                        cell.fileName(experiment.name()),
                        slices -> experiment.timedOrder(cell, timing(slices))))
                .toList();
        DuelSettings duel = experiment.times().duelOf(first.repeat(), experiment.seed());
        List<A> answers = new ArrayList<>();
        List<Turns> turns =
                children.compare(cells, jobs, experiment.counters(first.setting()), duel, journal, number, answers);
        for (int i = 0; i < cells.size(); i++) {
            Run<S, C, A> run = new Run<>(cells.get(i), answers.get(i), turns.get(i), null);
            if (run.timed() == null) {
                runs.add(run);
            } else {
                noteTimed(run);
                count(run, number + ", counted");
            }
        }
    }

    private Timing timing(String slices) {
        TimeOptions times = experiment.times();
        return new Timing(
                times.warmup(), times.seconds(), slices, times.duelOf(1, 1).warmUpRounds());
    }

    private void noteTimed(Run<S, C, A> run) {
        journal.say(String.format(
                Locale.ROOT,
                "  %s: %,.0f %s a second",
                run.cell().name(),
                run.operationsPerSecond(),
                experiment.operations()));
        complainIfWrong(run.cell(), run.timed(), run.cell().fileName(experiment.name()));
    }

    private void count(Run<S, C, A> run, String number) {
        Order<A> order = experiment.countedOrder(run);
        if (order == null) {
            runs.add(run);
            return;
        }
        Cell<S, C> cell = run.cell();
        String fileName = cell.fileName(experiment.name()) + (run.timed() == null ? "" : "-counted");
        A answer = journal.attempt(number, cell, progress -> children.run(order, fileName, progress));
        Run<S, C, A> whole = new Run<>(cell, run.timed(), run.turns(), answer);
        runs.add(whole);
        if (answer != null) {
            experiment.remarks(whole).forEach(line -> journal.say("  " + line));
            complainIfWrong(cell, answer, fileName);
        }
    }

    private void complainIfWrong(Cell<S, C> cell, A answer, String fileName) {
        if (!answer.allHolds()) {
            journal.complain(
                    cell, answer.wrong() + "; its log is " + experiment.out().resolve(fileName + ".log"));
        }
    }
}
