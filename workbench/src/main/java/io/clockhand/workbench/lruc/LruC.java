// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.experiment.Experiment;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Timed.Percentiles;
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
import io.clockhand.workbench.pages.device.DeviceFigures;
import io.clockhand.workbench.pages.device.DeviceProfile;
import io.clockhand.workbench.pages.driver.Steadiness;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
public final class LruC extends Experiment<LruC.Setting, String, RunAnswer> {
    /** With a frame for each page that a thread has, and as many for its next one, and for what is being written. */
    private static final int FRAMES_PER_THREAD = 4;

    private static final int MOST_SECONDS = 86_400;
    /** To start a JVM, to make and fill the pages, and to check them. */
    private static final int OTHER_SECONDS = 6;
    /** Bytes of the heap for each page of a simulated device, apart from its own. */
    private static final int HEAP_PER_PAGE = 100;

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

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "${COMPLETION-CANDIDATES}: simulated devices, and the disk of --data with direct I/O"
                    + " (default: ${DEFAULT-VALUE}).")
    private Device device = Device.SSD_A;

    @Option(
            names = "--time-scale",
            paramLabel = "X",
            description = "Requests of a simulated device take X times as long, so that the processors of this machine"
                    + " are not the bottleneck (default: ${DEFAULT-VALUE}).")
    private double timeScale = 10;

    @Option(
            names = "--channels",
            paramLabel = "N",
            description =
                    "Channels of a simulated device, which keeps its reads and writes a second; a request takes the"
                            + " longer the more there are (default: those of the preset).")
    private Integer channels;

    @Option(
            names = "--free-writes",
            description = "Writes of a simulated device take no time: for the miss ratio that a scheme would have.")
    private boolean freeWrites;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Gets the data file of the device real, which is deleted afterwards (default: --out).")
    private Path data;

    @Mixin
    private ThreadOptions threads = new ThreadOptions(CommaList.of(32, 64));

    @Option(
            names = "--pool-percent",
            paramLabel = "P,…",
            split = ",",
            description = "How many of a hundred pages the pool holds; a list makes a run for each"
                    + " (default: ${DEFAULT-VALUE}).")
    private List<Double> poolPercent = CommaList.of(10.0);

    @Option(names = "--pages", paramLabel = "N", description = "Pages of the database (default: ${DEFAULT-VALUE}).")
    private int pages = 163_840;

    @Option(
            names = "--read-write",
            paramLabel = "R:W,…",
            split = ",",
            description = "Page reads to page writes, from 1:1; a list makes a run for each (default: 2:1, as TPC-C"
                    + " does it).")
    private List<String> readWrite = CommaList.of("2:1");

    private final Map<Setting, Sweep> sweeps = new LinkedHashMap<>();
    /** Of the device real. */
    private Path file;

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

    /**
     * The settings that compared schemes have in common.
     *
     * @param readWrite page reads and page writes, such as {@code 2:1}
     */
    record Setting(int threads, double poolPercent, String readWrite) {
        private static final Pattern READ_WRITE =
                Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,6})?):([0-9]{1,6}(?:\\.[0-9]{1,6})?)");

        /** Infinite or not a number if nothing is written; negative if the text is no ratio. */
        static double readsPerWrite(String typed) {
            Matcher matcher = READ_WRITE.matcher(typed);
            return matcher.matches() ? Double.parseDouble(matcher.group(1)) / Double.parseDouble(matcher.group(2)) : -1;
        }

        @Override
        public String toString() {
            return Figures.counted(threads, "threads") + ", pool " + Figures.brief(poolPercent) + " %, " + readWrite;
        }
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

    @Override
    protected void check(Usage usage) {
        usage.requireWithin("--time-scale", timeScale, 0.001, 1000);
        usage.requireWithin("--channels", channels == null ? 1 : channels, 1, 4096);
        usage.require(
                !freeWrites || device != Device.REAL,
                "--free-writes needs simulated devices, and " + Device.REAL + " is none");
        threads.check(usage);
        usage.require(
                poolPercent.stream().allMatch(p -> p > 0 && p <= 90),
                "--pool-percent must be greater than 0 and at most 90");
        usage.requireOnce("--pool-percent", "a pool", poolPercent);
        usage.requireWithin("--pages", pages, TpccStream.FEWEST_PAGES, 1 << 26);
        usage.requireOnce("--read-write", "a ratio", readWrite);
        readWrite.forEach(typed -> checkReadWrite(typed, usage));
        usage.requireWithin("--seconds", times().seconds(), 1, MOST_SECONDS);
        usage.requireWithin("--warmup", times().warmup(), 0, MOST_SECONDS);
        times().check(usage, schemes);
        times().fillBaseline(schemes.contains(Scheme.VANILLA) ? Scheme.VANILLA : schemes.get(0));
        poolPercent.forEach(percent -> usage.require(
                frames(percent) >= FRAMES_PER_THREAD * threads.most(),
                "a pool of " + percent + " % of " + pages + " pages has " + frames(percent) + " frames, and needs "
                        + FRAMES_PER_THREAD + " for each thread; raise --pool-percent, or lower --threads"));
    }

    private static void checkReadWrite(String typed, Usage usage) {
        double readsPerWrite = Setting.readsPerWrite(typed);
        usage.require(
                readsPerWrite >= 0 && Double.isFinite(readsPerWrite),
                "--read-write: '" + typed + "' is no ratio of page reads to page writes such as 2:1");
        usage.require(
                readsPerWrite >= 1,
                "--read-write: page reads for each page write must be 1 or more, not " + readsPerWrite);
    }

    private int frames(double percent) {
        return (int) Math.round(percent / 100 * pages);
    }

    @Override
    protected List<Setting> settings() {
        return cross(
                List.of(device),
                poolPercent,
                readWrite,
                threads.threads(),
                (on, percent, ratio, count) -> new Setting(count, percent, ratio));
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

    /** The latencies that are simulated; null for the disk. */
    DeviceProfile profile() {
        return device.profile(channels, timeScale, freeWrites);
    }

    private double slowness() {
        return device.slowness(timeScale);
    }

    @Override
    protected List<String> prepare(Workplace workplace) {
        Memory memory = Memory.of(
                frames(Collections.max(poolPercent)), device.pageBytes(), threads.most(), 0, 1, Environment.memory());
        if (device == Device.REAL) {
            prepareFile(workplace);
        } else {
            memory = memory.withPages((long) pages * (device.pageBytes() + HEAP_PER_PAGE), Environment.memory());
        }
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

    /** Finds out whether the disk can have it. */
    private void prepareFile(Workplace workplace) {
        Path directory = workplace.directory();
        if (data != null) {
            Disk.requireWritable(data, "the data file");
            directory = Disk.workingDirectory(data, ".lru-c-", workplace.cleanUp());
        }
        Disk.require(directory, (long) pages * device.pageBytes(), "the data file");
        file = directory.resolve("pages.data").toAbsolutePath();
        try {
            FilePageStore.open(file, device.pageBytes(), FileOption.CREATE, FileOption.DIRECT)
                    .delete();
        } catch (IOException e) {
            throw new CommandFailure("--device real is not possible: " + e.getMessage(), e);
        }
    }

    private static long seconds(int warmup, int measured) {
        return (long) warmup + measured + OTHER_SECONDS;
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
        return new RunOrder(
                scheme,
                frames(setting.poolPercent()),
                slowness(),
                profile(),
                file == null ? null : file.toString(),
                device.pageBytes(),
                pages,
                Setting.readsPerWrite(setting.readWrite()),
                seed(),
                setting.threads(),
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

    /** N/K of the paper; null for the disk. */
    private Double threadsPerChannel(Setting setting) {
        return profile() == null
                ? null
                : Double.valueOf((double) setting.threads() / profile().channels());
    }

    /** Pages a second that the flusher writes; null of schemes without such a rate. */
    private Long rate(String scheme, Setting setting) {
        return scheme == null ? null : Scheme.rate(scheme, frames(setting.poolPercent()), slowness());
    }

    // --- the report --------------------------------------------------------------------------------------------------

    @Override
    protected String lead() {
        return times().seconds() + " s measured after " + times().warmup() + " s of warm-up, each run alone";
    }

    @Override
    protected List<Column<Run<Setting, String, RunAnswer>>> columns(List<Run<Setting, String, RunAnswer>> runs) {
        Function<Run<Setting, String, RunAnswer>, Long> flushRate =
                run -> rate(scheme(run.setting(), run.contender()), run.setting());
        boolean hasRate = runs.stream().anyMatch(run -> flushRate.apply(run) != null);
        return List.of(
                contender("scheme", name -> name),
                setting("device", setting -> device.toString()),
                setting("timeScale", setting -> device == Device.REAL ? null : timeScale)
                        .as("time scale", "%s"),
                setting("threads", Setting::threads).inWords("%s threads"),
                setting("poolPercent", Setting::poolPercent).as("pool %", "%s").inWords("a pool of %s %%"),
                setting("readWrite", Setting::readWrite)
                        .as("reads:writes", "%s")
                        .inWords("%s reads to writes"),
                repeat(),
                figure("pages", run -> pages),
                figure("frames", run -> frames(run.setting().poolPercent())),
                figure("pageBytes", run -> device.pageBytes()),
                shownIf(hasRate, figure("flushPagesPerSecond", flushRate), "rate", "%,.0f"),
                rate("ops/s"),
                figure(RATIO, run -> ratio(run, runs))
                        .as("to " + baseline(), "%.2f")
                        .withRange()
                        .inSummary(),
                figure("threadsPerChannel", run -> threadsPerChannel(run.setting()))
                        .as("N/K", "%.2f"),
                device("utilisationPercent", figures -> 100 * figures.utilisation())
                        .as("busy %", "%.0f")
                        .inSummary(),
                timed("missesPerSecond", RunAnswer::missesPerSecond),
                timed("missRatio", RunAnswer::missRatio).asPercent("misses %").inSummary(),
                timed("readStallPercent", RunAnswer::readStallPercent)
                        .as("stalls %", "%.2f")
                        .inSummary(),
                timed("latencyMicros", RunAnswer::missMicros).onlyInJson(),
                timed("operationLatencyMicros", RunAnswer::operationMicros).onlyInJson(),
                timed("missP95Millis", LruC::missP95Millis).as("p95 ms", "%.1f").inSummary(),
                timed("framesScannedPerMiss", RunAnswer::framesScannedPerMiss).as("scanned/miss", "%.1f"),
                timed("readsPerSecond", RunAnswer::readsPerSecond).as("reads/s", "%,.0f"),
                timed("writesPerSecond", RunAnswer::writesPerSecond)
                        .as("writes/s", "%,.0f")
                        .inSummary(),
                device("lateMicros", DeviceFigures::lateMicros),
                timed("cpuIdlePercent", RunAnswer::cpuIdlePercent)
                        .as("CPU idle %", "%.0f")
                        .inSummary(),
                steadiness("driftPercent", Steadiness::driftPercent).as("drift %", "%+.1f"),
                steadiness("stable", Steadiness::stable).as("stable", "%s").onlyOfRuns(),
                steadiness("lowestSecondPercent", Steadiness::lowestPercent).as("lowest s %", "%.0f"),
                steadiness("steadyPercent", Steadiness::steadyPercent)
                        .as("steady %", "%.0f")
                        .inSummary(),
                timed("overTime", RunAnswer::overTime).onlyInJson(),
                timed("lostChanges", RunAnswer::lost),
                valid());
    }

    /** Null of the disk. */
    private Column<Run<Setting, String, RunAnswer>> device(String field, Function<DeviceFigures, ?> value) {
        return timed(field, answer -> answer.device() == null ? null : value.apply(answer.device()));
    }

    private Column<Run<Setting, String, RunAnswer>> steadiness(String field, Function<Steadiness, ?> value) {
        return timed(field, answer -> answer.steadiness() == null ? null : value.apply(answer.steadiness()));
    }

    private static Double missP95Millis(RunAnswer answer) {
        Percentiles micros = answer.missMicros();
        return micros == null ? null : Double.valueOf(micros.p95() / 1000);
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
        for (String field : severalOrThreads("threads", "poolPercent", "readWrite")) {
            report.chart(Chart.bars("Throughput", field, "operationsPerSecond", "operations/s"))
                    .chart(Chart.bars("Ratio to " + results.baseline(), field, RATIO, "times its throughput"))
                    .chart(Chart.bars("95th percentile of a miss", field, "missP95Millis", "ms"));
        }
        report.chart(Chart.overTime("Throughput over time", "operations/s", "operationsPerSecond"));
    }

    @Override
    protected List<String> notes(List<Run<Setting, String, RunAnswer>> runs) {
        List<String> sentences = new ArrayList<>();
        sentences.add("Runs come one after the other, each alone; a ratio is that of one repeat, and several are shown"
                + " as median (min … max).");
        sentences.add("A closed loop of threads; latencies are those of misses.");
        if (device != Device.REAL) {
            sentences.add("Requests of the simulated device take " + Figures.brief(timeScale)
                    + " times as long as on the device: multiply rates by that. N/K is threads for each channel, busy"
                    + " the part of the channels' time in which they serve requests.");
        }
        if (freeWrites) {
            sentences.add("Writes take no time.");
        }
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

    /** A sentence for each scheme but the baseline, and one for the runs that are not stable. */
    @Override
    protected List<String> conclusion(Results<Run<Setting, String, RunAnswer>> results, int cores, boolean good) {
        Map<String, String> ratios = new LinkedHashMap<>();
        results.lines().stream()
                .filter(line -> line.paired() != null)
                .forEach(line -> ratios.merge(line.contender(), inWords(results, line), (a, b) -> a + "; " + b));
        List<String> sentences = new ArrayList<>();
        ratios.forEach(
                (contender, words) -> sentences.add(contender + " against " + results.baseline() + ": " + words + "."));
        String unstable = results.runs().stream()
                .filter(RunAnswer::isUnstable)
                .map(run -> String.format(
                        Locale.ROOT,
                        "%s (%+.0f %%)",
                        run.cell(),
                        run.timed().steadiness().driftPercent()))
                .collect(Collectors.joining("; "));
        if (!unstable.isEmpty()) {
            sentences.add("Not stable, so that a longer run may give another figure: " + unstable + ".");
        }
        return sentences;
    }

    private String inWords(
            Results<Run<Setting, String, RunAnswer>> results, Results.Line<Run<Setting, String, RunAnswer>> line) {
        Run<Setting, String, RunAnswer> first = line.runs().get(0);
        String setting = results.settingInWords(first);
        Double threadsPerChannel = threadsPerChannel(first.setting());
        return String.format(
                Locale.ROOT,
                "%.2f times the throughput%s (%s%s)",
                line.paired().median(),
                setting.isEmpty() ? "" : " with " + setting,
                line.pairsInWords(),
                threadsPerChannel == null ? "" : String.format(Locale.ROOT, "; N/K %.2f", threadsPerChannel));
    }
}
