// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv;

import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.experiment.Experiment;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.RunChild;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.ThreadOptions;
import io.clockhand.workbench.experiment.options.TimeOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Chart;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Comparison;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.kv.driver.Engine;
import io.clockhand.workbench.kv.driver.Entries;
import io.clockhand.workbench.kv.driver.RunOrder;
import io.clockhand.workbench.kv.driver.RunOrder.Durability;
import io.clockhand.workbench.kv.driver.RunOrder.RunAnswer;
import io.clockhand.workbench.kv.driver.RunOrder.Setting;
import io.clockhand.workbench.kv.driver.RunOrder.Work;
import io.clockhand.workbench.pages.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The command {@code kv}. */
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
            "Work: gets reads keys that are drawn. mixed is four gets for each put of a key that is there. inserts puts"
                    + " new keys, updates keys that are there, one in a transaction. scans reads a thousand entries in"
                    + " the order of keys from a drawn one on; an operation is an entry.",
            "",
            "Durability: lazy returns from a commit when others see it, and a crash may lose the last commits; forced"
                    + " returns when it survives a power failure. Engines with lazy commits take turns in a duel; with"
                    + " forced ones they wait for the disk, so one runs after the other."
        })
public final class Kv extends Experiment<Setting, Engine, RunAnswer> {
    private static final List<String> OF_CRASHES = List.of("--crash-runs", "--engines", "--seed", "--out");
    private static final double ALL = 100;
    private static final long MEGABYTE = 1 << 20;
    private static final long HEAP_BYTES = 512 * MEGABYTE;

