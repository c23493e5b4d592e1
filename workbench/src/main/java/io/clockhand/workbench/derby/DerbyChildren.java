// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.derby.driver.Loaded;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Progress;
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
 * @param out where the logs of what went wrong stay
 * @param patience how long a child may be silent before it counts as hung
 */
public record DerbyChildren(
        Installation installation, String derby, Path out, Duration patience, DataSet dataSet, CleanUp cleanUp) {
    /** Sorting the rows of a bulk insert is what needs it. */
    private static final String LOAD_HEAP = "768m";

    /**
     * What one child has to do.
     *
     * @param name of its log, without the ending
     * @param heap in Java's notation
     * @param recorded whether the child uses the Flight Recorder
     * @param order made when the directory of the database is known
     * @param isGood whether an answer needs no log to explain it
     */
    public record Job<A>(
            Class<?> mainClass,
            String name,
            String heap,
            boolean recorded,
            Map<String, String> properties,
            Function<String, ?> order,
            Class<A> answerType,
            Predicate<A> isGood) {}

    /** Loads the database; if that fails or is broken off, nothing of it stays. */
    public void load(Class<?> mainClass, String name, Function<String, ?> order, String what) {
        Path home = dataSet.runDirectory();
        cleanUp.add(home);
        cleanUp.add(dataSet.database());
        try (Progress progress = Progress.of("loading " + what)) {
            Files.createDirectories(home);
            Job<Loaded> job = new Job<>(
                    mainClass, name, LOAD_HEAP, false, DerbyProperties.ofLoad(), order, Loaded.class, loaded -> true);
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
            Path home = dataSet.copyForRun(cleanUp);
            try {
                return ask(job, home, home.resolve("database"), progress);
            } finally {
                cleanUp.delete(home);
            }
        } catch (IOException e) {
            throw new CommandFailure(
                    "cannot copy the database in " + dataSet.directory() + ": " + Failures.sentence(e), e);
        }
    }

    private <A> A ask(Job<A> job, Path home, Path database, Progress progress) throws IOException {
        Files.writeString(home.resolve("derby.properties"), DerbyProperties.asText(job.properties()));
        Object order = job.order().apply(database.toAbsolutePath().toString());
        return new ChildJvm(
                        job.mainClass().getName(),
                        installation.classPath(derby),
                        flags(job, home.toAbsolutePath()),
                        home,
                        patience,
                        log(job.name()))
                .ask(order, job.answerType(), job.isGood(), cleanUp, progress::at);
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

    /** The flags that may matter to what is measured. */
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

    /** Fails in one sentence if a run's copy, with what the run adds to it, does not fit on the disk. */
    public void requireRoomForRun(long bytes) {
        Disk.require(dataSet.directory(), bytes, "the working copy of a run");
    }
}
