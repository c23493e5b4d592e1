// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.lucene.bench.RunOrder.RunAnswer;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Journal;
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
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code lucene} of the workbench. */
@Command(
        name = "lucene",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Searches in an index of Apache Lucene that is read in several ways, each in a JVM of its own, in"
                + " memory or with less memory than the index has, and checks the result of every search.",
        footer = {
            "",
            "Work: terms finds the ten best documents of a word, sorts the ten first of a word by a number, vectors the"
                    + " ten nearest to a vector of 64 numbers. merge finds terms while a copy of the index is merged,"
                    + " over and over.",
            "",
            "Contenders: mmap is Lucene's MMapDirectory, mmap-random the same with RANDOM as advice for all files, nio"
                    + " is NIOFSDirectory. clockhand and clockhand-direct are ClockhandDirectory, without and with"
                    + " direct I/O. caffeine and caffeine-direct are a stand-in for the block cache of OpenSearch's"
                    + " storage encryption: blocks with reference counts in a Caffeine cache, without encryption."
        })
public final class Lucene extends Experiment<Lucene.Setting, Contender, RunAnswer> {
    private static final int FEWEST_DOCUMENTS = 100;
    private static final int MOST_DOCUMENTS = 100_000_000;
    private static final int MOST_SEGMENTS = 100;
    private static final int MOST_SEARCHES = 1_000_000;
    private static final int LEAST_PAGE_BYTES = 4096;
    private static final int MOST_PAGE_BYTES = 1 << 16;
    private static final int LEAST_HEAP = 128;
    private static final int MOST_HEAP = 1 << 16;
    private static final double LEAST_PERCENT = 0.1;
    private static final double ALL = 100;
    private static final int MOST_THREADS = 64;
    /** Page cache that every contender in a memory group has besides, since the system cannot do without. */
    private static final long RESERVE_BYTES = 4 << 20;
    /** The command warns if a contender gets less memory than this many times the reserve, which all have besides. */
    private static final int LEAST_SHARE = 8;
    /** Of a JVM outside of its heap and its cache. */
    private static final long JVM_BYTES = 200 << 20;

    @Option(
            names = "--contenders",
            paramLabel = "NAME,…",
            split = ",",
            description = "${COMPLETION-CANDIDATES}; see below (default: ${DEFAULT-VALUE}).")
    private List<Contender> contenders = CommaList.of(
            Contender.MMAP,
            Contender.MMAP_RANDOM,
            Contender.NIO,
            Contender.CAFFEINE,
            Contender.CLOCKHAND,
            Contender.CLOCKHAND_DIRECT);