    @Option(
            names = "--engines",
            paramLabel = "NAME,…",
            split = ",",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<Engine> engines = CommaList.of(Engine.values());

    @Option(
            names = "--work",
            paramLabel = "NAME,…",
            split = ",",
            description = "${COMPLETION-CANDIDATES}; see below; a list makes a run for each"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Work> work = CommaList.of(Work.GETS, Work.MIXED, Work.INSERTS, Work.SCANS);

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
            description = "${COMPLETION-CANDIDATES}; see below; a list makes a run for each"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Durability> durability = CommaList.of(Durability.LAZY);

    @Option(
            names = "--crash-runs",
            paramLabel = "N",
            description =
                    "Instead of measuring, kills the process of each engine N times while four threads commit, and"
                            + " checks after each what the store has.")
    private Integer crashRuns;

    private final Map<List<Object>, Path> filled = new HashMap<>();

    public Kv() {
        super(
                RunAnswer.class,
                new TimeOptions(6, 0.3),
                new Outline(
                        "Stores of sorted keys and values",
                        "",
                        "Everything that was read was right.",
                        "Not every run ended with right results, see above."));
    }

    /** Crash runs are an experiment of another kind, on the same engines. */
    @Override
    public Integer call() {
        if (crashRuns == null) {
            return super.call();
        }
        check(usage());
        return new CrashRuns(this, System.out, System.err).run(crashRuns) ? 0 : 1;
    }

    @Override
    protected void check(Usage usage) {
        usage.requireOnce("--work", "a work", work);
        usage.requireOnce("--durability", "a durability", durability);
        threads.check(usage, 256);
        usage.requireEachWithin("--entries", "a number", entries, 1_000, 1_000_000_000);
        usage.requireEachWithin("--memory-percent", "a share", memoryPercent, 1, ALL);
        if (crashRuns != null) {
            usage.requireWithin("--crash-runs", crashRuns, 1, 100_000);
            usage.spec().options().stream()
                    .map(OptionSpec::longestName)
                    .filter(usage::isTyped)
                    .forEach(option -> usage.require(OF_CRASHES.contains(option), "--crash-runs excludes " + option));
        }
        times().check(usage, engines.stream().map(Engine::toString).toList());
    }

    @Override
    protected List<Setting> settings() {
        List<Setting> settings = new ArrayList<>();
        for (long count : entries) {
            settings.addAll(cross(
                    memoryPercent,
                    durability,
                    work,
                    threads.threads(),
                    (percent, commits, played, n) -> new Setting(played, n, count, percent, commits)));
        }
        return settings;
    }

    @Override
    protected List<Engine> contenders() {
        return engines;
    }

    /** For crash runs. */
    @Override
    protected Map<String, Object> options() {
        return super.options();
    }

    @Override
    protected int counters(Setting setting) {
        return setting.threads();
    }

    /** What is stopped while it waits for the disk goes on waiting in the time of another. */
    @Override
    protected boolean takesTurns(Setting setting) {
        return setting.durability() == Durability.LAZY;
    }

    @Override
    protected Duration patience() {
        return Duration.ofMinutes(30);
    }

    // --- memory and files --------------------------------------------------------------------------------------------

    /**
     * About the pages that a B-tree needs for entries that came in random order: six bytes of an entry besides key and
     * value, and pages that are filled to 69 %.
     */
    private static long storeBytes(long count) {
        return Math.round(count * (Long.BYTES + Entries.VALUE_BYTES + 6) / 0.69);
    }

    /**
     * A multiple of a megabyte, since an engine cannot have another. An engine that has room for all gets twice that,
     * for inner nodes and old versions.
     */
    private static long cacheBytes(Setting setting) {
        long store = storeBytes(setting.entries());
        double bytes = setting.memoryPercent() >= ALL
                ? Math.max(16 * MEGABYTE, 2 * store)
                : store * setting.memoryPercent() / ALL;
        return Math.max(1, (long) Math.ceil(bytes / MEGABYTE)) * MEGABYTE;
    }

    /** The heap, and the memory outside it, have room for the largest cache each: engines keep it here or there. */
    @Override
    protected List<String> prepare(Workplace workplace) {
        long cache = settings().stream().mapToLong(Kv::cacheBytes).max().orElseThrow();
        long all = 2 * memory(cache).heapBytes() * engines.size();
        if (all > Environment.memory()) {
            throw new CommandFailure(engines.size() + " engines live at once and take up to " + Disk.megabytes(all)
                    + " of memory, and this machine has " + Disk.megabytes(Environment.memory())
                    + ": lower --entries, or compare fewer --engines");
        }
        long bytes = entries.stream().mapToLong(Kv::storeBytes).sum();
        // Two stores of each, which may be three times as large while old versions have not been collected.
        Disk.require(workplace.directory(), 6L * engines.size() * bytes, "two stores of each engine");
        for (long count : entries) {
            engines.stream().distinct().forEach(engine -> fill(engine, count, workplace));
        }
        return memory(cache).jvmFlags();
    }

    private static Memory memory(long cacheBytes) {
        long bytes = HEAP_BYTES + 2 * cacheBytes;
        return new Memory(bytes, bytes);
    }

    private void fill(Engine engine, long count, Workplace workplace) {
        Setting setting = new Setting(Work.INSERTS, 1, count, ALL, Durability.LAZY);
        Path home = workplace.directory().resolve(engine + "-" + count);
        Path store = home.resolve("store");
        try {
            Files.createDirectories(store);
        } catch (IOException e) {
            throw new CommandFailure("cannot make " + store + ": " + e, e);
        }
        RunAnswer answer = workplace
                .journal()
                .attempt(
                        "preparation",
                        String.format(Locale.ROOT, "a store of %s with %,d entries", engine, count),
                        progress -> new ChildJvm(
                                        RunChild.class.getName(),
                                        Installation.here().classPath(),
                                        workplace.flags(
                                                memory(cacheBytes(setting)).jvmFlags()),
                                        home,
                                        patience(),
                                        out().resolve("kv-" + engine + "-filled.log"))
                                .ask(
                                        new RunOrder(engine, setting, path(store), cacheBytes(setting), seed(), null),
                                        RunAnswer.class,
                                        RunAnswer::allHolds,
                                        workplace.cleanUp(),
                                        progress::at));
        if (answer == null) {
            throw new CommandFailure("there is no store of " + engine + " to play on");
        }
        filled.put(List.of(engine, count), store);
    }

    @Override
    protected Order<RunAnswer> timedOrder(Launch<Setting, Engine> launch) {
        Path store = launch.home().resolve("store");
        try {
            Disk.copyTree(
                    filled.get(List.of(launch.contender(), launch.setting().entries())), store);
        } catch (IOException e) {
            throw new CommandFailure("cannot copy a store to " + store + ": " + e, e);
        }
        return new RunOrder(
                launch.contender(),
                launch.setting(),
                path(store),
                cacheBytes(launch.setting()),
                seed() + launch.cell().repeat(),
                launch.timing());
    }

    private static String path(Path store) {
        return store.toAbsolutePath().toString();
    }

    // --- the report --------------------------------------------------------------------------------------------------

    @Override
    protected String lead() {
        return "keys of 8 bytes, values of " + Entries.VALUE_BYTES + ", " + super.lead();
    }

    @Override
    protected List<Column<Run<Setting, Engine, RunAnswer>>> columns(List<Run<Setting, Engine, RunAnswer>> runs) {
        List<Column<Run<Setting, Engine, RunAnswer>>> columns = new ArrayList<>(List.of(
                contender("engine", Engine::toString),
                setting("work", setting -> setting.work().toString()),
                setting("threads", Setting::threads).inWords("%s threads"),
                setting("entries", Setting::entries).inWords("%s entries"),
                setting("memoryPercent", Setting::memoryPercent)
                        .as("memory %", "%s")
                        .inWords("memory for %s %%"),
                setting("durability", setting -> setting.durability().toString())
                        .inWords("%s commits"),
                repeat(),
                rate("operations/s")));
        columns.addAll(latencies(RunAnswer::latencyMicros));
        columns.addAll(List.of(
                timed("processorMicros", RunAnswer::processorMicros)
                        .as("CPU µs each", "%,.2f")
                        .inSummary(),
                timed("allocatedBytes", RunAnswer::allocatedBytes)
                        .as("bytes allocated each", "%,.0f")
                        .inSummary(),
                timed("storeBytes", RunAnswer::storeBytes),
                valid()));
        return columns;
    }

    @Override
    protected List<String> notes(List<Run<Setting, Engine, RunAnswer>> runs) {
        return List.of("""
                Every engine has as many bytes of cache, and the system's besides; what it counts as cache is its own \
                affair. Scans count entries. Latencies are sampled, and those of operations during which an engine \
                was stopped are left out. CPU is that of the whole process, and heap allocation that of the threads \
                that play, both with the warm-up and without the close.""", """
                Pages of the example have checksums and are written by way of a journal; TuplDB and MVStore write \
                them to new places. Lazy commits: a killed process loses those of the example and of TuplDB that lie \
                in its memory, those of MVStore of about a second; Xodus hands each to the system. MVStore has no \
                transactions. Time goes on for an engine that is stopped, so what it does once a second comes more \
                often in a duel. A store that gets new entries outgrows its cache.""");
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Engine, RunAnswer>> results) {
        report.chart(Chart.bars("Ratio with its 95 % interval", "work", "ratio", "times the baseline's operations/s"))
                .chart(Chart.bars("Operations a second", "work", rate(), "operations/s")
                        .logarithmic())
                .chart(Chart.bars("Latency, 99th percentile", "work", "latencyMicros.p99", "µs")
                        .logarithmic());
    }

    @Override
    protected Comparison<Run<Setting, Engine, RunAnswer>> comparison(Results<Run<Setting, Engine, RunAnswer>> results) {
        return new Comparison<>(results, "the operations");
    }
}
