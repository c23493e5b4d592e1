// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import io.clockhand.duel.Contender;
import io.clockhand.duel.ContenderFailure;
import io.clockhand.duel.ContenderProcess;
import io.clockhand.duel.CountedProcess;
import io.clockhand.duel.DuelSettings;
import io.clockhand.duel.Referee;
import io.clockhand.duel.Rounds;
import io.clockhand.duel.SliceBoard;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Journal;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.environment.StartedChild;
import io.clockhand.workbench.experiment.options.RunTimes;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Turns;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Runs an experiment: every cell of the plan in a child JVM, timed in duels or alone, then counted; then its report.
 */
final class Runner<S, C, A extends Answer> {
    private final Experiment<S, C, A> experiment;
    private final PrintStream out;
    private final PrintStream err;
    private final List<String> childFlags;
    private final List<Run<S, C, A>> runs = new ArrayList<>();
    private CleanUp cleanUp;
    private Journal journal;
    private Workplace workplace;
    private List<String> flags;

    /**
     * Makes a runner.
     *
     * @param childFlags of every child JVM, besides those of the experiment
     */
    Runner(Experiment<S, C, A> experiment, PrintStream out, PrintStream err, List<String> childFlags) {
        this.experiment = experiment;
        this.out = out;
        this.err = err;
        this.childFlags = childFlags;
    }

    /** Returns whether every run ended and every check held. */
    boolean run() {
        try (CleanUp all = new CleanUp()) {
            cleanUp = all;
            journal = new Journal(err, cleanUp);
            Report.requireWritable(experiment.out(), experiment.name());
            Path directory = Disk.workingDirectory(experiment.out(), "." + experiment.name() + "-", cleanUp);
            workplace = new Workplace(directory, cleanUp, journal, childFlags);
            flags = workplace.flags(experiment.prepare(workplace));
            List<List<Cell<S, C>>> groups = experiment.plan();
            describe(groups.stream().mapToInt(List::size).sum());
            for (int i = 0; i < groups.size(); i++) {
                String number = "part " + (i + 1) + " of " + groups.size();
                experiment.explore(groups.get(i).get(0).setting(), explorer(number));
                perform(groups.get(i), number);
            }
            List<Run<S, C, A>> completed = experiment.completed(runs);
            int cores = Environment.here(List.of()).cores();
            experiment
                    .report(completed, flags)
                    .publish(experiment.out(), out, experiment.conclusion(completed, cores, journal.isGood()));
            return journal.isGood();
        } finally {
            experiment.close();
        }
    }

    private void describe(int count) {
        RunTimes times = experiment.times();
        journal.say(Figures.counted(count, "runs")
                + (experiment.isTimed()
                        ? " of " + (times.warmup() + times.seconds()) + " s each"
                                + (experiment.counts().isEmpty()
                                        ? "."
                                        : ", and shorter ones in which " + experiment.counts() + " are counted.")
                        : " in which " + experiment.counts() + " are counted, and no time is measured."));
    }

    /** Performs the runs of all contenders in a setting: in turn, or one after the other. */
    private void perform(List<Cell<S, C>> cells, String number) {
        Cell<S, C> first = cells.get(0);
        if (!experiment.isTimed()) {
            cells.forEach(cell -> count(new Run<>(cell, null, null, null), number));
        } else if (cells.size() == 1) {
            A answer = journal.attempt(
                    number,
                    first,
                    progress -> alone(first, fileName(first), timing(null), experiment::timedOrder, progress));
            addTimed(new Run<>(first, answer, null, null), number);
        } else if (experiment.takesTurns(first.setting())) {
            List<Run<S, C, A>> timed = journal.attempt(number, first.duelName(), progress -> duel(cells, progress));
            for (int i = 0; i < cells.size(); i++) {
                addTimed(timed == null ? new Run<>(cells.get(i), null, null, null) : timed.get(i), number);
            }
        } else {
            cells.forEach(cell -> perform(List.of(cell), number));
        }
    }

    private Experiment.Explorer<S, C, A> explorer(String number) {
        return (cell, order) -> {
            A answer = journal.attempt(
                    number + ", beforehand",
                    cell.name() + ", " + cell.setting(),
                    progress -> alone(cell, fileName(cell), timing(null), order, progress));
            if (answer != null) {
                note(new Run<>(cell, answer, null, null), answer, fileName(cell));
            }
            return answer;
        };
    }

    private void addTimed(Run<S, C, A> run, String number) {
        if (run.timed() == null) {
            runs.add(run);
            return;
        }
        note(run, run.timed(), fileName(run.cell()));
        if (experiment.isCounted(run)) {
            count(run, number + ", counted");
        } else {
            runs.add(run);
        }
    }

