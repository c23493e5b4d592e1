// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.duel.DuelSettings;
import io.clockhand.duel.SliceBoard;
import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.Journal;
import io.clockhand.workbench.derby.driver.Loaded;
import io.clockhand.workbench.duel.Duel;
import io.clockhand.workbench.duel.Entrant;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Failures;
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
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Has child JVMs load a database and work on copies of it.
 *
 * @param derby version
 * @param out where the logs of failed runs stay
 * @param patience how long a child may be silent before it counts as hung
 */
public record DerbyChildren(
        Installation installation, String derby, Path out, Duration patience, DataSet dataSet, CleanUp cleanUp) {
    /** Sorting the rows of a bulk insert is what needs it. */
    private static final String LOAD_HEAP = "768m";

    /**
     * The work of one child.
     *
     * @param contender its name in a duel
     * @param jars of another version of Clockhand, with their real paths
     * @param name of its log, without the ending
     * @param heap in Java's notation
     * @param recorded whether the child uses the Flight Recorder
     * @param isGood whether an answer needs no log to explain it
     */
    public record Job<A>(
            Class<?> mainClass,
            String contender,
            List<String> jars,
            String name,
            String heap,
            boolean recorded,
            Map<String, String> properties,
            Order order,
            Class<A> answerType,
            Predicate<A> isGood) {}

    /** Makes the order of a child. */
    public interface Order {
        /**
         * Makes it when the directory of the database is known.
         *
         * @param slices the file of a duel, or null
         */
        Object make(String database, String slices);
    }

    /** Loads the database; if that fails or is broken off, nothing of it stays. */
    public void load(Class<?> mainClass, String name, Function<String, ?> order, String what) {
        Path home = dataSet.runDirectory();
        cleanUp.add(home);
        cleanUp.add(dataSet.database());
        try (Progress progress = Progress.of("loading " + what)) {
            Files.createDirectories(home);
            Job<Loaded> job = new Job<>(
                    mainClass,
                    name,
                    List.of(),
                    name,
                    LOAD_HEAP,
                    false,
                    DerbyProperties.ofLoad(),
                    (database, slices) -> order.apply(database),
                    Loaded.class,
                    loaded -> true);
            Loaded answer = ask(job, home, dataSet.database(), progress);
            Disk.forceTree(dataSet.database());
            dataSet.markLoaded(answer.allocatedPages());
            cleanUp.keep(dataSet.database());
            cleanUp.delete(home);
        } catch (IOException e) {
            throw new CommandFailure("cannot load into " + dataSet.directory() + ": " + Failures.sentence(e), e);
        }
    }

    /** One run on a copy of its own; a {@link CommandFailure} says why there is no answer. */
    public <A> A run(Job<A> job, Progress progress) {
        try {
            Path home = dataSet.copyForRun(cleanUp, 1);
            try {
                return ask(job, home, home.resolve("database"), progress);
            } finally {
                cleanUp.delete(home);
            }
        } catch (IOException e) {
            throw cannotCopy(e);
        }
    }

    /**
     * Runs in turn, each on a copy of its own; a {@link CommandFailure} says why there are no answers.
     *
     * @param jobs with different names
     * @param counters how many threads of each child count operations
     */
    private <A> Duel.Outcome<A> duel(List<Job<A>> jobs, int counters, DuelSettings settings, Progress progress) {
        List<Path> homes = new ArrayList<>();
        List<Entrant> entrants = new ArrayList<>();
        for (Job<A> job : jobs) {
            int number = entrants.size() + 1;
            entrants.add(new Entrant(job.contender(), counters, () -> {
                Path home = dataSet.copyForRun(cleanUp, number);
                homes.add(home);
                Path slices = home.resolve("slices");
                SliceBoard board = SliceBoard.create(slices, counters);
                return new Entrant.Started(
                        jvm(job, home).start(order(job, home.resolve("database"), slices), cleanUp), board);
            }));
        }
        try {
            Job<A> any = jobs.get(0);
            return new Duel(settings, patience).run(entrants, any.answerType(), any.isGood(), progress);
        } finally {
            homes.forEach(this::delete);
        }
    }

    /** Receives the answer of a run, null if it failed, and its part in a duel, null if there was none. */
    public interface Receiver<S, A> {
        void receive(Cell<S, Contender> cell, A answer, Turns turns);
    }

    /** Compares contenders in a duel; a single one runs alone. */
    public <S, A> void compare(
            List<Cell<S, Contender>> cells,
            List<Job<A>> jobs,
            int counters,
            DuelSettings settings,
            long copyBytes,
            Journal journal,
            String number,
            Receiver<S, A> receiver) {
        Cell<S, Contender> first = cells.get(0);
        if (cells.size() == 1) {
            A answer = journal.attempt(number, first, progress -> {
                requireRoomForRun(copyBytes);
                return run(jobs.get(0), progress);
            });
            receiver.receive(first, answer, null);
            return;
        }
        Duel.Outcome<A> outcome = journal.attempt(number, first.duelName(), progress -> {
            requireRoomForRun(cells.size() * copyBytes);
            return duel(jobs, counters, settings, progress);
        });
        for (int i = 0; i < cells.size(); i++) {
            receiver.receive(
                    cells.get(i),
                    outcome == null ? null : outcome.answers().get(i),
                    outcome == null
                            ? null
                            : new Turns(outcome.rounds(), cells.get(i).name()));
        }
    }

    private void delete(Path home) {
        try {
            cleanUp.delete(home);
        } catch (IOException e) {
            // deleted at the end of the command
        }
    }

    private CommandFailure cannotCopy(IOException e) {
        return new CommandFailure(
                "cannot copy the database in " + dataSet.directory() + ": " + Failures.sentence(e), e);
    }

    private <A> A ask(Job<A> job, Path home, Path database, Progress progress) throws IOException {
        return jvm(job, home).ask(order(job, database, null), job.answerType(), job.isGood(), cleanUp, progress::at);
    }

    private static Object order(Job<?> job, Path database, Path slices) {
        return job.order()
                .make(
                        database.toAbsolutePath().toString(),
                        slices == null ? null : slices.toAbsolutePath().toString());
    }

    private ChildJvm jvm(Job<?> job, Path home) throws IOException {
        Files.writeString(home.resolve("derby.properties"), DerbyProperties.asText(job.properties()));
        return new ChildJvm(
                job.mainClass().getName(),
                installation.classPath(job.jars(), derby),
                flags(job, home.toAbsolutePath()),
                home,
                patience,
                log(job.name()));
    }

    private static List<String> flags(Job<?> job, Path home) {
        List<String> flags = new ArrayList<>(jvmFlags(job.heap()));
        flags.add("-Dderby.system.home=" + home);
        flags.add("-Djava.io.tmpdir=" + home);
        if (job.recorded() && !home.toString().contains(",")) {
            // the Flight Recorder takes no notice of java.io.tmpdir, and separates its options by commas
            flags.add("-XX:FlightRecorderOptions=repository=" + home.resolve("jfr"));
        }
        return flags;
    }

    /** The flags that may matter to the figures. */
    public static List<String> jvmFlags(String heap) {
        return List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseG1GC");
    }

    /** Where the log of a run lies if it went wrong. */
    public Path log(String name) {
        return out.resolve(name + ".log");
    }

    /** Where the Flight Recorder's profile of a run goes. */
    public Path recording(String name) {
        return out.resolve(name + ".jfr").toAbsolutePath();
    }

    /** Fails in one sentence if copies, with the data that runs add, do not fit on the disk. */
    public void requireRoomForRun(long bytes) {
        Disk.require(dataSet.directory(), bytes, "the working copy of a run");
    }
}
