// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv;

import io.clockhand.duel.DuelSettings;
import io.clockhand.duel.SliceBoard;
import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.Journal;
import io.clockhand.workbench.duel.Duel;
import io.clockhand.workbench.duel.Entrant;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.kv.KvCommand.Setting;
import io.clockhand.workbench.kv.KvReport.Run;
import io.clockhand.workbench.kv.driver.Engine;
import io.clockhand.workbench.kv.driver.RunAnswer;
import io.clockhand.workbench.kv.driver.RunChild;
import io.clockhand.workbench.kv.driver.RunOrder;
import io.clockhand.workbench.kv.driver.Work;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Report;
import io.clockhand.workbench.report.Turns;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Fills the stores, runs every cell on copies of them, and reports. */
final class KvRuns {
    private static final String COMMAND = "kv";
    private static final Duration PATIENCE = Duration.ofMinutes(30);
    /** A store may be that many times as large while old versions have not been collected. */
    private static final int DISK_FACTOR = 3;

    private final KvCommand settings;
    private final Installation installation;
    private final PrintStream out;
    private final CleanUp cleanUp = new CleanUp();
    private final Journal journal;
    private final List<Run> runs = new ArrayList<>();
    private final Map<List<Object>, Path> filled = new LinkedHashMap<>();
    private Path directory;

    KvRuns(KvCommand settings, Installation installation, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.installation = installation;
        this.out = out;
        journal = new Journal(err, cleanUp);
    }

    /** Returns whether every run ended and everything that was read was right. */
    boolean run() {
        try (cleanUp) {
            Report.requireWritable(settings.out(), COMMAND);
            directory = Disk.workingDirectory(settings.out(), ".kv-", cleanUp);
            requireRoom();
            if (settings.needsFilledStores()) {
                settings.entries()
                        .forEach(
                                count -> settings.engines().stream().distinct().forEach(engine -> fill(engine, count)));
            }
            List<List<Cell<Setting, Engine>>> plan = settings.plan();
            for (int i = 0; i < plan.size(); i++) {
                compare(plan.get(i), "part " + (i + 1) + " of " + plan.size());
            }
            KvReport report = new KvReport(settings, runs);
            report.report().publish(settings.out(), out, report.conclusion(journal.isGood()));
            return journal.isGood();
        }
    }

    private void requireRoom() {
        for (List<Cell<Setting, Engine>> cells : settings.plan()) {
            Setting setting = cells.get(0).setting();
            long all = cells.size() * settings.jvmBytes(settings.cacheBytes(setting));
            if (all > Environment.memory()) {
                throw new CommandFailure(cells.size() + " engines live at once and take up to " + Disk.megabytes(all)
                        + " of memory, and this machine has " + Disk.megabytes(Environment.memory())
                        + ": lower --entries, or compare fewer --engines");
            }
        }
        long most = settings.entries().stream().mapToLong(settings::storeBytes).sum();
        Disk.require(directory, 2L * DISK_FACTOR * settings.engines().size() * most, "two stores of each engine");
    }

    private void fill(Engine engine, long count) {
        Setting setting = new Setting(Work.LOAD, 1, count, KvCommand.ALL, false);
        Path home = directory.resolve(engine + "-" + count);
        Path store = home.resolve("store");
        RunAnswer answer = journal.attempt(
                "preparation",
                String.format(Locale.ROOT, "a store of %s with %,d entries", engine, count),
                progress -> {
                    create(store);
                    return jvm(home, COMMAND + "-" + engine + "-filled", setting)
                            .ask(
                                    order(new Cell<>(setting, engine, 1), store, null),
                                    RunAnswer.class,
                                    RunAnswer::allHolds,
                                    cleanUp,
                                    progress::at);
                });
        if (answer == null) {
            throw new CommandFailure("there is no store of " + engine + " to play on");
        }
        filled.put(List.of(engine, count), store);
    }

    private static void create(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new CommandFailure("cannot make " + folder + ": " + e, e);
        }
    }

    private void compare(List<Cell<Setting, Engine>> cells, String number) {
        Cell<Setting, Engine> first = cells.get(0);
        List<Entrant> entrants = cells.stream()
                .map(cell -> new Entrant(cell.name(), cell.setting().threads(), () -> start(cell)))
                .toList();
        DuelSettings times = settings.times().duelOf(first.repeat(), settings.seed());
        if (first.setting().forced()) { // who is stopped while it waits for the disk, waits in the time of another
            times = new DuelSettings(
                    times.slice(), times.ownTime(), times.warmUp(), 1, times.seed(), times.slowed(), false);
        }
        Duel duel = new Duel(times, PATIENCE);
        Duel.Outcome<RunAnswer> outcome = journal.attempt(
                number,
                first.duelName(),
                progress -> duel.run(entrants, RunAnswer.class, RunAnswer::allHolds, progress));
        for (int i = 0; i < cells.size(); i++) {
            Cell<Setting, Engine> cell = cells.get(i);
            note(
                    outcome == null
                            ? new Run(cell, null, null)
                            : new Run(
                                    cell,
                                    new Turns(outcome.rounds(), cell.name()),
                                    outcome.answers().get(i)));
        }
    }

    private Entrant.Started start(Cell<Setting, Engine> cell) throws IOException {
        Setting setting = cell.setting();
        Path home = Files.createTempDirectory(directory, "engine-").toAbsolutePath();
        Path store = home.resolve("store");
        if (setting.work() == Work.LOAD) {
            create(store);
        } else {
            Disk.copyTree(filled.get(List.of(cell.contender(), setting.entries())), store);
        }
        Path slices = home.resolve("slices");
        SliceBoard board = SliceBoard.create(slices, setting.threads());
        return new Entrant.Started(
                jvm(home, cell.fileName(COMMAND), setting).start(order(cell, store, slices), cleanUp), board);
    }

    private RunOrder order(Cell<Setting, Engine> cell, Path store, Path slices) {
        Setting setting = cell.setting();
        return new RunOrder(
                cell.contender(),
                setting.work(),
                setting.threads(),
                store.toAbsolutePath().toString(),
                settings.cacheBytes(setting),
                setting.work() != Work.LOAD && KvCommand.hasRoomForAll(setting),
                setting.forced(),
                setting.entries(),
                settings.valueBytes(),
                settings.scanned(),
                settings.seed(),
                slices == null ? null : slices.toString());
    }

    private ChildJvm jvm(Path home, String logName, Setting setting) {
        return new ChildJvm(
                RunChild.class.getName(),
                installation.classPath(),
                settings.jvmFlags(settings.cacheBytes(setting)),
                home,
                PATIENCE,
                settings.out().resolve(logName + ".log"));
    }

    private void note(Run run) {
        runs.add(run);
        if (run.answer() != null) {
            journal.say(String.format(
                    Locale.ROOT, "  %s: %,.0f operations a second", run.cell().name(), run.operationsPerSecond()));
            if (!run.isValid()) {
                journal.complain(
                        run.cell(),
                        run.answer().wrongResults() + " results were wrong: "
                                + run.answer().firstWrong());
            }
        }
    }
}
