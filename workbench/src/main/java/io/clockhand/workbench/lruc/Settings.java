// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.io.FilePageStore;
import io.clockhand.workbench.device.DeviceProfile;
import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.CommonOptions;
import io.clockhand.workbench.options.OptionValues;
import io.clockhand.workbench.options.ThreadOptions;
import io.clockhand.workbench.options.Usage;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code lru-c}. */
final class Settings {
    /** With a frame for each page that a thread has, and as many for its next one, and for what is being written. */
    static final int FRAMES_PER_THREAD = 4;

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

    @Option(
            names = "--schemes",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfSchemes.class,
            completionCandidates = Choices.OfSchemes.class,
            description = "${COMPLETION-CANDIDATES}; see below (default: ${DEFAULT-VALUE}).")
    private List<String> schemes = CommaList.of(Schemes.COMPARED.toArray(new String[0]));

    @Option(
            names = "--device",
            paramLabel = "NAME,…",
            split = ",",
            converter = Choices.OfDevices.class,
            completionCandidates = Choices.OfDevices.class,
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
            converter = Choices.OfWorkloads.class,
            completionCandidates = Choices.OfWorkloads.class,
            description = "${COMPLETION-CANDIDATES}: a model of TPC-C, or a trace, played over and over, with the"
                    + " writes that it marks (default: ${DEFAULT-VALUE}).")
    private String workload = Choices.OfWorkloads.TPCC;

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

    @Mixin
    private RunOptions runs = new RunOptions();

    @Mixin
    private CommonOptions common = new CommonOptions();

    /** Refuses wrong values, and fills in the defaults that depend on others. */
    void check(Usage usage) {
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
        runs.check(usage, schemes);
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
    String tooFewFrames(double percent, int ofPages) {
        return "a pool of " + percent + " % of " + ofPages + " pages has " + frames(percent, ofPages)
                + " frames, and needs " + FRAMES_PER_THREAD + " for each thread; raise --pool-percent, or lower"
                + " --threads";
    }

    static int frames(double percent, int ofPages) {
        return (int) Math.round(percent / PERCENT * ofPages);
    }

    boolean isTrace() {
        return Workloads.isTrace(workload);
    }

    /** Every device with every pool, ratio and number of threads, by groups that are compared. */
    List<List<Cell<Setting, Contender>>> plan() {
        List<Setting> settings = new ArrayList<>();
        for (String name : device) {
            for (double percent : poolPercent) {
                for (String ratio : readWrite) {
                    threads.threads().forEach(count -> settings.add(new Setting(name, count, percent, ratio)));
                }
            }
        }
        List<Contender> contenders = schemes.stream().map(Contender::new).toList();
        return Cell.plan(settings, contenders, runs.repeat());
    }

    /** Those of these lists that have several values, else the first. */
    List<String> severalOf(String... fields) {
        Map<String, Object> options = asOptions();
        List<String> several = Arrays.stream(fields)
                .filter(field -> options.get(field) instanceof List<?> list && list.size() > 1)
                .toList();
        return several.isEmpty() ? List.of(fields[0]) : several;
    }

    List<String> devices() {
        return device;
    }

    /** Of simulated devices; the disk is as fast as it is. */
    double timeScale(String ofDevice) {
        return Devices.isReal(ofDevice) ? 1 : timeScale;
    }

    /** How much slower a device writes than the one for which the rates of the schemes are stated. */
    double slowness(String ofDevice) {
        return Devices.slowness(ofDevice, timeScale(ofDevice));
    }

    /** Null for the disk. */
    DeviceProfile profile(String ofDevice) {
        return Devices.profile(ofDevice, timeScale(ofDevice), channels == null ? 0 : channels, freeWrites);
    }

    double simulatedScale() {
        return timeScale;
    }

    int pageBytes(String ofDevice) {
        return pageBytes != null ? pageBytes : Devices.isReal(ofDevice) ? REAL_PAGE_BYTES : SIMULATED_PAGE_BYTES;
    }

    int mostThreads() {
        return threads.most();
    }

    double mostPoolPercent() {
        return Collections.max(poolPercent);
    }

    double leastPoolPercent() {
        return Collections.min(poolPercent);
    }

    /** Of the model; a trace has its own number. */
    int pages() {
        return pages;
    }

    String workload() {
        return workload;
    }

    /** Of a trace; null to find out. */
    TraceFormat format() {
        return FormatChoice.format(format);
    }

    /** References a second; 0 for as many as the threads can. */
    double rate() {
        return rate == null ? 0 : rate;
    }

    boolean freeWrites() {
        return freeWrites;
    }

    RunOptions runs() {
        return runs;
    }

    long seed() {
        return common.seed();
    }

    Path out() {
        return common.out();
    }

    /** The directory of the data file; null for that of the results. */
    Path data() {
        return data;
    }

    Map<String, Object> asOptions() {
        return OptionValues.of(this);
    }
}
