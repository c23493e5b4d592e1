// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.duel.SliceBoard;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Journal;
import io.clockhand.workbench.experiment.Duel;
import io.clockhand.workbench.experiment.Duel.Entrant;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Turns;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The whole command: make the index, run every cell, report. */
final class LuceneRuns {
    private static final String COMMAND = "lucene";
    private static final Duration PATIENCE = Duration.ofMinutes(30);
    /** Page cache that every contender in a memory group has besides, since the system cannot do without. */
    private static final long RESERVE_BYTES = 4 << 20;
    /** The command warns if a contender gets less memory than this many times the reserve, which all have besides. */
    private static final int LEAST_SHARE = 8;
    /** Of a JVM outside of its heap and its cache. */
    private static final long JVM_BYTES = 200 << 20;

    private final Settings settings;
    private final PrintStream out;
    private final Journal journal;
    private final CleanUp cleanUp;
    private final List<Run> runs = new ArrayList<>();

    private Path directory;
    private MemoryGroups groups;
    private long indexBytes;

    LuceneRuns(Settings settings, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.out = out;
        cleanUp = new CleanUp();
        journal = new Journal(err, cleanUp);
    }

    /** Returns whether every run ended and every search found what it should. */
    boolean run() {
        try (cleanUp;
                MemoryGroups closed = findGroups()) {
            groups = closed;
            Report.requireWritable(settings.out(), COMMAND);
            directory = Disk.workingDirectory(settings.out(), ".lucene-", cleanUp);
            prepare();
            requireMemory();
            warnOfSmallShares();
            List<List<Cell<Setting, Contender>>> plan = settings.plan();
            for (int i = 0; i < plan.size(); i++) {
                compare(plan.get(i), "part " + (i + 1) + " of " + plan.size());
            }
            LuceneReport report = new LuceneReport(settings, runs, indexBytes, groups != null);
            report.report().publish(settings.out(), out, report.conclusion(journal.isGood()));
            return journal.isGood();
        }
    }

    /** Null if no memory is limited, or if only contenders without the page cache are compared. */
    private MemoryGroups findGroups() {
        if (!settings.isLimited()) {
            return null;
        }
        MemoryGroups found = MemoryGroups.find().orElse(null);
        List<Contender> unlimited = settings.contenders().stream()
                .filter(contender -> !contender.hasOwnCache())
                .distinct()
                .toList();
        if (found == null && !unlimited.isEmpty()) {
            throw new CommandFailure("--memory-percent cannot limit the page cache, which is the memory of " + unlimited
                    + ", because no memory control group can be made here: compare only contenders with a cache of"
                    + " their own, such as --contenders caffeine-direct,clockhand-direct; or run this as root, or"
                    + " by systemd-run --user --scope");
        }
        if (found == null) {
            journal.say("No memory control group can be made here, so caches are limited, but the page cache is not.");
        }
        return found;
    }

    private void prepare() {
        Disk.requireWritable(settings.index(), "the index");
        PrepareChild.Order order = new PrepareChild.Order(
                settings.index().toAbsolutePath().toString(),
                settings.documents(),
                settings.segments(),
                settings.works().stream().map(Work::searches).distinct().toList(),
                settings.searches(),
                settings.seed(),
                directory.toAbsolutePath().toString());
        PrepareChild.Answer answer = journal.attempt(
                "preparation",
                String.format(
                        Locale.ROOT,
                        "an index of %,d documents, and %,d searches of each kind",
                        settings.documents(),
                        settings.searches()),
                progress -> jvm(PrepareChild.class, "lucene-prepare", directory, List.of())
                        .ask(order, PrepareChild.Answer.class, good -> true, cleanUp, progress::at));
        if (answer == null) {
            throw new CommandFailure("there is no index to search in");
        }
        indexBytes = answer.bytes();
        if (groups != null) {
            Disk.require(
                    directory, settings.contenders().size() * indexBytes, "a copy of the index for each contender");
        }
    }

    private void requireMemory() {
        long most = settings.plan().stream()
                .mapToLong(cells -> cells.stream()
                        .mapToLong(cell -> settings.heapBytes() + JVM_BYTES + cacheBytes(cell.setting()))
                        .sum())
                .max()
                .orElse(0);
        if (most > Environment.memory()) {
            throw new CommandFailure(settings.contenders().size() + " contenders live at once and take up to "
                    + Disk.megabytes(most) + " of memory, and this machine has " + Disk.megabytes(Environment.memory())
                    + ": lower --documents or --heap, or compare fewer contenders");
        }
    }