    @Option(
            names = "--work",
            paramLabel = "NAME,…",
            split = ",",
            description = "${COMPLETION-CANDIDATES}; see below; a list makes a run for each"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Work> work = CommaList.of(Work.TERMS, Work.SORTS, Work.VECTORS);

    @Mixin
    private ThreadOptions threads = new ThreadOptions(CommaList.of(1));

    @Option(
            names = "--memory-percent",
            paramLabel = "P,…",
            split = ",",
            description = "Memory of each contender, as a share of the index; 100 has no limit and room for all of"
                    + " it; a list makes a run for each (default: ${DEFAULT-VALUE}).")
    private List<Double> memoryPercent = CommaList.of(100.0);

    @Option(
            names = "--documents",
            paramLabel = "N",
            description = "Of some 700 bytes of index each (default: ${DEFAULT-VALUE}).")
    private int documents = 100_000;

    @Option(
            names = "--segments",
            paramLabel = "N",
            description = "Equal segments of the index (default: ${DEFAULT-VALUE}).")
    private int segments = 4;

    @Option(
            names = "--searches",
            paramLabel = "N",
            description = "Different searches of each work, of which the next is drawn (default: ${DEFAULT-VALUE}).")
    private int searches = 10_000;

    @Option(
            names = "--page-bytes",
            paramLabel = "N",
            description = "Of Clockhand's pages, a power of two (default: ${DEFAULT-VALUE}).")
    private int pageBytes = 8192;

    @Option(
            names = "--heap",
            paramLabel = "N",
            description = "Megabytes of the heap of each JVM (default: ${DEFAULT-VALUE}).")
    private int heap = 512;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keeps the index for the next time (default: ${DEFAULT-VALUE}).")
    private Path data = Path.of("clockhand-out", "data");

    /** Null if no memory is limited, or if only contenders without the page cache are compared. */
    private MemoryGroups groups;

    private long indexBytes;
    private Path results;

    public Lucene() {
        super(
                RunAnswer.class,
                new TimeOptions(6, 0.3),
                new Outline(
                        "Searches in an index of Apache Lucene",
                        "",
                        "All contenders found the same.",
                        "Not every run ended with right results, see above."));
    }

    /**
     * What compared contenders have in common.
     *
     * @param memoryPercent of the index that each contender has memory for; 100 for no limit
     */
    record Setting(Work work, int threads, double memoryPercent) {
        boolean isLimited() {
            return memoryPercent < ALL;
        }

        @Override
        public String toString() {
            return work + ", " + Figures.counted(threads, "threads") + ", memory for " + Figures.brief(memoryPercent)
                    + " %";
        }
    }

    @Override
    protected void check(Usage usage) {
        usage.require(
                contenders.size() > 1,
                "--contenders must name two or more, such as mmap,clockhand: they are compared in a duel");
        usage.requireOnce("--work", "a work", work);
        threads.check(usage, MOST_THREADS);
        usage.requireEachWithin("--memory-percent", "a share", memoryPercent, LEAST_PERCENT, ALL);
        usage.requireWithin("--documents", documents, FEWEST_DOCUMENTS, MOST_DOCUMENTS);
        usage.requireWithin("--segments", segments, 1, MOST_SEGMENTS);
        usage.requireWithin("--searches", searches, 1, MOST_SEARCHES);
        usage.requireWithin("--page-bytes", pageBytes, LEAST_PAGE_BYTES, MOST_PAGE_BYTES);
        usage.require(Integer.bitCount(pageBytes) == 1, "--page-bytes must be a power of two");
        usage.requireWithin("--heap", heap, LEAST_HEAP, MOST_HEAP);
        times().check(usage, contenders.stream().map(Contender::toString).toList());
    }

    @Override
    protected List<Setting> settings() {
        List<Setting> settings = new ArrayList<>();
        for (double percent : memoryPercent) {
            for (Work played : work) {
                threads.threads().forEach(count -> settings.add(new Setting(played, count, percent)));
            }
        }
        return settings;
    }

    @Override
    protected List<Contender> contenders() {
        return contenders;
    }

    @Override
    protected int counters(Setting setting) {
        return setting.threads();
    }

    @Override
    protected Duration patience() {
        return Duration.ofMinutes(30);
    }

    // --- memory and files --------------------------------------------------------------------------------------------

    @Override
    protected List<String> prepare(Workplace workplace) {
        results = workplace.directory();
        groups = isLimited() ? findGroups(workplace.journal()) : null;
        makeIndex(workplace);
        if (groups != null) {
            Disk.require(results, contenders.size() * indexBytes, "a copy of the index for each contender");
        }
        requireMemory();
        warnOfSmallShares(workplace.journal());
        return jvmFlags();
    }

    private boolean isLimited() {
        return settings().stream().anyMatch(Setting::isLimited);
    }

    private MemoryGroups findGroups(Journal journal) {
        MemoryGroups found = MemoryGroups.find().orElse(null);
        List<Contender> unlimited = contenders.stream()
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

    private Path index() {
        return data.resolve("lucene-" + documents + "-" + segments);
    }

    private void makeIndex(Workplace workplace) {
        Disk.requireWritable(index(), "the index");
        PrepareOrder order = new PrepareOrder(
                index(),
                documents,
                segments,
                work.stream().map(Work::searches).distinct().toList(),
                searches,
                seed(),
                results);
        PrepareOrder.Prepared prepared = workplace
                .journal()
                .attempt(
                        "preparation",
                        String.format(
                                Locale.ROOT,
                                "an index of %,d documents, and %,d searches of each kind",
                                documents,
                                searches),
                        progress -> jvm(
                                        workplace.flags(jvmFlags()),
                                        results,
                                        out().resolve("lucene-prepare.log"),
                                        List.of())
                                .ask(
                                        order,
                                        PrepareOrder.Prepared.class,
                                        good -> true,
                                        workplace.cleanUp(),
                                        progress::at));
        if (prepared == null) {
            throw new CommandFailure("there is no index to search in");
        }
        indexBytes = prepared.bytes();
    }

    private void requireMemory() {
        long cache = settings().stream().mapToLong(this::cacheBytes).max().orElseThrow();
        long all = contenders.size() * (((long) heap << 20) + JVM_BYTES + cache);
        if (all > Environment.memory()) {
            throw new CommandFailure(contenders.size() + " contenders live at once and take up to "
                    + Disk.megabytes(all) + " of memory, and this machine has " + Disk.megabytes(Environment.memory())
                    + ": lower --documents or --heap, or compare fewer contenders");
        }
    }

    private void warnOfSmallShares(Journal journal) {
        settings().stream()
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
                ? Math.round(indexBytes * setting.memoryPercent() / ALL)
                : setting.work() == Work.MERGE ? all + 2 * indexBytes : all;
    }

    /** The whole heap is in memory from the start, so that it does not grow into that of the index. */
    private List<String> jvmFlags() {
        return List.of(
                "-Xms" + heap + "m",
                "-Xmx" + heap + "m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseG1GC",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED");
    }

    /** Null if the memory of the run is not limited. */
    private MemoryGroup group(Launch<Setting, Contender> launch) {
        Setting setting = launch.setting();
        return groups == null || !setting.isLimited()
                ? null
                : groups.of(
                        launch.home(), RESERVE_BYTES + (launch.contender().hasOwnCache() ? 0 : cacheBytes(setting)));
    }

    @Override
    protected ChildJvm jvm(Launch<Setting, Contender> launch, List<String> flags, Path log) throws IOException {
        MemoryGroup group = group(launch);
        if (group == null) {
            return jvm(flags, launch.home(), log, List.of());
        }
        groups.make(group);
        return jvm(flags, launch.home(), log, group.within());
    }

    /** Lucene is on the class path of this JVM, and not on that of the workbench. */
    private ChildJvm jvm(List<String> flags, Path home, Path log, List<String> within) {
        String classPath = System.getProperty("java.class.path");
        return new ChildJvm(RunChild.class.getName(), classPath, flags, home, patience(), log, within);
    }

    @Override
    protected Order<RunAnswer> timedOrder(Launch<Setting, Contender> launch) {
        Setting setting = launch.setting();
        return new RunOrder(
                launch.contender(),
                setting.work(),
                setting.threads(),
                index(),
                launch.home(),
                pageBytes,
                cacheBytes(setting),
                group(launch),
                results,
                searches,
                seed(),
                launch.timing());
    }

    @Override
    protected void close() {
        if (groups != null) {
            groups.close();
        }
    }

    // --- the report --------------------------------------------------------------------------------------------------

    @Override
    protected String lead() {
        return String.format(
                Locale.ROOT,
                "%,d documents in %d segments, %s, %s",
                documents,
                segments,
                Disk.megabytes(indexBytes),
                super.lead());
    }

    @Override
    protected String rate() {
        return "searchesPerSecond";
    }

    @Override
    protected String operations() {
        return "searches";
    }

    @Override
    protected List<Column<Run<Setting, Contender, RunAnswer>>> columns(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<Column<Run<Setting, Contender, RunAnswer>>> columns = new ArrayList<>(List.of(
                contender("directory", Contender::toString),
                setting("work", setting -> setting.work().toString()),
                setting("threads", Setting::threads).inWords("%s threads"),
                setting("memoryPercent", Setting::memoryPercent)
                        .as("memory %", "%s")
                        .inWords("memory for %s %%"),
                repeat(),
                rate("searches/s")));
        List<Column<Run<Setting, Contender, RunAnswer>>> latencies = latencies(RunAnswer::latencyMicros);
        latencies.subList(1, latencies.size()).forEach(Column::inSummary);
        columns.addAll(latencies);
        columns.addAll(List.of(
                timed("readKilobytesPerSearch", RunAnswer::readKilobytes)
                        .as("kB read/search", "%,.1f")
                        .inSummary(),
                timed("mergedMegabytes", RunAnswer::mergedMegabytes)
                        .as("MB merged", "%,.0f")
                        .inSummary(),
                timed("memoryMegabytes", RunAnswer::memoryMegabytes)
                        .as("MB of memory", "%,.0f")
                        .inSummary(),
                timed("wrongResults", RunAnswer::wrongResults),
                valid()));
        return columns;
    }

    @Override
    protected List<String> notes(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<String> sentences = new ArrayList<>(List.of("A closed loop of threads."));
        if (contenders.contains(Contender.CAFFEINE) || contenders.contains(Contender.CAFFEINE_DIRECT)) {
            sentences.add("caffeine is a stand-in for the block cache of OpenSearch's storage encryption.");
        }
        if (groups != null) {
            sentences.add("Where memory is limited each contender has a memory group and a copy of the index of its"
                    + " own, and beyond what its JVM needs as many bytes of memory as the others: in its own cache, or"
                    + " in the page cache.");
        } else if (isLimited()) {
            sentences.add("This system has no memory groups: caches without direct I/O have the page cache besides.");
        }
        return sentences;
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Contender, RunAnswer>> results) {
        report.add("indexBytes", indexBytes)
                .add("memoryGroups", groups != null)
                .chart(Chart.bars("Ratio with its 95 % interval", "work", "ratio", "times the baseline's searches/s"))
                .chart(Chart.bars("Searches a second", "work", rate(), "searches/s")
                        .logarithmic())
                .chart(Chart.bars("Latency, 99th percentile", "work", "latencyMicros.p99", "µs")
                        .logarithmic());
    }

    @Override
    protected Comparison<Run<Setting, Contender, RunAnswer>> comparison(
            Results<Run<Setting, Contender, RunAnswer>> results) {
        return new Comparison<>(results, "the searches");
    }
}
