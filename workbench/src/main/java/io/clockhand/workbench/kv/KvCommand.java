// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv;

import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.kv.driver.Engine;
import io.clockhand.workbench.kv.driver.Work;
import io.clockhand.workbench.options.Choice;
import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.CommonOptions;
import io.clockhand.workbench.options.OptionValues;
import io.clockhand.workbench.options.ThreadOptions;
import io.clockhand.workbench.options.TimeOptions;
import io.clockhand.workbench.options.Usage;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Figures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code kv}, with its options. */
@Command(
        name = "kv",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Compares stores of sorted keys and values: the example on the page pool, TuplDB, H2's MVStore"
                + " and JetBrains Xodus. Each has a JVM, a store and a cache of its own, and the same entries. All that"
                + " is read is checked. Or kills their processes, and checks that every commit that was acknowledged"
                + " is there.",
        footer = {
            "",
            "Work: load puts entries in random order into an empty store, a hundred in a transaction. gets reads keys"
                    + " that are drawn. mixed is four gets for each put of a key that is there. inserts puts new keys,"
                    + " updates keys that are there, one in a transaction. scans reads entries in the order of keys"
                    + " from a drawn one on; an operation is an entry.",
            "",
            "Durability: lazy returns from a commit when others see it, and a crash may lose the last commits; forced"
                    + " returns when it survives a power failure. Engines with lazy commits take turns in a duel; with"
                    + " forced ones they wait for the disk, so one runs after the other."
        })
public final class KvCommand implements Callable<Integer> {
    private static final long FEWEST_ENTRIES = 1_000;
    private static final long MOST_ENTRIES = 1_000_000_000;
    private static final int LEAST_VALUE = 8;
    private static final int MOST_VALUE = 900;
    private static final int MOST_SCANNED = 1_000_000;
    private static final int MOST_THREADS = 256;
    private static final int MOST_CRASH_RUNS = 100_000;
    private static final double LEAST_PERCENT = 1;
    static final double ALL = 100;
    private static final long MEGABYTE = 1 << 20;
    /** Of an entry in a page, besides key and value, and of a page that is filled in random order. */
    private static final int ENTRY_OVERHEAD = 6;

    private static final double FILL = 0.69;
    /** An engine that has room for all gets that much more, for inner nodes and old versions. */
    private static final double ROOM = 2;

    private static final long LEAST_ROOM = 16 * MEGABYTE;
    private static final long HEAP_BYTES = 512 * MEGABYTE;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--engines",
            paramLabel = "NAME,…",
            split = ",",
            converter = Engine.Names.class,
            completionCandidates = Engine.Names.class,
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<Engine> engines = CommaList.of(Engine.values());