    private void warnOfSmallShares() {
        settings.plan().stream()
                .map(cells -> cells.get(0).setting())
                .filter(setting ->
                        groups != null && setting.isLimited() && cacheBytes(setting) < LEAST_SHARE * RESERVE_BYTES)
                .map(Setting::memoryPercent)
                .distinct()
                .forEach(percent -> journal.say(String.format(
                        Locale.ROOT,
                        "Warning: %s %% of the index is little beside the %s of page cache that every contender has:"
                                + " raise --documents.",
                        Figures.brief(percent),
                        Disk.megabytes(RESERVE_BYTES))));
    }

    /** Of a cache for all of the index, with the rest of the last page of each file, and with what a merge copies. */
    private long cacheBytes(Setting setting) {
        long all = indexBytes + indexBytes / 4 + RESERVE_BYTES;
        return setting.isLimited()
                ? Math.round(indexBytes * setting.memoryPercent() / 100)
                : setting.work() == Work.MERGE ? all + 2 * indexBytes : all;
    }

    private long pageCacheBytes(Cell<Setting, Contender> cell) {
        return RESERVE_BYTES + (cell.contender().hasOwnCache() ? 0 : cacheBytes(cell.setting()));
    }

    private void compare(List<Cell<Setting, Contender>> cells, String number) {
        Cell<Setting, Contender> first = cells.get(0);
        int threads = first.setting().threads();
        List<Entrant> entrants = cells.stream()
                .map(cell -> new Entrant(cell.name(), threads, () -> start(cell)))
                .toList();
        Duel duel = new Duel(settings.times().duelOf(first.repeat(), settings.seed()), PATIENCE);
        Duel.Outcome<RunAnswer> outcome = journal.attempt(
                number,
                first.duelName(),
                progress -> duel.run(entrants, RunAnswer.class, answer -> answer.wrongResults() == 0, progress));
        for (int i = 0; i < cells.size(); i++) {
            note(
                    outcome == null
                            ? new Run(cells.get(i), null, null)
                            : new Run(
                                    cells.get(i),
                                    new Turns(outcome.rounds(), cells.get(i).name()),
                                    outcome.answers().get(i)));
        }
    }

    private Entrant.Started start(Cell<Setting, Contender> cell) throws IOException {
        Setting setting = cell.setting();
        Path home = Files.createTempDirectory(directory, "contender-").toAbsolutePath();
        Path request = home.resolve("limit");
        MemoryGroup group = groups != null && setting.isLimited()
                ? groups.make(home.getFileName().toString(), pageCacheBytes(cell), request)
                : null;
        Path slices = home.resolve("slices");
        SliceBoard board = SliceBoard.create(slices, setting.threads());
        RunOrder order = new RunOrder(
                cell.contender(),
                setting.work(),
                setting.threads(),
                settings.index().toAbsolutePath().toString(),
                home.toString(),
                settings.pageBytes(),
                cacheBytes(setting),
                group == null ? null : group.directory().toString(),
                request.toString(),
                directory.toAbsolutePath().toString(),
                settings.searches(),
                settings.seed(),
                slices.toString());
        List<String> within = group == null ? List.of() : group.within();
        return new Entrant.Started(
                jvm(RunChild.class, cell.fileName(COMMAND), home, within).start(order, cleanUp), board);
    }

    private ChildJvm jvm(Class<?> program, String logName, Path home, List<String> within) {
        return new ChildJvm(
                program.getName(),
                System.getProperty("java.class.path"),
                settings.jvmFlags(),
                home,
                PATIENCE,
                settings.out().resolve(logName + ".log"),
                within);
    }

    private void note(Run run) {
        runs.add(run);
        if (run.answer() == null) {
            return;
        }
        journal.say(String.format(
                Locale.ROOT, "  %s: %,.0f searches a second", run.cell().name(), run.searchesPerSecond()));
        if (!run.isValid()) {
            journal.complain(
                    run.cell(),
                    "in " + run.answer().wrongResults() + " cases "
                            + run.answer().firstWrong());
        }
    }
}
