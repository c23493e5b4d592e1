// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Failures;
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
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.experiment.report.Results.Line;
import io.clockhand.workbench.experiment.report.Spread;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.Replay;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.Replay.Source;
import io.clockhand.workbench.replay.driver.Written;
import io.clockhand.workbench.replay.driver.Written.Writes;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.Trace;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
            file, also one packed with gzip, xz or zstd. Of T threads, thread t takes the references n with n mod T = t.

            Writes: a flusher writes dirty pages meanwhile; contenders take no turns. At the end the pool must write \
            what is dirty and close within 60 s, and what a device needs; then each page is read again, and every \
            change must be there.

            A timed run (--seconds) has its statistics off; its hits and reads come from a shorter, counted run of the \
            same kind. A counted one (--accesses) measures no time; with one thread its hits are the same every time. \
            If neither is asked for, traces and tpcc:W are counted from their first reference to their last, and other \
            workloads are timed.""")
public final class ReplayCommand extends Experiment<ReplayCommand.Setting, ReplayCommand.Contender, RunAnswer> {
    /** How hit ratios of many threads on few processors are counted. */
    private static final int COUNTED_INTERLEAVE = 16;

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
    WriteOptions writes = new WriteOptions();

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
            String brief = workload.replaceFirst("^trace:(.*/)?", "");
            return String.format(
                    Locale.ROOT, "%s, %,d frames, %s, io %s", Figures.counted(threads, "threads"), frames, brief, io);
        }
    }

    /** A way to run a pool; {@code hand} is null for a policy that has none. */
    record Contender(String policy, ClockHand hand, PageIn pageIn) {
        String handLabel() {
            return hand == null ? null : hand.label();
        }

        @Override
        public String toString() {
            return policy + (hand == null ? "" : ", " + handLabel() + " hand") + ", " + pageIn.label() + " page-in";
        }
    }

    /**
     * A workload that is ready to be played.
     *
     * @param source for child JVMs
     * @param length how many references it has; 0 if it has no end
     * @param writes whether some references change their pages
     */
    private record Play(Source source, int length, boolean writes) {}

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
        usage.requireEach("--frames", frames, 1 << 26);
        usage.requireOnce("--workload", "a workload", workload);
        usage.requireOnce("--io", "a store", io);
        usage.requireWithin("--spread", spread, 1, 1000);
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
        boolean ends = workload.stream().anyMatch(Workloads::hasEnd);
        if (!times().isTyped(usage) && (accesses.isTyped() || ends)) {
            times().clear();
            if (!ends) {
                accesses.fill();
            }
        }
        interleave = interleave != null ? interleave : isTimed() ? 0 : COUNTED_INTERLEAVE;
    }

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
        List<Contender> all = new ArrayList<>();
        for (String policy : policies) {
            for (ClockHand own : Policies.hasHand(policy) ? hand : Collections.<ClockHand>singletonList(null)) {
                pageIn.forEach(way -> all.add(new Contender(policy, own, way)));
            }
        }
        return all;
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
            plays.put(name, play(name, workplace.directory().resolve("trace-" + plays.size() + ".rw32be")));
            if (Workloads.hasEnd(name)) {
                workplace.journal().say(described(name));
            }
        }
        boolean writing = plays.values().stream().anyMatch(Play::writes);
        if (writes.needsWrites() && !writing) {
            throw new CommandFailure("--rate, --device-writes and --log need writes, but no reference of the traces is"
                    + " marked as one: add --write-share");
        }
        if (isTimed() && writing) {
            workplace.journal().say("Contenders that change pages run one after the other, not in turn.");
        }
        files = new RunFiles(spread, workplace.directory());
        if (io.contains(Io.DIRECT)) {
            files.requireDirect();
        }
        return Memory.of(
                        Collections.max(frames),
                        RunFiles.PAGE_BYTES,
                        threads.most(),
                        plays.values().stream().mapToInt(Play::length).max().orElse(0),
                        plays.values().stream().allMatch(Play::writes) ? 1 : contendersAtOnce(),
                        Environment.memory())
                .jvmFlags();
    }

    /** Reads or makes a workload with an end once, and leaves it in {@code copy} for child JVMs to read. */
    private Play play(String name, Path copy) {
        if (!Workloads.hasEnd(name)) {
            return new Play(new Source(name, Workloads.defaultKeys(), seed(), null), 0, writes.share() > 0);
        }
        try {
            Trace read = Workloads.trace(name, accesses.played(), seed(), FormatChoice.format(format), null);
            Trace trace = writes.playsMarks() ? read : read.withoutWrites();
            trace.write(copy);
            Source source =
                    new Source(Workloads.TRACE + copy.toAbsolutePath(), trace.pages(), seed(), TraceFormat.RW32BE);
            return new Play(source, trace.length(), trace.writes() > 0 || writes.share() > 0);
        } catch (IOException e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall(e);
        }
    }

    private String described(String name) {
        Play play = plays.get(name);
        Counting counting = isTimed() ? new Counting(0, 0) : counting(name);
        boolean isShort = counting.warmupAccesses() + counting.accesses() > play.length();
        return String.format(
                Locale.ROOT,
                "%s: %,d references to %,d pages%s",
                name,
                play.length(),
                play.source().keys(),
                isShort ? ", fewer than are asked for, so it is played again from its beginning" : "");
    }

    /** The references that a counted run counts. */
    private Counting counting(String name) {
        int length = plays.get(name).length();
        return new Counting(accesses.warmup(length > 0), accesses.counted(name, length));
    }

    @Override
    protected Order<RunAnswer> timedOrder(Launch<Setting, Contender> launch) {
        return order(launch, interleave, null);
    }

    @Override
    protected Order<RunAnswer> countedOrder(Launch<Setting, Contender> launch, Run<Setting, Contender, RunAnswer> run) {
        return isTimed()
                ? order(
                        launch,
                        interleave == 0 ? COUNTED_INTERLEAVE : interleave,
                        Counting.after(run.operationsPerSecond(), ENOUGH))
                : order(launch, interleave, counting(run.setting().workload()));
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
                files.pages(setting.io(), play.source().keys(), play.writes()),
                setting.threads(),
                yieldsAfter,
                launch.timing(),
                counting,
                play.writes() ? writes.writing(counting == null) : null);
    }

    @Override
    protected List<String> remarks(Run<Setting, Contender, RunAnswer> run, RunAnswer answer) {
        Counted counted = answer.counted();
        Setting setting = run.setting();
        boolean isCold = counted != null
                && counted.freeAtStart() > 0
                && play(setting).source().keys() >= setting.frames()
                && (isTimed() || counting(setting.workload()).warmupAccesses() > 0);
        return isCold
                ? List.of("  warning: " + counted.freeAtStart()
                        + " frames were empty when counting began; a longer warm-up would show other hits")
                : super.remarks(run, answer);
    }

    @Override
    protected List<Column<Run<Setting, Contender, RunAnswer>>> columns(List<Run<Setting, Contender, RunAnswer>> runs) {
        boolean writing = hasWrites(runs);
        List<Column<Run<Setting, Contender, RunAnswer>>> columns = new ArrayList<>(List.of(
                contender("policy", Contender::policy),
                contender("hand", Contender::handLabel).inWords("%s hand"),
                contender("pageIn", contender -> contender.pageIn().label())
                        .as("page-in", "%s")
                        .inWords("%s page-in"),
                setting("threads", Setting::threads).inWords("%s threads"),
                setting("frames", Setting::frames).as("frames", "%,.0f").inWords("%s frames"),
                setting("workload", Setting::workload),
                setting("io", setting -> setting.io().toString()).inWords("io %s"),
                repeat(),
                count("accesses", Counted::accesses).as("counted", "%,.0f").onlyOfRuns(),
                shownIf(!isTimed(), count("hits", Counted::hits), "hits", "%,.0f"),
                count("misses", Counted::misses),
                count("hitRatio", Counted::hitRatio).asPercent("hits %").inSummary(),
                rate("ops/s"),
                count("reads", Counted::reads).as("reads", "%,.0f"),
                count("wastedReads", Counted::wastedReads).as("wasted", "%,.0f"),
                shownIf(writing, ofWrites("writes", Writes::pages), "writes", "%,.0f"),
                shownIf(writing, ofWrites("readStalls", Writes::readStalls), "stalls", "%,.0f")));
        columns.addAll(latencies(answer -> answer.timed().latencyMicros()));
        Column<Run<Setting, Contender, RunAnswer>> steady = overTime("steadyRatio", Written::steadyRatio);
        columns.addAll(List.of(
                count("framesInspectedPerMiss", Counted::framesScannedPerMiss).as("scanned/miss", "%.2f"),
                count("updates", counted -> counted.writes() == null ? null : counted.changes()),
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
                writing && isTimed() ? steady.asPercent("steady %") : steady,
                overTime("overTime", Written::overTime).onlyInJson(),
                figure(
                        "lostChanges",
                        run -> run.answers()
                                .map(RunAnswer::written)
                                .filter(Objects::nonNull)
                                .map(Written::lost)
                                .reduce(Long::sum)
                                .orElse(null)),
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

    /** Whether some references changed their pages. */
    private static boolean hasWrites(List<Run<Setting, Contender, RunAnswer>> runs) {
        return runs.stream().flatMap(Run::answers).anyMatch(answer -> answer.written() != null);
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Contender, RunAnswer>> results) {
        report.chart(Chart.lines("Hit ratio by frames", "frames", "hitRatio", "hits, %"));
        if (advice.policies() != null) {
            List<Advised> advised = results.runs().stream()
                    .map(run -> new Advised(
                            results.label(run),
                            results.settingInWords(run),
                            run.setting().frames(),
                            run.counted(answer -> answer.counted().hitRatio()),
                            run.counted(answer -> answer.counted().estimates())))
                    .toList();
            report.added(Advised.table(advised))
                    .chart(Chart.estimates(
                            "Estimated hit ratio by size", "policy", new Chart.Estimates("runs", "frames", "frames")));
        }
        if (isTimed() && hasWrites(results.runs())) {
            report.chart(Chart.overTime("Over time", "a second", "accessesPerSecond", "pagesWrittenPerSecond"))
                    .chart(Chart.overTime("Dirty pages over time", "pages", "dirtyPages"));
        }
        if (isTimed()) {
            report.chart(Chart.lines("Throughput by threads", "threads", "operationsPerSecond", "operations/s"));
            addRatios(report, "times the baseline's throughput");
        }
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

    /** By how many percentage points the hit ratio of each contender differs from the baseline's, over all settings. */
    private static List<String> pointsOfHitRatio(Results<Run<Setting, Contender, RunAnswer>> results) {
        Map<String, List<Double>> points = new LinkedHashMap<>();
        List<Line<Run<Setting, Contender, RunAnswer>>> lines = results.lines();
        for (Line<Run<Setting, Contender, RunAnswer>> own : lines) {
            lines.stream()
                    .filter(base -> base.contender().equals(results.baseline())
                            && !base.contender().equals(own.contender())
                            && base.setting().equals(own.setting()))
                    .filter(base -> hitRatio(own) != null && hitRatio(base) != null)
                    .forEach(base -> points.computeIfAbsent(own.contender(), absent -> new ArrayList<>())
                            .add(100 * (hitRatio(own).median() - hitRatio(base).median())));
        }
        return points.entrySet().stream()
                .map(each -> each.getKey() + " against " + results.baseline() + ": " + points(each.getValue())
                        + " points of hit ratio.")
                .toList();
    }

    private static String points(List<Double> all) {
        String least = String.format(Locale.ROOT, "%+.2f", Collections.min(all));
        String most = String.format(Locale.ROOT, "%+.2f", Collections.max(all));
        return least.equals(most) ? least : least + " … " + most;
    }

    /** Of all repeats; null if nothing was counted. */
    private static Spread hitRatio(Line<Run<Setting, Contender, RunAnswer>> line) {
        return Spread.of(line.runs().stream()
                .map(run -> run.counted(answer -> answer.counted().hitRatio()))
                .filter(Objects::nonNull)
                .toList());
    }

    @Override
    protected List<String> conclusion(Results<Run<Setting, Contender, RunAnswer>> results, int cores, boolean good) {
        List<String> lines = new ArrayList<>(comparison(results).sentences());
        lines.addAll(pointsOfHitRatio(results));
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
}
