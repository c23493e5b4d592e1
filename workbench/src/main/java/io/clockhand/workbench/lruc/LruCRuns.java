// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.Journal;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.lruc.driver.RunAnswer;
import io.clockhand.workbench.lruc.driver.RunChild;
import io.clockhand.workbench.lruc.driver.RunOrder;
import io.clockhand.workbench.pages.Children;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Timing;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Figures;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The whole command: find the best vanilla, run every cell, report. */
final class LruCRuns {
    private static final String COMMAND = "lru-c";
    /** To start a JVM, to make and fill the pages, and to check them. */
    private static final int OTHER_SECONDS = 6;
    /** Bytes of the heap for each page in memory, apart from its own. */
    private static final int HEAP_PER_PAGE = 100;

    private final Settings settings;
    private final Installation installation;
    private final PrintStream out;
    private final PrintStream err;
    private final List<Run> runs = new ArrayList<>();
    private final Map<Setting, Sweep> sweeps = new LinkedHashMap<>();

    private References references;
    private Children<RunAnswer> children;
    private Journal journal;
    private Path directory;

    LruCRuns(Settings settings, Installation installation, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.installation = installation;
        this.out = out;
        this.err = err;
    }

    /** Returns whether every run ended, every page was right, and no change was lost. */
    boolean run() {
        try (CleanUp cleanUp = new CleanUp()) {
            journal = new Journal(err, cleanUp);
            directory = Disk.workingDirectory(settings.out(), ".lru-c-", cleanUp);
            references = References.of(settings, directory);
            requireFrames();
            Memory memory = memory();
            Path data = settings.data() == null ? directory : workingDirectory(cleanUp);
            if (settings.devices().stream().anyMatch(Devices::isReal)) {
                requireDirectIo(data);
            }
            children = new Children<>(
                    RunChild.class,
                    RunAnswer.class,
                    RunAnswer::allHolds,
                    installation,
                    memory.jvmFlags(),
                    directory,
                    settings.out(),
                    cleanUp);
            describe();
            List<List<Cell<Setting, Contender>>> groups = settings.plan();
            int count = groups.stream().mapToInt(List::size).sum();
            for (List<Cell<Setting, Contender>> group : groups) {
                for (Cell<Setting, Contender> cell : group) {
                    perform(cell, "run " + (runs.size() + 1) + " of " + count, data);
                }
            }
            LruCReport report = new LruCReport(settings, runs, List.copyOf(sweeps.values()));
            report.report(memory).publish(settings.out(), out, report.conclusion(journal.isGood()));
            return journal.isGood();
        }
    }

    private Path workingDirectory(CleanUp cleanUp) {
        Disk.requireWritable(settings.data(), "the data file");
        return Disk.workingDirectory(settings.data(), ".lru-c-", cleanUp);
    }

    private void requireFrames() {
        double least = settings.leastPoolPercent();
        if (Settings.frames(least, references.pages()) < Settings.FRAMES_PER_THREAD * settings.mostThreads()) {
            throw new CommandFailure(settings.tooFewFrames(least, references.pages()));
        }
    }

    /** The pages of simulated devices lie on the heap. */
    private Memory memory() {
        int pageBytes =
                settings.devices().stream().mapToInt(settings::pageBytes).max().orElseThrow();
        Memory pool = Memory.of(
                Settings.frames(settings.mostPoolPercent(), references.pages()),
                pageBytes,
                settings.mostThreads(),
                references.traceLength(),
                1,
                Environment.memory());
        long database = settings.devices().stream()
                .filter(device -> !Devices.isReal(device))
                .mapToLong(device -> (long) references.pages() * (settings.pageBytes(device) + HEAP_PER_PAGE))
                .max()
                .orElse(0);
        Memory all = new Memory(pool.heapBytes() + database + database / 2, pool.directBytes());
        if (all.heapBytes() + all.directBytes() > Environment.memory()) {
            throw new CommandFailure("a run takes " + Disk.megabytes(all.heapBytes() + all.directBytes())
                    + " of memory, and this machine has " + Disk.megabytes(Environment.memory())
                    + ", so lower --pages or --page-bytes");
        }
        return all;
    }

    /** Opens a file, as a test. */
    private void requireDirectIo(Path data) {
        int pageBytes = settings.pageBytes(Devices.REAL);
        Disk.require(data, (long) references.pages() * pageBytes, "the data file");
        try {
            FilePageStore.open(data.resolve("probe.data"), pageBytes, FileOption.CREATE, FileOption.DIRECT)
                    .delete();
        } catch (IOException e) {
            throw new CommandFailure("--device real is not possible: " + e.getMessage(), e);
        }
    }

    // --- runs --------------------------------------------------------------------------------------------------------

