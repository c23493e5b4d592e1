// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.experiment.Experiment;
import io.clockhand.workbench.experiment.Explorer;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.experiment.options.Choice;
import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.PolicyNames;
import io.clockhand.workbench.experiment.options.RunTimes;
import io.clockhand.workbench.experiment.options.ThreadOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.experiment.report.Chart;
import io.clockhand.workbench.experiment.report.Column;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.experiment.report.Results;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.Trace;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code lru-c}. */
@Command(
        name = "lru-c",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = """
            Compares how pools find a frame for a page that is missed while pages are dirty: how often a miss waits \
            for a write, and what that costs on devices whose writes are slower than their reads. Each run has a pool \
            and a JVM of its own, and they run one after the other, since their threads wait rather than compute. \
            Every page that is used is checked to be the right one, and every change to be in its page at the end.""",
        footer = """

            Schemes: vanilla is an LRU list as InnoDB has it: a background thread writes a fixed number of pages a \
            second from the tail, 1,024 for 16,384 frames on ssd-a at its own speed, and a miss that finds no clean \
            frame there writes a page itself. vanilla-8192 writes eight times as many, vanilla:N as many as N states, \
            vanilla-best as many as were the best in a sweep of shorter runs, vanilla-serial those of misses one after \
            the other, vanilla-no-stall scans until a clean frame is found. cf-lru takes clean pages first, war copies \
            a dirty victim and reads before it writes, lru-c is LRU-C with its pointer to the oldest clean page, \
            lru-c-batch writes all pages behind it, lru-c-full has two mutexes, too. clock-c is Clockhand's page pool, \
            pool:POLICY the same with another policy.

            Devices: ssd-a, ssd-c and hdd are models of the devices of the LRU-C paper, with their rates for 16 KiB. \
            Latencies are multiplied by --time-scale, and the throughput is that of the slowed device.

            A run fills its pool first, without latency, then warms up and is measured. A run whose halves differ by \
            more than 5 %% is marked: it is not stable.""")
public final class LruC extends Experiment<Setting, String, RunAnswer> {
    /** With a frame for each page that a thread has, and as many for its next one, and for what is being written. */
    private static final int FRAMES_PER_THREAD = 4;

    private static final int MOST_SECONDS = 86_400;
    /** To start a JVM, to make and fill the pages, and to check them. */
    private static final int OTHER_SECONDS = 6;

    private static final String TPCC = "tpcc";
    private static final String RATIO = "ratioToBaseline";

    @Option(
            names = "--schemes",
            paramLabel = "NAME,…",
            split = PolicyNames.COMMA,
            splitSynopsisLabel = ",",
            converter = SchemeChoice.class,
            completionCandidates = SchemeChoice.class,
            description = "${COMPLETION-CANDIDATES}; see below (default: ${DEFAULT-VALUE}).")
    private List<String> schemes = CommaList.of(Scheme.COMPARED.toArray(new String[0]));

    @Mixin
    private DeviceOptions devices = new DeviceOptions();

    @Mixin
    private ThreadOptions threads = new ThreadOptions(CommaList.of(32, 64));