    private void count(Run<S, C, A> run, String number) {
        Cell<S, C> cell = run.cell();
        String fileName = fileName(cell) + (run.timed() == null ? "" : "-counted");
        A answer = journal.attempt(
                number,
                cell,
                progress -> alone(cell, fileName, null, launch -> experiment.countedOrder(launch, run), progress));
        Run<S, C, A> whole = new Run<>(cell, run.timed(), run.turns(), answer);
        runs.add(whole);
        if (answer != null) {
            note(whole, answer, fileName);
        }
    }

    private void note(Run<S, C, A> run, A answer, String fileName) {
        experiment.remarks(run, answer).forEach(journal::say);
        if (!answer.allHolds()) {
            journal.complain(run.cell(), answer.wrong() + "; its log is " + log(fileName));
        }
    }

    // --- child JVMs --------------------------------------------------------------------------------------------------

    private A alone(
            Cell<S, C> cell,
            String fileName,
            Timing timing,
            Function<Launch<S, C>, Order<A>> order,
            Progress progress) {
        try {
            Path home = experiment.home(workplace, 1);
            try {
                Launch<S, C> launch = new Launch<>(cell, fileName, 1, home, timing);
                return experiment
                        .jvm(launch, flags, log(fileName))
                        .ask(order.apply(launch), experiment.answerType(), Answer::allHolds, cleanUp, progress::at);
            } finally {
                delete(home);
            }
        } catch (IOException e) {
            throw new CommandFailure("cannot prepare a run: " + Failures.sentence(e), e);
        }
    }

    /** All contenders of a setting live at once and run in turn; none lives afterwards. */
    private List<Run<S, C, A>> duel(List<Cell<S, C>> cells, Progress progress) {
        DuelSettings settings = experiment.times().duelOf(cells.get(0).repeat(), experiment.seed());
        List<Duellist> duellists = IntStream.range(0, cells.size())
                .mapToObj(i -> new Duellist(cells.get(i), i + 1, cells.size(), settings))
                .toList();
        try {
            Rounds rounds = Referee.run(List.copyOf(duellists), settings, (fraction, text) -> progress.at(fraction));
            List<Run<S, C, A>> timed = new ArrayList<>();
            for (Duellist duellist : duellists) {
                timed.add(new Run<>(duellist.cell, duellist.answer(), new Turns(rounds, duellist.name()), null));
            }
            return timed;
        } catch (ContenderFailure failure) {
            throw duellists.stream()
                    .filter(Duellist::hasExplanation)
                    .findFirst()
                    .map(duellist -> duellist.child.failure(failure.getMessage()))
                    .orElseGet(() -> new CommandFailure(failure.getMessage(), failure));
        } catch (IOException e) {
            throw new CommandFailure("cannot run a duel: " + Failures.sentence(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted", e);
        } finally {
            duellists.forEach(Duellist::close);
        }
    }

    /** A contender of a duel in a child JVM of its own. */
    private final class Duellist implements Contender {
        private final Cell<S, C> cell;
        private final int number;
        private final int all;
        private final DuelSettings settings;
        private Path home;
        private StartedChild child;

        Duellist(Cell<S, C> cell, int number, int all, DuelSettings settings) {
            this.cell = cell;
            this.number = number;
            this.all = all;
            this.settings = settings;
        }

        @Override
        public String name() {
            return cell.name();
        }

        @Override
        public ContenderProcess start() throws IOException {
            home = experiment.home(workplace, number);
            Path slices = home.resolve("slices").toAbsolutePath();
            SliceBoard board = SliceBoard.create(slices, experiment.counters(cell.setting()));
            Launch<S, C> launch = new Launch<>(cell, fileName(cell), all, home, timing(slices.toString()));
            child = experiment.jvm(launch, flags, log(launch.fileName())).start(experiment.timedOrder(launch), cleanUp);
            return new CountedProcess(name(), child.process(), board, settings.slice(), experiment.patience());
        }

        A answer() throws IOException {
            return child.answer(experiment.answerType(), Answer::allHolds);
        }

        boolean hasExplanation() {
            return child != null && child.hasExplanation();
        }

        void close() {
            if (child != null) {
                child.close();
            }
            if (home != null) {
                delete(home);
            }
        }
    }

    /** The answer of the run is good even if that fails; the end of the command tries again. */
    private void delete(Path home) {
        try {
            cleanUp.delete(home);
        } catch (IOException e) {
            journal.say("Warning: cannot delete " + home + ": " + Failures.sentence(e));
        }
    }

    private Timing timing(String slices) {
        RunTimes times = experiment.times();
        return slices == null
                ? Timing.alone(times.warmup(), times.seconds())
                : new Timing(
                        times.warmup(),
                        times.seconds(),
                        slices,
                        times.duelOf(1, 1).warmUpRounds());
    }

    private String fileName(Cell<S, C> cell) {
        return cell.fileName(experiment.name());
    }

    private Path log(String fileName) {
        return experiment.out().resolve(fileName + ".log");
    }
}