    private void describe() {
        List<Cell<Setting, Contender>> all =
                settings.plan().stream().flatMap(List::stream).toList();
        long sweeping = all.stream()
                .filter(LruCRuns::isBest)
                .map(Cell::setting)
                .distinct()
                .count();
        long seconds = all.size() * (timing().warmupSeconds() + timing().seconds() + (long) OTHER_SECONDS);
        Timing part = partOfSweep();
        long sweepSeconds = sweeping * Sweep.runs() * (part.warmupSeconds() + part.seconds() + (long) OTHER_SECONDS);
        err.println(String.format(
                Locale.ROOT,
                "%s of %d s each%s, one after the other: about %d minutes.",
                Figures.counted(all.size(), "runs"),
                timing().warmupSeconds() + timing().seconds(),
                sweeping == 0
                        ? ""
                        : ", and " + sweeping * Sweep.runs() + " shorter ones that find the best rate of vanilla",
                TimeUnit.SECONDS.toMinutes(seconds + sweepSeconds) + 1));
    }

    private static boolean isBest(Cell<Setting, Contender> cell) {
        return cell.contender().scheme().equals(Schemes.VANILLA_BEST);
    }

    private Timing timing() {
        return Timing.alone(settings.runs().warmup(), settings.runs().seconds());
    }

    private Timing partOfSweep() {
        return Timing.alone(
                Sweep.seconds(settings.runs().warmup()),
                Sweep.seconds(settings.runs().seconds()));
    }

    private void perform(Cell<Setting, Contender> cell, String number, Path data) {
        Setting setting = cell.setting();
        String scheme = cell.contender().scheme();
        if (isBest(cell)) {
            Long best = sweeps.computeIfAbsent(setting, absent -> sweep(setting, number, data))
                    .best();
            if (best == null) {
                journal.complain(cell, "no run of the sweep has ended");
                runs.add(new Run(cell, null, null, null));
                return;
            }
            scheme = Schemes.vanilla(best);
        }
        RunOrder order = order(setting, scheme, timing(), data);
        RunAnswer answer =
                journal.attempt(number, cell, progress -> children.run(order, cell.fileName(COMMAND), progress));
        Run run = new Run(cell, rate(setting, scheme), order, answer);
        runs.add(run);
        if (answer != null) {
            err.println("  " + inWords(run));
            complainIfLost(run, cell.fileName(COMMAND));
        }
    }

    private Sweep sweep(Setting setting, String number, Path data) {
        List<Sweep.Point> points = new ArrayList<>();
        for (long rate : Sweep.rates(Schemes.vanillaRate(frames(setting), settings.slowness(setting.device())))) {
            String scheme = Schemes.vanilla(rate);
            Cell<Setting, Contender> cell = new Cell<>(setting, new Contender(scheme), 0);
            RunOrder order = order(setting, scheme, partOfSweep(), data);
            RunAnswer answer = journal.attempt(
                    number + ", sweep",
                    scheme + ", " + setting,
                    progress -> children.run(order, cell.fileName(COMMAND), progress));
            if (answer != null) {
                Run run = new Run(cell, rate, order, answer);
                points.add(new Sweep.Point(rate, run.operationsPerSecond()));
                err.println("  " + inWords(run));
                complainIfLost(run, cell.fileName(COMMAND));
            }
        }
        return new Sweep(setting, points);
    }

    private Long rate(Setting setting, String scheme) {
        return Schemes.rate(scheme, frames(setting), settings.slowness(setting.device()));
    }

    private int frames(Setting setting) {
        return Settings.frames(setting.poolPercent(), references.pages());
    }

    private RunOrder order(Setting setting, String scheme, Timing timing, Path data) {
        String device = setting.device();
        String file = Devices.isReal(device)
                ? data.resolve("pages.data").toAbsolutePath().toString()
                : null;
        return new RunOrder(
                new RunOrder.Pool(scheme, frames(setting), settings.slowness(device)),
                new RunOrder.Device(settings.profile(device), file, settings.pageBytes(device)),
                references.source(setting),
                setting.threads(),
                settings.rate(),
                timing);
    }

    private static String inWords(Run run) {
        return String.format(
                Locale.ROOT,
                "%s: %,.0f operations a second, %s %% of misses stalled%s",
                run.order().pool().scheme(),
                run.operationsPerSecond(),
                Figures.of("%.2f", run.readStallPercent()),
                run.isUnstable() ? "; it is not stable" : "");
    }

    private void complainIfLost(Run run, String name) {
        if (!run.isValid()) {
            journal.complain(
                    run.cell(),
                    "its threads have made " + run.answer().changes() + " changes, and its pages have "
                            + run.answer().found() + " after the close; its log is "
                            + settings.out().resolve(name + ".log"));
        }
    }
}