    @Option(
            names = "--pool-percent",
            paramLabel = "P,…",
            split = ",",
            description = "How many of a hundred pages the pool holds; a list makes a run for each"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Double> poolPercent = CommaList.of(10.0);

    @Option(
            names = "--pages",
            paramLabel = "N",
            description = "Pages of the database; a trace has its own number (default: ${DEFAULT-VALUE}).")
    private int pages = 163_840;

    @Option(
            names = "--workload",
            paramLabel = "NAME",
            converter = WorkloadChoice.class,
            completionCandidates = WorkloadChoice.class,
            description = "${COMPLETION-CANDIDATES}: a model of TPC-C, or a trace, played over and over, with the"
                    + " writes that it marks (default: ${DEFAULT-VALUE}).")
    private String workload = TPCC;

    @Option(
            names = "--format",
            paramLabel = "NAME",
            converter = FormatChoice.class,
            completionCandidates = FormatChoice.class,
            description = "Of the trace: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private String format = FormatChoice.AUTO;

    @Option(
            names = "--read-write",
            paramLabel = "R:W,…",
            split = ",",
            description = "Page reads to page writes, from 1:1; a list makes a run for each (default: 2:1, as TPC-C"
                    + " does it).")
    private List<String> readWrite = CommaList.of("2:1");

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "References a second that the threads attempt together after the pool is filled (default: as"
                    + " many as they can).")
    private Long rate;

    private final Map<Setting, Sweep> sweeps = new LinkedHashMap<>();
    private Path files;
    /** That child JVMs read; null for the model of TPC-C. */
    private Path trace;

    private int traceLength;
    private int databasePages;

    public LruC() {
        super(
                RunAnswer.class,
                new RunTimes(40, 20),
                new Outline(
                        "Misses while pages are dirty",
                        "",
                        "Every page used was the right one, and every change was found in its page after the close.",
                        "Not every run ended with right pages, see above."));
    }

    /** Some have any number or any policy in their names. */
    static final class SchemeChoice extends Choice<String> {
        SchemeChoice() {
            super("scheme", Scheme.possible(), name -> name);
        }

        @Override
        protected String value(String name) {
            Scheme.check(name);
            return name;
        }
    }

    /** The model of TPC-C, or a trace with any file. */
    static final class WorkloadChoice extends Choice<String> {
        WorkloadChoice() {
            super("workload", List.of(TPCC, Workloads.TRACE + "FILE"), name -> name);
        }

        @Override
        protected String value(String name) {
            return Workloads.isTrace(name) && name.length() > Workloads.TRACE.length() ? name : super.value(name);
        }
    }

    @Override
    protected void check(Usage usage) {
        devices.check(usage);
        threads.check(usage);
        usage.require(
                poolPercent.stream().allMatch(p -> p > 0 && p <= 90),
                "--pool-percent must be greater than 0 and at most 90");
        usage.requireOnce("--pool-percent", "a pool", poolPercent);
        usage.requireWithin("--pages", pages, TpccStream.FEWEST_PAGES, 1 << 26);
        checkReadWrite(usage);
        usage.requireWithin("--rate", (double) (rate == null ? 1 : rate), 1, 1_000_000_000);
        usage.requireWithin("--seconds", times().seconds(), 1, MOST_SECONDS);
        usage.requireWithin("--warmup", times().warmup(), 0, MOST_SECONDS);
        times().check(usage, schemes);
        times().fillBaseline(schemes.contains(Scheme.VANILLA) ? Scheme.VANILLA : schemes.get(0));
        if (!Workloads.isTrace(workload)) {
            databasePages = pages;
            tooFewFrames().ifPresent(sentence -> usage.require(false, sentence));
        }
    }

    private void checkReadWrite(Usage usage) {
        usage.requireOnce("--read-write", "a ratio", readWrite);
        usage.require(
                !Workloads.isTrace(workload) || !(usage.isTyped("--read-write") || usage.isTyped("--pages")),
                "--read-write and --pages are of the workload tpcc: a trace has its own pages and writes");
        readWrite.forEach(typed -> Setting.checkReadWrite(typed, usage));
        readWrite = Workloads.isTrace(workload) ? Collections.singletonList(null) : readWrite;
    }

    /** In a sentence, if the pool of a setting has too few for all threads. */
    private Optional<String> tooFewFrames() {
        return poolPercent.stream()
                .filter(percent -> frames(percent) < FRAMES_PER_THREAD * threads.most())
                .findFirst()
                .map(percent -> "a pool of " + percent + " % of " + databasePages + " pages has " + frames(percent)
                        + " frames, and needs " + FRAMES_PER_THREAD + " for each thread; raise --pool-percent, or lower"
                        + " --threads");
    }

    private int frames(double percent) {
        return (int) Math.round(percent / 100 * databasePages);
    }

    @Override
    protected List<Setting> settings() {
        return cross(
                devices.all(),
                poolPercent,
                readWrite,
                threads.threads(),
                (on, percent, ratio, count) -> new Setting(on, count, percent, ratio));
    }

    @Override
    protected List<String> contenders() {
        return schemes;
    }

    @Override
    protected int counters(Setting setting) {
        return setting.threads();
    }

    /** Threads wait rather than compute. */
    @Override
    protected boolean takesTurns(Setting setting) {
        return false;
    }

    /** Of a thread that ends, and of a close: long with a slow device. */
    @Override
    protected Duration patience() {
        return Duration.ofMinutes(10);
    }

    // --- devices and pools -------------------------------------------------------------------------------------------

    /** Reads a trace once, and leaves it in a form that child JVMs read soon. */
    private void readTrace(Path directory) {
        try {
            Trace read = Trace.read(Workloads.traceFile(workload), FormatChoice.format(format));
            trace = directory.resolve("trace.rw32be").toAbsolutePath();
            read.write(trace);
            traceLength = read.length();
            databasePages = read.pages();
        } catch (IOException e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall(e);
        }
    }

    @Override
    protected List<String> prepare(Workplace workplace) {
        if (Workloads.isTrace(workload)) {
            readTrace(workplace.directory());
        }
        tooFewFrames().ifPresent(sentence -> {
            throw new CommandFailure(sentence);
        });
        Memory memory = memory();
        files = devices.prepareFiles(workplace, databasePages);
        int runs = settings().size() * schemes.size() * times().repeat();
        int sweeping = schemes.contains(Scheme.VANILLA_BEST) ? settings().size() * Sweep.count() : 0;
        long seconds = runs * seconds(times().warmup(), times().seconds())
                + sweeping
                        * seconds(partOfSweep().warmupSeconds(), partOfSweep().seconds());
        String shorter = ", with " + sweeping + " shorter ones that find the best rate of vanilla.";
        workplace
                .journal()
                .say("Runs come one after the other: about " + (TimeUnit.SECONDS.toMinutes(seconds) + 1) + " minutes"
                        + (sweeping == 0 ? "." : shorter));
        return memory.jvmFlags();
    }

    private static long seconds(int warmup, int measured) {
        return (long) warmup + measured + OTHER_SECONDS;
    }

    /** The pages of simulated devices lie on the heap. */
    private Memory memory() {
        Memory pool = Memory.of(
                frames(Collections.max(poolPercent)),
                devices.all().stream().mapToInt(devices::pageBytes).max().orElseThrow(),
                threads.most(),
                traceLength,
                1,
                Environment.memory());
        return pool.withPages(devices.heapBytes(databasePages), Environment.memory());
    }

    DeviceOptions devices() {
        return devices;
    }

    // --- runs --------------------------------------------------------------------------------------------------------

    private Timing partOfSweep() {
        return Timing.alone(Sweep.seconds(times().warmup()), Sweep.seconds(times().seconds()));
    }

    /** Finds the best rate of vanilla in a setting, once. */
    @Override
    protected void explore(Setting setting, Explorer<Setting, String, RunAnswer> explorer) {
        if (!schemes.contains(Scheme.VANILLA_BEST) || sweeps.containsKey(setting)) {
            return;
        }
        sweeps.put(
                setting,
                Sweep.of(
                        setting,
                        rate(Scheme.VANILLA, setting),
                        scheme -> explorer.run(
                                new Cell<>(setting, scheme, 0), launch -> order(launch, scheme, partOfSweep()))));
    }

    /** The scheme that is run; null if no run of the sweep has ended. */
    private String scheme(Setting setting, String contender) {
        if (!contender.equals(Scheme.VANILLA_BEST)) {
            return contender;
        }
        Long best = sweeps.containsKey(setting) ? sweeps.get(setting).bestPagesPerSecond() : null;
        return best == null ? null : Scheme.vanilla(best);
    }

    @Override
    protected Order<RunAnswer> timedOrder(Launch<Setting, String> launch) {
        String scheme = scheme(launch.setting(), launch.contender());
        if (scheme == null) {
            throw new CommandFailure("no run of the sweep has ended");
        }
        return order(launch, scheme, launch.timing());
    }

    private RunOrder order(Launch<Setting, String> launch, String scheme, Timing timing) {
        Setting setting = launch.setting();
        Device on = setting.device();
        return new RunOrder(
                scheme,
                frames(setting.poolPercent()),
                devices.slowness(on),
                devices.profile(on),
                on == Device.REAL ? files.resolve("pages.data").toAbsolutePath().toString() : null,
                devices.pageBytes(on),
                trace == null ? null : Workloads.TRACE + trace,
                trace == null ? null : TraceFormat.RW32BE,
                databasePages,
                setting.readsPerWrite(),
                seed(),
                setting.threads(),
                rate == null ? 0 : rate,
                timing);
    }

    @Override
    protected List<String> remarks(Run<Setting, String, RunAnswer> run, RunAnswer answer) {
        return List.of(String.format(
                Locale.ROOT,
                "  %s: %,.0f operations a second, %s %% of misses stalled%s",
                run.cell().name(),
                answer.operationsPerSecond(),
                Figures.of("%.2f", answer.readStallPercent()),
                RunAnswer.isUnstable(run) ? "; it is not stable" : ""));
    }

    /** N/K of the paper. */
    private Double threadsPerChannel(Setting setting) {
        Integer count = devices.channels(setting.device());
        return count == null ? null : Double.valueOf((double) setting.threads() / count);
    }

    /** Pages a second that the flusher writes; null of schemes without such a rate. */
    private Long rate(String scheme, Setting setting) {
        return scheme == null
                ? null
                : Scheme.rate(scheme, frames(setting.poolPercent()), devices.slowness(setting.device()));
    }

    // --- the report --------------------------------------------------------------------------------------------------

    @Override
    protected String lead() {
        return times().seconds() + " s measured after " + times().warmup() + " s of warm-up, each run alone";
    }

    @Override
    protected String ratioOfPairs() {
        return "ratioOfPairs";
    }

    @Override
    protected List<Column<Run<Setting, String, RunAnswer>>> columns(List<Run<Setting, String, RunAnswer>> runs) {
        Function<Run<Setting, String, RunAnswer>, Long> flushRate =
                run -> rate(scheme(run.setting(), run.contender()), run.setting());
        boolean hasRate = runs.stream().anyMatch(run -> flushRate.apply(run) != null);
        List<Column<Run<Setting, String, RunAnswer>>> columns = new ArrayList<>(List.of(
                contender("scheme", name -> name),
                setting("device", setting -> setting.device().toString()),
                setting("timeScale", setting -> devices.timeScale(setting.device()))
                        .as("time scale", "%s"),
                setting("threads", Setting::threads).inWords("%s threads"),
                setting("poolPercent", Setting::poolPercent).as("pool %", "%s").inWords("a pool of %s %%"),
                setting("readWrite", Setting::readWrite)
                        .as("reads:writes", "%s")
                        .inWords("%s reads to writes"),
                repeat(),
                figure("pages", run -> databasePages),
                figure("frames", run -> frames(run.setting().poolPercent())),
                figure("pageBytes", run -> devices.pageBytes(run.setting().device())),
                shownIf(hasRate, figure("flushPagesPerSecond", flushRate), "rate", "%,.0f"),
                rate("ops/s"),
                figure(RATIO, run -> ratio(run, runs))
                        .as("to " + baseline(), "%.2f")
                        .withRange()
                        .inSummary(),
                figure("threadsPerChannel", run -> threadsPerChannel(run.setting()))
                        .as("N/K", "%.2f"),
                figure("channels", run -> devices.channels(run.setting().device()))));
        columns.addAll(RunColumns.of(runs));
        columns.add(valid());
        return columns;
    }

    /** To the run of the baseline in the same setting and repeat; null for the baseline itself. */
    private Double ratio(Run<Setting, String, RunAnswer> run, List<Run<Setting, String, RunAnswer>> runs) {
        return runs.stream()
                .filter(base -> isBaseline(base)
                        && !isBaseline(run)
                        && base.cell().repeat() == run.cell().repeat()
                        && base.setting().equals(run.setting()))
                .findFirst()
                .map(Run::operationsPerSecond)
                .filter(base -> base > 0)
                .map(base -> run.timed(answer -> answer.operationsPerSecond() / base))
                .orElse(null);
    }

    private boolean isBaseline(Run<?, String, ?> run) {
        return run.contender().equals(baseline()) && run.cell().occurrence() == 1;
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, String, RunAnswer>> results) {
        report.add("sweeps", sweeps.values());
        for (String field : severalOrThreads("threads", "poolPercent", "readWrite", "device")) {
            report.chart(Chart.bars("Throughput", field, "operationsPerSecond", "operations/s"))
                    .chart(Chart.bars("Ratio to " + results.baseline(), field, RATIO, "times its throughput"))
                    .chart(Chart.bars("95th percentile of a miss", field, "missP95Millis", "ms"));
        }
        report.chart(Chart.overTime("Throughput over time", "operations/s", "operationsPerSecond"))
                .chart(Chart.overTime("Read stalls over time", "a second", "readStallsPerSecond"));
    }

    @Override
    protected List<String> notes(List<Run<Setting, String, RunAnswer>> runs) {
        List<String> sentences = new ArrayList<>();
        sentences.add("Runs come one after the other, each alone; a ratio is that of one repeat, and several are shown"
                + " as median (min … max).");
        sentences.add("A closed loop of threads; latencies are those of misses.");
        sentences.addAll(devices.inWords());
        sentences.add("Drift is by how much the second half of a run is faster than the first; beyond "
                + Figures.brief(Steadiness.MOST_DRIFT_PERCENT) + " % either way the run is not stable. Steady is the"
                + " part of the seconds with at least half of the median throughput.");
        sweeps.forEach((setting, sweep) -> {
            if (sweep.bestPagesPerSecond() != null) {
                sentences.add(String.format(
                        Locale.ROOT, "vanilla-best writes %,d pages/s (%s).", sweep.bestPagesPerSecond(), setting));
            }
        });
        return sentences;
    }

    @Override
    protected List<String> conclusion(Results<Run<Setting, String, RunAnswer>> results, int cores, boolean good) {
        return new Conclusion(results, this::threadsPerChannel).sentences();
    }
}
