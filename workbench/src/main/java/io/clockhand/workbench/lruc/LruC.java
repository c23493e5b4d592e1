// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.experiment.Experiment;
import io.clockhand.workbench.experiment.Explorer;
import io.clockhand.workbench.experiment.Launch;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Run;
import io.clockhand.workbench.experiment.Workplace;
import io.clockhand.workbench.lruc.driver.RunAnswer;
import io.clockhand.workbench.lruc.driver.RunAnswer.Latency;
import io.clockhand.workbench.lruc.driver.RunOrder;
import io.clockhand.workbench.lruc.driver.WriteMix;
import io.clockhand.workbench.lruc.pool.PoolFigures;
import io.clockhand.workbench.options.Choice;
import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.Names;
import io.clockhand.workbench.options.RunTimes;
import io.clockhand.workbench.options.ThreadOptions;
import io.clockhand.workbench.options.Usage;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.device.DeviceFigures;
import io.clockhand.workbench.pages.device.DeviceProfile;
import io.clockhand.workbench.pages.driver.Timing;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Chart;
import io.clockhand.workbench.report.Column;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.Report;
import io.clockhand.workbench.report.Results;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;
import java.nio.file.Path;
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
import picocli.CommandLine.TypeConversionException;

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
            more than 5 % is marked: it is not stable.""")
public final class LruC extends Experiment<LruC.Setting, LruC.Contender, RunAnswer> {
    /** With a frame for each page that a thread has, and as many for its next one, and for what is being written. */
    private static final int FRAMES_PER_THREAD = 4;

    private static final int FEWEST_PAGES = 250;
    private static final int MOST_PAGES = 1 << 26;
    private static final double MOST_POOL_PERCENT = 90;
    private static final double LEAST_SCALE = 0.001;
    private static final double MOST_SCALE = 1000;
    private static final int MOST_CHANNELS = 4096;
    private static final long MOST_RATE = 1_000_000_000;
    private static final double PERCENT = 100;
    private static final int SIMULATED_PAGE_BYTES = 512;
    private static final int REAL_PAGE_BYTES = 4096;
    private static final int MOST_SECONDS = 86_400;
    /** To start a JVM, to make and fill the pages, and to check them. */
    private static final int OTHER_SECONDS = 6;
    /** Bytes of the heap for each page in memory, apart from its own. */
    private static final int HEAP_PER_PAGE = 100;

    private static final String TPCC = "tpcc";
    private static final String RATIO = "ratioToBaseline";
    private static final double MICROS_PER_MILLI = 1_000;

    @Option(
            names = "--schemes",
            paramLabel = "NAME,…",
            split = ",",
            converter = SchemeChoice.class,
            completionCandidates = SchemeChoice.class,
            description = "${COMPLETION-CANDIDATES}; see below (default: ${DEFAULT-VALUE}).")
    private List<String> schemes = CommaList.of(Schemes.COMPARED.toArray(new String[0]));

    @Option(
            names = "--device",
            paramLabel = "NAME,…",
            split = ",",
            converter = DeviceChoice.class,
            completionCandidates = DeviceChoice.class,
            description = "${COMPLETION-CANDIDATES}: simulated devices, and the disk of --data with direct I/O; a list"
                    + " makes a run for each (default: ${DEFAULT-VALUE}).")
    private List<String> device = CommaList.of("ssd-a");

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
                    "Channels of the simulated devices, which keep their reads and writes a second; a request takes"
                            + " the longer the more there are (default: those of the preset).")
    private Integer channels;

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
            names = "--page-bytes",
            paramLabel = "N",
            description = "A power of two from 512 to 65536 (default: 512 on simulated devices, 4096 on the disk).")
    private Integer pageBytes;

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

    @Option(
            names = "--free-writes",
            description = "Writes of simulated devices take no time: for the miss ratio that a scheme would have.")
    private boolean freeWrites;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Gets the data file of the device real, which is deleted afterwards (default: --out).")
    private Path data;

    private final Map<Setting, Sweep> sweeps = new LinkedHashMap<>();
    private References references;
    private Path files;

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
     * @param readWrite page reads and page writes, such as {@code 2:1}; null if a trace has them
     */
    record Setting(String device, int threads, double poolPercent, String readWrite) {
        @Override
        public String toString() {
            return device + ", " + Figures.counted(threads, "threads") + ", pool " + Figures.brief(poolPercent) + " %"
                    + (readWrite == null ? "" : ", " + readWrite);
        }
    }

    /**
     * A pool with its way to find frames and to write pages.
     *
     * @param scheme as typed
     */
    record Contender(String scheme) {
        @Override
        public String toString() {
            return scheme;
        }
    }

    /** Some have any number or any policy in their names. */
    static final class SchemeChoice extends Choice<String> {
        SchemeChoice() {
            super("scheme", Schemes.possible(), name -> name);
        }

        @Override
        public String convert(String name) {
            try {
                Schemes.check(name);
                return name;
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    static final class DeviceChoice extends Choice<String> {
        DeviceChoice() {
            super("device", Devices.names(), name -> name);
        }
    }

    /** The model of TPC-C, or a trace with any file. */
    static final class WorkloadChoice extends Choice<String> {
        private static final List<String> POSSIBLE = List.of(TPCC, Workloads.TRACE + "FILE");

        WorkloadChoice() {
            super("workload", POSSIBLE, name -> name);
        }

        @Override
        public String convert(String name) {
            boolean known = name.equals(TPCC) || (Workloads.isTrace(name) && name.length() > Workloads.TRACE.length());
            if (!known) {
                throw new TypeConversionException(Names.unknown("workload", name, POSSIBLE));
            }
            return name;
        }
    }

    @Override
    protected void check(Usage usage) {
        usage.requireOnce("--device", "a device", device);
        usage.requireWithin("--time-scale", timeScale, LEAST_SCALE, MOST_SCALE);
        if (channels != null) {
            usage.requireWithin("--channels", channels, 1, MOST_CHANNELS);
        }
        threads.check(usage);
        usage.require(
                poolPercent.stream().allMatch(p -> p > 0 && p <= MOST_POOL_PERCENT),
                "--pool-percent must be greater than 0 and at most 90");
        usage.requireOnce("--pool-percent", "a pool", poolPercent);
        usage.requireWithin("--pages", pages, FEWEST_PAGES, MOST_PAGES);
        requirePageBytes(usage);
        requireReadWrite(usage);
        if (rate != null) {
            usage.requireWithin("--rate", rate, 1, MOST_RATE);
        }
        usage.require(
                !freeWrites || device.stream().noneMatch(Devices::isReal),
                "--free-writes needs simulated devices, and " + Devices.REAL + " is none");
        usage.requireWithin("--seconds", times().seconds(), 1, MOST_SECONDS);
        usage.requireWithin("--warmup", times().warmup(), 0, MOST_SECONDS);
        times().check(usage, schemes);
        times().fillBaseline(schemes.contains(Schemes.VANILLA) ? Schemes.VANILLA : schemes.get(0));
        if (!isTrace()) {
            poolPercent.forEach(percent -> usage.require(
                    frames(percent, pages) >= FRAMES_PER_THREAD * threads.most(), tooFewFrames(percent, pages)));
        }
    }

    private void requirePageBytes(Usage usage) {
        if (pageBytes == null) {
            return;
        }
        try {
            FilePageStore.checkPageBytes(pageBytes);
        } catch (IllegalArgumentException e) {
            throw usage.wrong("--page-bytes: " + e.getMessage());
        }
    }

    private void requireReadWrite(Usage usage) {
        usage.requireOnce("--read-write", "a ratio", readWrite);
        usage.require(
                !isTrace() || !(usage.isTyped("--read-write") || usage.isTyped("--pages")),
                "--read-write and --pages are of the workload tpcc: a trace has its own pages and writes");
        try {
            readWrite.forEach(ReadWrite::mix);
        } catch (IllegalArgumentException e) {
            throw usage.wrong("--read-write: " + e.getMessage());
        }
        if (isTrace()) {
            readWrite = Collections.singletonList(null);
        }
    }

    /** Why a pool is too small. */
    private String tooFewFrames(double percent, int ofPages) {
        return "a pool of " + percent + " % of " + ofPages + " pages has " + frames(percent, ofPages)
                + " frames, and needs " + FRAMES_PER_THREAD + " for each thread; raise --pool-percent, or lower"
                + " --threads";
    }

    static int frames(double percent, int ofPages) {
        return (int) Math.round(percent / PERCENT * ofPages);
    }

    private boolean isTrace() {
        return Workloads.isTrace(workload);
    }

    @Override
    protected List<Setting> settings() {
        List<Setting> settings = new ArrayList<>();
        for (String name : device) {
            for (double percent : poolPercent) {
                for (String ratio : readWrite) {
                    threads.threads().forEach(count -> settings.add(new Setting(name, count, percent, ratio)));
                }
            }
        }
        return settings;
    }

    @Override
    protected List<Contender> contenders() {
        return schemes.stream().map(Contender::new).toList();
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

    // --- devices and pools -------------------------------------------------------------------------------------------

    /** Of simulated devices; the disk is as fast as it is. */
    double timeScale(String ofDevice) {
        return Devices.isReal(ofDevice) ? 1 : timeScale;
    }

    /** How much slower a device writes than the one for which the rates of the schemes are stated. */
    private double slowness(String ofDevice) {
        return Devices.slowness(ofDevice, timeScale(ofDevice));
    }

    /** Null for the disk. */
    private DeviceProfile profile(String ofDevice) {
        return Devices.profile(ofDevice, timeScale(ofDevice), channels == null ? 0 : channels, freeWrites);
    }

    int pageBytes(String ofDevice) {
        return pageBytes != null ? pageBytes : Devices.isReal(ofDevice) ? REAL_PAGE_BYTES : SIMULATED_PAGE_BYTES;
    }

    private int frames(Setting setting) {
        return frames(setting.poolPercent(), references.pages());
    }

    /** Reads the trace, if there is one. */
    void readReferences(Path directory) {
        references = isTrace()
                ? References.ofTrace(workload, FormatChoice.format(format), seed(), directory)
                : new References(null, null, pages, 0, seed());
    }

    @Override
    protected List<String> prepare(Workplace workplace) {
        readReferences(workplace.directory());
        double least = Collections.min(poolPercent);
        if (frames(least, references.pages()) < FRAMES_PER_THREAD * threads.most()) {
            throw new CommandFailure(tooFewFrames(least, references.pages()));
        }
        Memory memory = memory();
        files = workplace.directory();
        if (data != null) {
            Disk.requireWritable(data, "the data file");
            files = Disk.workingDirectory(data, ".lru-c-", workplace.cleanUp());
        }
        if (device.stream().anyMatch(Devices::isReal)) {
            requireDirectIo(files);
        }
        long sweeping = schemes.contains(Schemes.VANILLA_BEST) ? settings().size() : 0;
        long cells = (long) settings().size() * schemes.size() * times().repeat();
        Timing part = partOfSweep();
        long seconds = cells * (times().warmup() + times().seconds() + OTHER_SECONDS)
                + sweeping * Sweep.runs() * (part.warmupSeconds() + part.seconds() + OTHER_SECONDS);
        workplace
                .journal()
                .say("Runs come one after the other: about " + (TimeUnit.SECONDS.toMinutes(seconds) + 1) + " minutes"
                        + (sweeping == 0
                                ? "."
                                : ", with " + sweeping * Sweep.runs()
                                        + " shorter ones that find the best rate of vanilla."));
        return memory.jvmFlags();
    }

    /** The pages of simulated devices lie on the heap. */
    private Memory memory() {
        int largest = device.stream().mapToInt(this::pageBytes).max().orElseThrow();
        Memory pool = Memory.of(
                frames(Collections.max(poolPercent), references.pages()),
                largest,
                threads.most(),
                references.traceLength(),
                1,
                Environment.memory());
        long database = device.stream()
                .filter(name -> !Devices.isReal(name))
                .mapToLong(name -> (long) references.pages() * (pageBytes(name) + HEAP_PER_PAGE))
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
        int bytes = pageBytes(Devices.REAL);
        Disk.require(data, (long) references.pages() * bytes, "the data file");
        try {
            FilePageStore.open(data.resolve("probe.data"), bytes, FileOption.CREATE, FileOption.DIRECT)
                    .delete();
        } catch (IOException e) {
            throw new CommandFailure("--device real is not possible: " + e.getMessage(), e);
        }
    }

    // --- runs --------------------------------------------------------------------------------------------------------

    private Timing partOfSweep() {
        return Timing.alone(Sweep.seconds(times().warmup()), Sweep.seconds(times().seconds()));
    }

    /** Finds the best rate of vanilla in a setting, once. */
    @Override
    protected void explore(Setting setting, Explorer<Setting, Contender, RunAnswer> explorer) {
        if (!schemes.contains(Schemes.VANILLA_BEST) || sweeps.containsKey(setting)) {
            return;
        }
        List<Sweep.Point> points = new ArrayList<>();
        for (long pagesPerSecond : Sweep.rates(Schemes.vanillaRate(frames(setting), slowness(setting.device())))) {
            String scheme = Schemes.vanilla(pagesPerSecond);
            RunAnswer answer = explorer.run(
                    new Cell<>(setting, new Contender(scheme), 0), launch -> order(launch, scheme, partOfSweep()));
            if (answer != null) {
                points.add(new Sweep.Point(pagesPerSecond, answer.operationsPerSecond()));
            }
        }
        sweeps.put(setting, new Sweep(setting, points));
    }

    /** The scheme that is run; null if no run of the sweep has ended. */
    private String scheme(Setting setting, Contender contender) {
        if (!contender.scheme().equals(Schemes.VANILLA_BEST)) {
            return contender.scheme();
        }
        Long best = sweeps.containsKey(setting) ? sweeps.get(setting).best() : null;
        return best == null ? null : Schemes.vanilla(best);
    }

    @Override
    protected Order<RunAnswer> timedOrder(Launch<Setting, Contender> launch) {
        String scheme = scheme(launch.setting(), launch.contender());
        if (scheme == null) {
            throw new CommandFailure("no run of the sweep has ended");
        }
        return order(launch, scheme, launch.timing());
    }

    private RunOrder order(Launch<Setting, Contender> launch, String scheme, Timing timing) {
        Setting setting = launch.setting();
        String name = setting.device();
        String file = Devices.isReal(name)
                ? files.resolve("pages.data").toAbsolutePath().toString()
                : null;
        return new RunOrder(
                new RunOrder.Pool(scheme, frames(setting), slowness(name)),
                new RunOrder.Device(profile(name), file, pageBytes(name)),
                references.source(setting),
                setting.threads(),
                rate == null ? 0 : rate,
                timing);
    }

    @Override
    protected List<String> remarks(Run<Setting, Contender, RunAnswer> run, RunAnswer answer) {
        return List.of(String.format(
                Locale.ROOT,
                "  %s: %,.0f operations a second, %s %% of misses stalled%s",
                run.cell().name(),
                answer.operationsPerSecond(),
                Figures.of("%.2f", answer.readStallPercent()),
                isUnstable(run) ? "; it is not stable" : ""));
    }

    private static <V> V steadiness(Run<?, ?, RunAnswer> run, Function<Steadiness, V> figure) {
        Steadiness steadiness = run.timed(answer -> Steadiness.of(answer.overTime()));
        return steadiness == null ? null : figure.apply(steadiness);
    }

    private static boolean isUnstable(Run<?, ?, RunAnswer> run) {
        return Boolean.FALSE.equals(steadiness(run, Steadiness::stable));
    }

    private static Double utilisation(Run<?, ?, RunAnswer> run) {
        return run.timed(answer -> answer.device(device -> 100 * device.utilisation()));
    }

    /** Null if the device is not simulated. */
    private Integer channels(Setting setting) {
        DeviceProfile profile = profile(setting.device());
        return profile == null ? null : Integer.valueOf(profile.channels());
    }

    /** N/K of the paper. */
    private Double threadsPerChannel(Setting setting) {
        Integer count = channels(setting);
        return count == null ? null : Double.valueOf((double) setting.threads() / count);
    }

    /** Pages a second that the background thread of a vanilla writes; null for other schemes. */
    private Long flushRate(Run<Setting, Contender, RunAnswer> run) {
        String scheme = scheme(run.setting(), run.contender());
        return scheme == null
                ? null
                : Schemes.rate(
                        scheme, frames(run.setting()), slowness(run.setting().device()));
    }

    // --- the report --------------------------------------------------------------------------------------------------

    @Override
    protected String lead() {
        return String.format(
                Locale.ROOT,
                "%d s measured after %d s of warm-up, each run alone",
                times().seconds(),
                times().warmup());
    }

    @Override
    protected String ratioOfPairs() {
        return "ratioOfPairs";
    }

    @Override
    protected List<Column<Run<Setting, Contender, RunAnswer>>> columns(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<Column<Run<Setting, Contender, RunAnswer>>> columns = new ArrayList<>(settingColumns(runs));
        columns.addAll(throughputColumns(runs));
        columns.addAll(missColumns(runs));
        columns.addAll(deviceColumns());
        columns.addAll(stateColumns());
        return columns;
    }

    private List<Column<Run<Setting, Contender, RunAnswer>>> settingColumns(
            List<Run<Setting, Contender, RunAnswer>> runs) {
        Column<Run<Setting, Contender, RunAnswer>> flushRate = figure("flushPagesPerSecond", this::flushRate);
        return List.of(
                contender("scheme", Contender::scheme),
                setting("device", Setting::device),
                setting("timeScale", setting -> Devices.isReal(setting.device()) ? null : Double.valueOf(timeScale))
                        .as("time scale", "%s"),
                setting("threads", Setting::threads).inWords("%s threads"),
                setting("poolPercent", Setting::poolPercent).as("pool %", "%s").inWords("a pool of %s %%"),
                setting("readWrite", Setting::readWrite)
                        .as("reads:writes", "%s")
                        .inWords("%s reads to writes"),
                repeat(),
                figure("pages", run -> references.pages()),
                figure("frames", run -> frames(run.setting())),
                figure("pageBytes", run -> pageBytes(run.setting().device())),
                runs.stream().anyMatch(run -> flushRate(run) != null) ? flushRate.as("rate", "%,.0f") : flushRate);
    }

    private List<Column<Run<Setting, Contender, RunAnswer>>> throughputColumns(
            List<Run<Setting, Contender, RunAnswer>> runs) {
        return List.of(
                rate("ops/s"),
                figure(RATIO, run -> ratio(run, runs))
                        .as("to " + baseline(), "%.2f")
                        .withRange()
                        .inSummary(),
                figure("threadsPerChannel", run -> threadsPerChannel(run.setting()))
                        .as("N/K", "%.2f"),
                figure("channels", run -> channels(run.setting())),
                figure("utilisationPercent", LruC::utilisation)
                        .as("busy %", "%.0f")
                        .inSummary());
    }

    private List<Column<Run<Setting, Contender, RunAnswer>>> missColumns(
            List<Run<Setting, Contender, RunAnswer>> runs) {
        Column<Run<Setting, Contender, RunAnswer>> mutexMillis =
                timed("mutexWaitMillisPerSecond", RunAnswer::mutexWaitMillisPerSecond);
        return List.of(
                timed("missesPerSecond", RunAnswer::missesPerSecond),
                timed("missRatio", RunAnswer::missRatio).asPercent("misses %").inSummary(),
                timed("readStallPercent", RunAnswer::readStallPercent)
                        .as("stalls %", "%.2f")
                        .inSummary(),
                timed("latencyMicros", RunAnswer::missMicros).onlyInJson(),
                timed("operationLatencyMicros", RunAnswer::operationMicros).onlyInJson(),
                latency("missP50Millis", "p50 ms", Latency::p50),
                latency("missP95Millis", "p95 ms", Latency::p95).inSummary(),
                latency("missP99Millis", "p99 ms", Latency::p99),
                timed("framesScannedPerMiss", RunAnswer::framesScannedPerMiss).as("scanned/miss", "%.1f"),
                pool("mutexWaits", PoolFigures::mutexWaits),
                runs.stream()
                                .anyMatch(run -> run.timed() != null
                                        && run.timed().pool().mutexWaits() > 0)
                        ? mutexMillis.as("mutex ms/s", "%.1f")
                        : mutexMillis);
    }

    private Column<Run<Setting, Contender, RunAnswer>> latency(
            String field, String head, Function<Latency, Double> percentile) {
        return timed(
                        field,
                        answer -> answer.missMicros() == null
                                ? null
                                : percentile.apply(answer.missMicros()) / MICROS_PER_MILLI)
                .as(head, "%.1f");
    }

    private Column<Run<Setting, Contender, RunAnswer>> pool(String field, Function<PoolFigures, ?> value) {
        return timed(field, answer -> value.apply(answer.pool()));
    }

    private List<Column<Run<Setting, Contender, RunAnswer>>> deviceColumns() {
        return List.of(
                timed("readsPerSecond", RunAnswer::readsPerSecond).as("reads/s", "%,.0f"),
                timed("writesPerSecond", RunAnswer::writesPerSecond)
                        .as("writes/s", "%,.0f")
                        .inSummary(),
                timed("pagesPerBatch", RunAnswer::pagesPerBatch).as("pages/batch", "%.1f"),
                device("requestsInFlight", DeviceFigures::inFlight),
                device("requestsQueued", DeviceFigures::queued),
                device("readMicros", figures -> figures.reads().meanMicros()),
                device("writeMicros", figures -> figures.writes().meanMicros()),
                device("lateMicros", DeviceFigures::lateMicros));
    }

    private Column<Run<Setting, Contender, RunAnswer>> device(String field, Function<DeviceFigures, ?> value) {
        return timed(field, answer -> answer.device(value));
    }

    private List<Column<Run<Setting, Contender, RunAnswer>>> stateColumns() {
        return List.of(
                timed("cpuIdlePercent", RunAnswer::cpuIdlePercent)
                        .as("CPU idle %", "%.0f")
                        .inSummary(),
                figure("driftPercent", run -> steadiness(run, Steadiness::driftPercent))
                        .as("drift %", "%+.1f")
                        .badIf(LruC::isUnstable),
                figure("stable", run -> steadiness(run, Steadiness::stable))
                        .as("stable", "%s")
                        .onlyOfRuns()
                        .badIf(LruC::isUnstable),
                figure("notStable", run -> steadiness(run, steadiness -> steadiness.stable() ? 0 : 1))
                        .as("not stable", "%.0f")
                        .added()
                        .onlyInTables(),
                figure("lowestSecondPercent", run -> steadiness(run, Steadiness::lowestPercent))
                        .as("lowest s %", "%.0f"),
                figure("steadyPercent", run -> steadiness(run, Steadiness::steadyPercent))
                        .as("steady %", "%.0f")
                        .inSummary(),
                timed("overTime", RunAnswer::overTime).onlyInJson(),
                timed("closeSeconds", RunAnswer::closeSeconds),
                timed("lostChanges", RunAnswer::lost),
                valid());
    }

    /** To the run of the baseline in the same setting and repeat; null for the baseline itself. */
    private Double ratio(Run<Setting, Contender, RunAnswer> run, List<Run<Setting, Contender, RunAnswer>> runs) {
        if (run.timed() == null || isBaseline(run)) {
            return null;
        }
        return runs.stream()
                .filter(other -> isBaseline(other)
                        && other.cell().repeat() == run.cell().repeat()
                        && other.setting().equals(run.setting())
                        && other.timed() != null
                        && other.operationsPerSecond() > 0)
                .findFirst()
                .map(base -> run.operationsPerSecond() / base.operationsPerSecond())
                .orElse(null);
    }

    private boolean isBaseline(Run<Setting, Contender, RunAnswer> run) {
        return run.contender().scheme().equals(baseline()) && run.cell().occurrence() == 1;
    }

    @Override
    protected void addTo(Report report, Results<Run<Setting, Contender, RunAnswer>> results) {
        report.add("sweeps", sweeps.values().stream().map(LruC::sweep).toList());
        List<String> several = severalOf("threads", "poolPercent", "readWrite", "device");
        for (String field : several.isEmpty() ? List.of("threads") : several) {
            report.chart(Chart.bars("Throughput", field, "operationsPerSecond", "operations/s"))
                    .chart(Chart.bars("Ratio to " + results.baseline(), field, RATIO, "times its throughput"))
                    .chart(Chart.bars("95th percentile of a miss", field, "missP95Millis", "ms"));
        }
        report.chart(Chart.overTime("Throughput over time", "operations/s", "operationsPerSecond"))
                .chart(Chart.overTime("Read stalls over time", "a second", "readStallsPerSecond"));
    }

    private static Map<String, Object> sweep(Sweep sweep) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("device", sweep.setting().device());
        fields.put("threads", sweep.setting().threads());
        fields.put("poolPercent", sweep.setting().poolPercent());
        fields.put("readWrite", sweep.setting().readWrite());
        fields.put("bestPagesPerSecond", sweep.best());
        fields.put("runs", sweep.points());
        return fields;
    }

    @Override
    protected List<String> notes(List<Run<Setting, Contender, RunAnswer>> runs) {
        List<String> sentences = new ArrayList<>();
        sentences.add("Runs come one after the other, each alone; a ratio is that of one repeat, and several are shown"
                + " as median (min … max).");
        sentences.add("A closed loop of threads; latencies are those of misses.");
        if (device.stream().anyMatch(name -> !Devices.isReal(name))) {
            sentences.add("Requests of simulated devices take " + Figures.brief(timeScale)
                    + " times as long as on the device: multiply rates by that. N/K is threads for each channel, busy"
                    + " the part of the channels' time in which they serve requests.");
        }
        if (freeWrites) {
            sentences.add("Writes take no time.");
        }
        sentences.add("Drift is by how much the second half of a run is faster than the first; beyond "
                + Figures.brief(Steadiness.MOST_DRIFT_PERCENT) + " % either way the run is not stable. Steady is the"
                + " part of the seconds with at least half of the median throughput.");
        sweeps.values().stream()
                .filter(sweep -> sweep.best() != null)
                .map(sweep -> String.format(
                        Locale.ROOT, "vanilla-best writes %,d pages/s (%s).", sweep.best(), sweep.setting()))
                .forEach(sentences::add);
        return sentences;
    }

    /** A sentence for each scheme but the baseline, and one for the runs that are not stable. */
    @Override
    protected List<String> conclusion(Results<Run<Setting, Contender, RunAnswer>> results, int cores, boolean good) {
        Map<String, List<Results.Line<Run<Setting, Contender, RunAnswer>>>> lines = results.lines().stream()
                .filter(line -> line.paired() != null)
                .collect(Collectors.groupingBy(Results.Line::contender, LinkedHashMap::new, Collectors.toList()));
        List<String> sentences = new ArrayList<>();
        lines.forEach((contender, own) -> sentences.add(contender + " against " + results.baseline() + ": "
                + own.stream().map(line -> inWords(line, results)).collect(Collectors.joining("; "))
                + "."));
        List<String> unstable = results.runs().stream()
                .filter(LruC::isUnstable)
                .map(run -> String.format(
                        Locale.ROOT, "%s (%+.0f %%)", run.cell(), steadiness(run, Steadiness::driftPercent)))
                .toList();
        if (!unstable.isEmpty()) {
            sentences.add(
                    "Not stable, so that a longer run may give another figure: " + String.join("; ", unstable) + ".");
        }
        return sentences;
    }

    private String inWords(
            Results.Line<Run<Setting, Contender, RunAnswer>> line,
            Results<Run<Setting, Contender, RunAnswer>> results) {
        Run<Setting, Contender, RunAnswer> first = line.runs().get(0);
        String setting = results.settingInWords(first);
        List<String> about = new ArrayList<>();
        if (line.pairs() > 1) {
            about.add(String.format(
                    Locale.ROOT,
                    "%.2f … %.2f in %d pairs",
                    line.paired().min(),
                    line.paired().max(),
                    line.pairs()));
        } else {
            about.add("one pair");
        }
        if (threadsPerChannel(first.setting()) != null && utilisation(first) != null) {
            about.add(String.format(
                    Locale.ROOT, "N/K %.2f, %.0f %% busy", threadsPerChannel(first.setting()), utilisation(first)));
        }
        return String.format(
                Locale.ROOT,
                "%.2f times the throughput%s (%s)",
                line.paired().median(),
                setting.isEmpty() ? "" : " with " + setting,
                String.join("; ", about));
    }

    /** Ratios of page reads to page writes, as they are typed. */
    static final class ReadWrite {
        private static final Pattern RATIO =
                Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,6})?):([0-9]{1,6}(?:\\.[0-9]{1,6})?)");

        private ReadWrite() {}

        /** Throws {@link IllegalArgumentException}, in a sentence, if it is none, or has more writes than reads. */
        static WriteMix mix(String typed) {
            Matcher matcher = RATIO.matcher(typed);
            if (!matcher.matches() || Double.parseDouble(matcher.group(2)) == 0) {
                throw new IllegalArgumentException(
                        "'" + typed + "' is no ratio of page reads to page writes such as 2:1");
            }
            return WriteMix.ofRatio(Double.parseDouble(matcher.group(1)) / Double.parseDouble(matcher.group(2)));
        }
    }
}
