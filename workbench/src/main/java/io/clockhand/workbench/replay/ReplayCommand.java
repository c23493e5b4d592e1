// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.experiment.Experiment;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.experiment.options.AccessOptions;
import io.clockhand.workbench.experiment.options.AdviceOptions;
import io.clockhand.workbench.experiment.options.Choice;
import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.PolicyNames;
import io.clockhand.workbench.experiment.options.ThreadOptions;
import io.clockhand.workbench.experiment.options.TimeOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Advised;
import io.clockhand.workbench.experiment.report.Chart;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Comparison;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.Replay;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.Written;
import io.clockhand.workbench.replay.driver.Written.Writes;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code replay}. Runs are timed, or references are counted. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = """
            Plays references to pages on the page pool: hit ratios, throughput, reads and writes of each policy, each \
            run with a pool and in a JVM of its own. Every page that is fixed is checked to be the right one.""",
        footer = """

            Workloads: paper80 and paper45 draw 50,000 keys after Zipf's law as the experiments of the Nb-GCLOCK paper \
            do, paper80+scan adds a fifth of scans, uniform draws all keys alike, hot-page refers to one page only, \
            tpcc:W makes 5,000,000 references to the pages of a TPC-C database of W warehouses, and trace:FILE plays a \
            file, also one packed with gzip or xz. Page ids of a trace may be any 64 bits: they become keys in the \
            order in which they first appear. Of T threads, thread t takes the references n with n mod T = t.

            Pages: key k lies on page SPREAD x k. The file has a page with content for each key; with a spread over \
            1 the pages between are holes, which no run reads. With io memory there is no file: pages are made up.

            Writes: a share of the references, or those that a trace marks, change their page, and a flusher writes \
            dirty pages meanwhile. Every policy can write. Such runs have a new file each, and take no turns. At the \
            end the pool must write what is dirty and close within 60 s, and what a device needs; then each page is \
            read again, and every change must be there.

            Runs are timed or counted. A timed one (--seconds) has its statistics off; its hits and reads come from a \
            shorter, counted run of the same kind. A counted one (--accesses) measures no time; with one thread its \
            hits are the same every time. If neither is asked for, traces and tpcc:W are counted from their first \
            reference to their last, and other workloads are timed for a second.""")
public final class ReplayCommand extends Experiment<ReplayCommand.Setting, Contender, RunAnswer> {
    /** How hit ratios of many threads on few processors are counted. */
    private static final int COUNTED_INTERLEAVE = 16;

    private static final int MOST_FRAMES = 1 << 26;
    private static final int MOST_SPREAD = 1000;
    /** References enough to warm up, and to count, where a run is timed. */
    private static final long ENOUGH = 1_000_000;

    @Option(
            names = "--policies",
            paramLabel = "NAME,…",
            split = PolicyNames.COMMA,
            splitSynopsisLabel = ",",
            converter = PolicyNames.OfLibrary.class,
            completionCandidates = PolicyNames.OfLibrary.class,
            description = "${COMPLETION-CANDIDATES}" + PolicyNames.COMBINED
                    + " (default: lru,nb-gclock3). The first is what others are compared with.")
    private List<String> policies = CommaList.of("lru", "nb-gclock3");

    @Option(
            names = "--hand",
            paramLabel = "NAME,…",
            split = ",",
            converter = HandChoice.class,
            completionCandidates = HandChoice.class,
            description = "How policies with a clock hand move it, others ignore it: ${COMPLETION-CANDIDATES} (default:"
                    + " batched).")
    private List<ClockHand> hand = List.of(ClockHand.DEFAULT);

    @Option(
            names = "--page-in",
            paramLabel = "NAME,…",
            split = ",",
            converter = PageInChoice.class,
            completionCandidates = PageInChoice.class,
            description = "How a thread behaves that needs a page while another one reads it: ${COMPLETION-CANDIDATES}"
                    + " (default: coalesced).")
    private List<PageIn> pageIn = List.of(PageIn.DEFAULT);

    @Mixin
    private ThreadOptions threads = new ThreadOptions(CommaList.of(1, 8));

    @Option(
            names = "--frames",
            paramLabel = "N,…",
            split = ",",
            description = "How many pages the pool holds; a list makes a run for each (default: 4096,16384).")
    private List<Integer> frames = CommaList.of(4096, 16_384);