    @Option(
            names = "--work",
            paramLabel = "NAME,…",
            split = ",",
            converter = Work.Names.class,
            completionCandidates = Work.Names.class,
            description = "${COMPLETION-CANDIDATES}; see below; a list makes a run for each"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Work> work = CommaList.of(Work.LOAD, Work.GETS, Work.MIXED, Work.INSERTS, Work.SCANS);

    @Mixin
    private ThreadOptions threads = new ThreadOptions(CommaList.of(1, 2));

    @Option(
            names = "--entries",
            paramLabel = "N,…",
            split = ",",
            description = "Entries of the store; a list makes a run for each (default: ${DEFAULT-VALUE}).")
    private List<Long> entries = CommaList.of(200_000L);

    @Option(
            names = "--memory-percent",
            paramLabel = "P,…",
            split = ",",
            description = "Cache for pages, as a share of the store; 100 has room for all of it; a list makes a run for"
                    + " each (default: ${DEFAULT-VALUE}).")
    private List<Double> memoryPercent = CommaList.of(100.0);

    @Option(
            names = "--durability",
            paramLabel = "NAME,…",
            split = ",",
            converter = DurabilityNames.class,
            completionCandidates = DurabilityNames.class,
            description = "${COMPLETION-CANDIDATES}; see below; a list makes a run for each"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Boolean> forced = List.of(false);

    @Option(
            names = "--value-bytes",
            paramLabel = "N",
            description = "Of each value; keys have eight (default: ${DEFAULT-VALUE}).")
    private int valueBytes = 100;

    @Option(names = "--scanned", paramLabel = "N", description = "Entries of a scan (default: ${DEFAULT-VALUE}).")
    private int scanned = 1_000;

    @Option(
            names = "--crash-runs",
            paramLabel = "N",
            description =
                    "Instead of measuring, kills the process of each engine N times while four threads commit, and"
                            + " checks after each what the store has.")
    private Integer crashRuns;

    @Mixin
    private TimeOptions times = new TimeOptions(6, 0.3);

    @Mixin
    private CommonOptions common = new CommonOptions();

    /** The values of {@code --durability}. */
    static final class DurabilityNames extends Choice<Boolean> {
        DurabilityNames() {
            super("durability", List.of(false, true), KvCommand::durability);
        }
    }

    static String durability(boolean forced) {
        return forced ? "forced" : "lazy";
    }

    /**
     * What compared engines have in common.
     *
     * @param memoryPercent the cache as a share of the store; 100 for room for all
     * @param forced whether commits are durable when they return
     */
    record Setting(Work work, int threads, long entries, double memoryPercent, boolean forced) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s, %s, %,d entries, memory for %s %%, %s commits",
                    work,
                    Figures.counted(threads, "threads"),
                    entries,
                    Figures.brief(memoryPercent),
                    durability(forced));
        }
    }

    @Override
    public Integer call() {
        check(new Usage(spec));
        boolean good = crashRuns == null ? new KvRuns(this, Installation.here(), System.out, System.err).run() : false;
        return good ? 0 : 1;
    }

    private void check(Usage usage) {
        usage.requireOnce("--work", "a work", work);
        usage.requireOnce("--durability", "a durability", forced);
        threads.check(usage);
        usage.requireEach("--threads", threads.threads(), MOST_THREADS);
        usage.requireOnce("--entries", "a number", entries);
        entries.forEach(count -> usage.requireWithin("--entries", count, FEWEST_ENTRIES, MOST_ENTRIES));
        usage.requireOnce("--memory-percent", "a share", memoryPercent);
        memoryPercent.forEach(percent -> usage.requireWithin("--memory-percent", percent, LEAST_PERCENT, ALL));
        usage.requireWithin("--value-bytes", valueBytes, LEAST_VALUE, MOST_VALUE);
        usage.requireWithin("--scanned", scanned, 1, MOST_SCANNED);
        usage.require(
                crashRuns == null || (crashRuns >= 1 && crashRuns <= MOST_CRASH_RUNS),
                "--crash-runs must lie in 1 … " + MOST_CRASH_RUNS + ", not " + crashRuns);
        times.check(usage, engines.stream().map(Engine::toString).toList());
    }

    List<Engine> engines() {
        return engines;
    }

    List<Long> entries() {
        return entries;
    }

    boolean needsFilledStores() {
        return work.stream().anyMatch(played -> played != Work.LOAD);
    }

    int valueBytes() {
        return valueBytes;
    }

    int scanned() {
        return scanned;
    }

    TimeOptions times() {
        return times;
    }

    long seed() {
        return common.seed();
    }

    Path out() {
        return common.out();
    }

    /** About the pages that a B-tree needs for entries that came in random order. */
    long storeBytes(long count) {
        return Math.round(count * (Long.BYTES + valueBytes + ENTRY_OVERHEAD) / FILL);
    }

    /** A multiple of a megabyte, since an engine cannot have another. */
    long cacheBytes(Setting setting) {
        long store = storeBytes(setting.entries());
        double bytes =
                hasRoomForAll(setting) ? Math.max(LEAST_ROOM, ROOM * store) : store * setting.memoryPercent() / ALL;
        return Math.max(1, (long) Math.ceil(bytes / MEGABYTE)) * MEGABYTE;
    }

    static boolean hasRoomForAll(Setting setting) {
        return setting.memoryPercent() >= ALL;
    }

    /** The heap, and the memory outside it, which have room for the cache each: engines keep it here or there. */
    long jvmBytes(long cacheBytes) {
        return 2 * (HEAP_BYTES + 2 * cacheBytes);
    }

    List<String> jvmFlags(long cacheBytes) {
        String megabytes = (HEAP_BYTES + 2 * cacheBytes) / MEGABYTE + "m";
        return List.of("-Xms" + megabytes, "-Xmx" + megabytes, "-XX:MaxDirectMemorySize=" + megabytes, "-XX:+UseG1GC");
    }

    /** Every setting, by groups that are compared. */
    List<List<Cell<Setting, Engine>>> plan() {
        List<Setting> settings = new ArrayList<>();
        for (long count : entries) {
            for (double percent : memoryPercent) {
                for (boolean isForced : forced) {
                    for (Work played : work) {
                        threads.threads().forEach(n -> settings.add(new Setting(played, n, count, percent, isForced)));
                    }
                }
            }
        }
        return Cell.plan(settings, engines, times.repeat());
    }

    Map<String, Object> asOptions() {
        return OptionValues.of(this);
    }
}
