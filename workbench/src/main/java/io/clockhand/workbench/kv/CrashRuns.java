// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv;

import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Journal;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.environment.StartedChild;
import io.clockhand.workbench.experiment.RunChild;
import io.clockhand.workbench.experiment.report.Grid;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.kv.driver.Commits;
import io.clockhand.workbench.kv.driver.Commits.Found;
import io.clockhand.workbench.kv.driver.Engine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Kills processes that commit, some of them while they recover from the kill before, and checks what is left. */
final class CrashRuns {
    private static final int THREADS = 4;
    private static final long CACHE_BYTES = 2 << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    /** A JVM needs some 300 ms until it opens the store. */
    private static final int LEAST_MILLIS = 200;

    private static final int MOST_MILLIS = 2_000;

    private final Kv settings;
    private final PrintStream out;
    private final CleanUp cleanUp = new CleanUp();
    private final Journal journal;

    CrashRuns(Kv settings, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.out = out;
        journal = new Journal(err, cleanUp);
    }

    /**
     * What the kills of an engine have shown.
     *
     * @param kills that were made
     * @param commits that were there after the last one
     * @param problem the first commit that was lost, or was there in part, in words; null if there was none
     */
    record Crashes(String engine, int kills, long commits, String problem) {}

    /** Returns whether every commit that was acknowledged was there after each kill, and no other in part. */
    boolean run(int kills) {
        try (cleanUp) {
            Path directory = Disk.workingDirectory(settings.out(), ".kv-", cleanUp);
            List<Crashes> all = settings.contenders().stream()
                    .distinct()
                    .map(engine -> journal.attempt(
                            "crash runs", engine, progress -> crash(engine, kills, directory, progress)))
                    .filter(Objects::nonNull)
                    .toList();
            all.stream()
                    .filter(crashes -> crashes.problem() != null)
                    .forEach(crashes -> journal.complain(crashes.engine(), crashes.problem()));
            List<List<Object>> rows = new ArrayList<>();
            all.forEach(crashes -> rows.add(List.of(
                    crashes.engine(),
                    crashes.kills(),
                    crashes.commits(),
                    crashes.problem() == null ? "none" : crashes.problem())));
            Grid table = new Grid("Crash runs", "", List.of("engine", "kills", "commits", "problem"), rows);
            new Report(
                            "kv",
                            "Stores of sorted keys and values: crash runs",
                            THREADS + " threads commit three entries at a time until their process is killed",
                            "A killed process loses what it has not given to the system; it does not show what a power"
                                    + " failure loses.",
                            Environment.here(List.of()),
                            settings.options())
                    .add("crashes", all)
                    .added(table)
                    .publish(
                            settings.out(),
                            out,
                            journal.isGood()
                                    ? "Every commit that was acknowledged was there after each kill, and none in part."
                                    : "Not every commit was right after each kill, see above.");
            return journal.isGood();
        }
    }

    private Crashes crash(Engine engine, int kills, Path directory, Progress progress) {
        Path home = directory.resolve(engine.toString());
        SplittableRandom random = new SplittableRandom(settings.seed()); // the same moments for each engine
        Found found = new Found(0, null);
        int kill = 0;
        while (kill < kills && found.problem() == null) {
            progress.at((double) kill / kills);
            kill(engine, home, LEAST_MILLIS + random.nextInt(MOST_MILLIS - LEAST_MILLIS));
            kill++;
            if (kill == kills || random.nextBoolean()) { // else the next process is killed while it recovers, maybe
                found = jvm(engine, home)
                        .ask(
                                order(engine, home, true),
                                Found.class,
                                answer -> answer.problem() == null,
                                cleanUp,
                                at -> {});
            }
        }
        return new Crashes(engine.toString(), kill, found.commits(), found.problem());
    }

    private void kill(Engine engine, Path home, long millis) {
        try {
            Files.createDirectories(home.resolve("store"));
            StartedChild child = jvm(engine, home).start(order(engine, home, false), cleanUp);
            boolean ended = child.process().waitFor(millis, TimeUnit.MILLISECONDS);
            if (ended) {
                throw child.failure("the child JVM died before it was killed");
            }
            child.close(); // kills it
        } catch (IOException e) {
            throw new CommandFailure("cannot run a child JVM: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted", e);
        }
    }

    private Commits order(Engine engine, Path home, boolean checks) {
        return new Commits(
                engine,
                home.resolve("store").toAbsolutePath().toString(),
                CACHE_BYTES,
                THREADS,
                home.resolve("acknowledged").toAbsolutePath().toString(),
                checks);
    }

    private ChildJvm jvm(Engine engine, Path home) {
        return new ChildJvm(
                RunChild.class.getName(),
                Installation.here().classPath(),
                List.of("-Xmx256m"),
                home,
                PATIENCE,
                settings.out().resolve("kv-crash-" + engine + ".log"));
    }
}