    @Option(
            names = "--workload",
            paramLabel = "NAME,…",
            split = ",",
            converter = WorkloadChoice.class,
            completionCandidates = WorkloadChoice.class,
            description = "${COMPLETION-CANDIDATES} (default: paper80); see below.")
    private List<String> workload = List.of("paper80");

    @Option(
            names = "--format",
            paramLabel = "NAME",
            converter = FormatChoice.class,
            completionCandidates = FormatChoice.class,
            description = "Of the traces: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private String format = FormatChoice.AUTO;

    @Option(
            names = "--spread",
            paramLabel = "1|80",
            description = "Key k lies on page SPREAD x k; the paper's benchmark has 80 (default: ${DEFAULT-VALUE}).")
    private int spread = 1;

    @Option(
            names = "--io",
            paramLabel = "NAME,…",
            split = ",",
            description = "cached reads a file through the operating system's page cache, direct bypasses it, memory"
                    + " generates pages; a list makes a run for each (default: memory). Files are made in --out.")
    private List<Io> io = List.of(Io.MEMORY);

    @Option(
            names = "--interleave",
            paramLabel = "N",
            description = "Each of several threads yields after N references, 0 for never: without it time slices raise"
                    + " the hit ratios of many threads on few processors (default: 16 where hits are counted, 0"
                    + " where time is measured).")
    private Integer interleave;

    @Mixin
    private WriteOptions writes = new WriteOptions();

    @Mixin
    private AdviceOptions advice = new AdviceOptions();

    @Mixin
    private AccessOptions accesses = new AccessOptions();

    private RunFiles files;
    private final Map<String, Play> plays = new LinkedHashMap<>();

    public ReplayCommand() {
        super(
                RunAnswer.class,
                new TimeOptions(3, 0.15),
                new Outline(
                        "References to pages, replayed on the page pool",
                        "hits and reads",
                        "Every page fixed was the right one.",
                        "Not every run ended with right pages, see above."));
    }

    /** The settings that compared contenders have in common. */
    record Setting(int threads, int frames, String workload, Io io) {
        /** A trace by the name of its file, without the folders. */
        @Override
        public String toString() {
            String brief = Workloads.isTrace(workload)
                    ? Workloads.traceFile(workload).getFileName().toString()
                    : workload;
            return String.format(
                    Locale.ROOT, "%s, %,d frames, %s, io %s", Figures.counted(threads, "threads"), frames, brief, io);
        }
    }

    static final class HandChoice extends Choice<ClockHand> {
        HandChoice() {
            super("hand", List.of(ClockHand.values()), ClockHand::label);
        }
    }

    static final class PageInChoice extends Choice<PageIn> {
        PageInChoice() {
            super("page-in", List.of(PageIn.values()), PageIn::label);
        }
    }

    /** A trace is one with any file. */
    static final class WorkloadChoice extends Choice<String> {
        WorkloadChoice() {
            super("workload", Workloads.possible(), name -> name);
        }

        @Override
        protected String value(String name) {
            Workloads.check(name);
            return name;
        }
    }

    @Override
    protected void check(Usage usage) {
        usage.requireOnce("--hand", "a hand", hand);
        usage.requireOnce("--page-in", "a way", pageIn);
        threads.check(usage);
        usage.requireEach("--frames", frames, MOST_FRAMES);
        usage.requireOnce("--workload", "a workload", workload);
        usage.requireOnce("--io", "a store", io);
        usage.requireWithin("--spread", spread, 1, MOST_SPREAD);
        advice.check(usage);
        times().check(usage, policies);
        accesses.check(usage);
        times().checkAgainst(accesses, usage);
        usage.require(interleave == null || interleave >= 0, "--interleave must not be negative, not " + interleave);
        fill(usage);
        writes.check(usage, workload.stream().anyMatch(Workloads::isTrace), isTimed());
    }

    /** Workloads with an end are counted unless a time is typed, others are timed unless a count is typed. */
    private void fill(Usage usage) {
        boolean traces = workload.stream().anyMatch(Workloads::hasEnd);
        boolean timed = times().isTyped(usage) || !(accesses.isTyped() || traces);
        if (!timed) {
            times().clear();
            if (!traces) {
                accesses.fill();
            }
        }
        interleave = interleave != null ? interleave : timed ? 0 : COUNTED_INTERLEAVE;
    }

    /** Every workload from every kind of store, with every number of frames and threads. */
    @Override
    protected List<Setting> settings() {
        return cross(
                workload,
                io,
                frames,
                threads.threads(),
                (name, store, size, count) -> new Setting(count, size, name, store));
    }

    @Override
    protected List<Contender> contenders() {
        return Contender.all(policies, hand, pageIn);
    }

    @Override
    protected int counters(Setting setting) {
        return setting.threads();
    }

    /**
     * Contenders that change pages do not take turns: their flushers go by the clock, also while they are stopped, and
     * their devices finish what was begun.
     */
    @Override
    protected boolean takesTurns(Setting setting) {
        return !play(setting).writes();
    }

    private Play play(Setting setting) {
        return plays.get(setting.workload());
    }

    @Override
    protected List<String> prepare(Workplace workplace) {
        for (String name : workload) {
            Path copy = workplace.directory().resolve("trace-" + plays.size() + ".rw32be");
            plays.put(name, Play.of(this, name, copy));
        }
        Memory memory = Memory.of(
                Collections.max(frames),
                RunFiles.PAGE_BYTES,
                threads.most(),
                plays.values().stream().mapToInt(Play::traceLength).max().orElse(0),
                plays.values().stream().allMatch(Play::writes) ? 1 : contendersAtOnce(),
                Environment.memory());
        if (writes.needsWrites() && plays.values().stream().noneMatch(Play::writes)) {
            throw new CommandFailure("--rate, --device-writes and --log need writes, but no reference of the traces is"
                    + " marked as one: add --write-share");
        }
        if (isTimed() && plays.values().stream().anyMatch(Play::writes)) {
            workplace.journal().say("Contenders that change pages run one after the other, not in turn.");
        }
        plays.forEach((name, play) -> describe(name, play, workplace));
        files = new RunFiles(spread, workplace);
        files.prepare(plays.values(), io);
        return memory.jvmFlags();
    }

    private void describe(String name, Play play, Workplace workplace) {
        if (!play.isTrace()) {
            return;
        }
        workplace
                .journal()
                .say(String.format(
                        Locale.ROOT, "%s: %,d references to %,d pages", name, play.traceLength(), play.keys()));
        if (!isTimed()) {
            Counting counting = counting(name);
            if (counting.warmupAccesses() + counting.accesses() > play.traceLength()) {
                workplace
                        .journal()
                        .say("  which are fewer than are asked for, so it is played again from its beginning");
            }
        }
    }

    /** The references that a counted run counts. */
    private Counting counting(String name) {
        Play play = plays.get(name);
        return new Counting(accesses.warmup(play.isTrace()), accesses.counted(name, play.traceLength()));
    }

    @Override
    protected Order<RunAnswer> timedOrder(Launch<Setting, Contender> launch) {
        return order(launch, interleave, null);
    }

    @Override
    protected Order<RunAnswer> countedOrder(Launch<Setting, Contender> launch, Run<Setting, Contender, RunAnswer> run) {
        return order(
                launch,
                countedInterleave(),
                isTimed()
                        ? Counting.after(run.operationsPerSecond(), ENOUGH)
                        : counting(run.setting().workload()));
    }

    private Replay order(Launch<Setting, Contender> launch, int yieldsAfter, Counting counting) {
        Setting setting = launch.setting();
        Play play = play(setting);
        Contender contender = launch.contender();
        return new Replay(
                new Replay.Pool(
                        contender.policy(),
                        contender.hand(),
                        contender.pageIn(),
                        setting.frames(),
                        RunFiles.PAGE_BYTES,
                        counting == null ? null : advice.policies()),
                play.source(),
                files.pages(play, setting.io()),
                setting.threads(),
                yieldsAfter,
                launch.timing(),
                counting,
                play.writes() ? writes.writing(launch.timing() != null) : null);
    }

    /** Of runs that are counted, also of those that belong to a timed one. */
    private int countedInterleave() {
        return isTimed() && interleave == 0 ? COUNTED_INTERLEAVE : interleave;
    }

    @Override
    protected List<String> remarks(Run<Setting, Contender, RunAnswer> run, RunAnswer answer) {
        Counted counted = answer.counted();
        if (counted == null) {
            return super.remarks(run, answer);
        }
        Play play = play(run.setting());
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "  %.2f %% hits", 100.0 * counted.hits() / counted.accesses()));
        // a trace that is counted from its beginning starts with an empty pool on purpose
        boolean intended =
                (play.isTrace() && !isTimed()) || (accesses.warmupAccesses() != null && accesses.warmupAccesses() == 0);
        if (counted.freeAtStart() > 0 && play.keys() >= run.setting().frames() && !intended) {
            lines.add("  warning: " + counted.freeAtStart()
                    + " frames were empty when counting began; a longer warm-up would show other hits");
        }
        return lines;
    }

    @Override
    protected String lead() {
        return isTimed() ? super.lead() : "hits counted, one pool for each run";
    }

    @Override
    protected List<Column<Run<Setting, Contender, RunAnswer>>> columns(List<Run<Setting, Contender, RunAnswer>> runs) {
        boolean writing = hasWrites(runs);
        Column<Run<Setting, Contender, RunAnswer>> hits = count("hits", Counted::hits);
        List<Column<Run<Setting, Contender, RunAnswer>>> columns = new ArrayList<>(List.of(
                contender("policy", Contender::policy),
                contender(
                                "hand",
                                contender -> contender.hand() == null
                                        ? null
                                        : contender.hand().label())
                        .inWords("%s hand"),
                contender("pageIn", contender -> contender.pageIn().label())
                        .as("page-in", "%s")
                        .inWords("%s page-in"),
                setting("threads", Setting::threads).inWords("%s threads"),
                setting("frames", Setting::frames).as("frames", "%,.0f").inWords("%s frames"),
                setting("workload", Setting::workload),
                setting("io", setting -> setting.io().toString()).inWords("io %s"),
                repeat(),
                count("accesses", Counted::accesses).as("counted", "%,.0f").onlyOfRuns(),
                isTimed() ? hits : hits.as("hits", "%,.0f"),
                count("misses", Counted::misses),
                count("hitRatio", Counted::hitRatio).asPercent("hits %").inSummary(),
                rate("ops/s"),
                count("reads", Counted::reads).as("reads", "%,.0f"),
                count("wastedReads", Counted::wastedReads).as("wasted", "%,.0f"),
                shownIf(writing, ofWrites("writes", Writes::pages), "writes", "%,.0f"),
                shownIf(writing, ofWrites("readStalls", Writes::readStalls), "stalls", "%,.0f")));
        columns.addAll(latencies(answer -> answer.timed().latencyMicros()));
        columns.addAll(List.of(
                count("framesInspectedPerMiss", Counted::framesScannedPerMiss).as("scanned/miss", "%.2f"),
                figure("timedAccesses", Run::operations),
                figure(
                        "updates",
                        run -> hasWrites(run)
                                ? run.counted(answer -> answer.counted().changes())
                                : null),
                ofWrites("writeCalls", Writes::calls),
                ofWrites("batches", Writes::batches),
                shownIf(writing, ofWrites("pagesPerBatch", Writes::pagesPerBatch), "pages/batch", "%.1f"),
                ofWrites("logWaits", Writes::logWaits),
                ofWrites("dirtyPages", Writes::dirtyPages),
                shownIf(
                        writing && isTimed(),
                        overTime("pagesWrittenPerSecond", Written::pagesWrittenPerSecond),
                        "written/s",
                        "%,.0f"),
                writing && isTimed()
                        ? overTime("steadyRatio", Written::steadyRatio).asPercent("steady %")
                        : overTime("steadyRatio", Written::steadyRatio),
                overTime("overTime", Written::overTime).onlyInJson(),
                figure("lostChanges", ReplayCommand::lostChanges),
                count("estimates", Counted::estimates).onlyInJson(),
                wrongPages(),
                valid()));
        return columns;
    }

    private Column<Run<Setting, Contender, RunAnswer>> count(String field, Function<Counted, ?> value) {
        return counted(field, answer -> value.apply(answer.counted()));
    }

    /** Of the counted run; null if all references were reads. */
    private Column<Run<Setting, Contender, RunAnswer>> ofWrites(String field, Function<Writes, ?> value) {
        return count(field, counted -> counted.writes() == null ? null : value.apply(counted.writes()));
    }

    /** Of the timed run; null if all references were reads. */
    private Column<Run<Setting, Contender, RunAnswer>> overTime(String field, Function<Written, ?> value) {
        return timed(field, answer -> answer.written() == null ? null : value.apply(answer.written()));
    }

    private static boolean hasWrites(List<Run<Setting, Contender, RunAnswer>> runs) {
        return runs.stream().anyMatch(ReplayCommand::hasWrites);
    }

    /** Whether some references changed their pages. */
    private static boolean hasWrites(Run<?, ?, RunAnswer> run) {
        return run.answers().anyMatch(answer -> answer.written() != null);
    }

    /** Changes that threads have made, but that are not in the pages after the close; null without writes. */
    private static Long lostChanges(Run<?, ?, RunAnswer> run) {
        return run.answers()
                .filter(answer -> answer.written() != null)
                .map(answer -> answer.written().lost())
                .reduce(Long::sum)
                .orElse(null);
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Contender, RunAnswer>> results) {
        report.chart(Chart.lines("Hit ratio by frames", "frames", "hitRatio", "hits, %"));
        if (advice.policies() != null) {
            report.added(Advised.table(results.runs().stream()
                            .map(run -> advised(run, results))
                            .toList()))
                    .chart(Chart.estimates(
                            "Estimated hit ratio by size", "policy", new Chart.Estimates("runs", "frames", "frames")));
        }
        if (!isTimed()) {
            return;
        }
        if (hasWrites(results.runs())) {
            report.chart(Chart.overTime("Over time", "a second", "accessesPerSecond", "pagesWrittenPerSecond"))
                    .chart(Chart.overTime("Dirty pages over time", "pages", "dirtyPages"));
        }
        report.chart(Chart.lines("Throughput by threads", "threads", "operationsPerSecond", "operations/s"))
                .chart(Chart.lines(
                                "Throughput by hit ratio, a point for each number of frames",
                                "frames",
                                "operationsPerSecond",
                                "operations/s")
                        .overX("hitRatio"));
        addRatios(report, "times the baseline's throughput");
    }

    private static Advised advised(
            Run<Setting, Contender, RunAnswer> run, Results<Run<Setting, Contender, RunAnswer>> results) {
        return new Advised(
                results.label(run),
                results.settingInWords(run),
                run.setting().frames(),
                run.counted(answer -> answer.counted().hitRatio()),
                run.counted(answer -> answer.counted().estimates()));
    }

    @Override
    protected List<String> notes(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<String> sentences = new ArrayList<>();
        sentences.add("A hit is a fix that finds its page mapped.");
        if (isTimed()) {
            sentences.add("A closed loop of threads: latencies are those of single fixes, about one in five hundred,"
                    + " or all with --rate or --device-writes (in a duel only those within one slice),"
                    + " with the 20 to 50 ns that it takes to read the clock.");
            sentences.add("Hits and reads come from a separate, counted run, whose threads yield so that time slices do"
                    + " not raise them.");
        }
        if (advice.policies() != null) {
            sentences.add("Estimates are those of the pool of a counted run, after its warm-up; it plays a sample of"
                    + " its references through small models.");
        }
        if (hasWrites(runs)) {
            sentences.add("Contenders that change pages ran one after the other: their flushers go by the clock."
                    + " Writes, batches, stalls and log waits come from the counted run, those over time, after the"
                    + " warm-up, from the timed one. Steady is the share of its seconds with at least half of the"
                    + " median's accesses.");
        }
        if (io.contains(Io.MEMORY)) {
            sentences.add("With io memory a missed page is generated: no I/O is in the figures.");
        }
        if (io.contains(Io.CACHED)) {
            sentences.add("Cached reads are served from the operating system's page cache unless memory is short.");
        }
        return sentences;
    }

    @Override
    protected Comparison<Run<Setting, Contender, RunAnswer>> comparison(
            Results<Run<Setting, Contender, RunAnswer>> results) {
        return super.comparison(results).points("hitRatio", "hit ratio");
    }

    @Override
    protected List<String> conclusion(Results<Run<Setting, Contender, RunAnswer>> results, int cores, boolean good) {
        List<String> lines = new ArrayList<>(comparison(results).sentences());
        if (isTimed()) {
            lines.addAll(ifMore(
                    threads.most(),
                    cores,
                    "runs of more threads show how well threads take turns, not how a policy scales."));
        }
        if (good && hasWrites(results.runs())) {
            lines.add("Every change was found in its page after the close.");
        }
        return lines;
    }

    @Override
    protected Map<String, Object> options() {
        Map<String, Object> options = super.options();
        options.put("countedInterleave", countedInterleave());
        return options;
    }

    // --- for workloads and files -------------------------------------------------------------------------------------

    WriteOptions writes() {
        return writes;
    }

    AccessOptions accesses() {
        return accesses;
    }

    /** Null to find out. */
    TraceFormat format() {
        return FormatChoice.format(format);
    }
}
