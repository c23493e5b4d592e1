// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.experiment.options.AccessOptions;
import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.CommonOptions;
import io.clockhand.workbench.experiment.options.Names;
import io.clockhand.workbench.experiment.options.OptionValues;
import io.clockhand.workbench.experiment.options.PolicyNames;
import io.clockhand.workbench.experiment.options.ThreadOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.simulate.PolicyPool.CleanerModel;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code simulate}. */
final class Settings {
    /** The optimum, which is no policy of the library. */
    static final String OPTIMUM = "opt";

    /** Stands for every policy whose name needs no form before it. */
    static final String ALL = "all";

    static final int DEFAULT_INTERLEAVE = 16;

    private static final String STANDARD_INPUT = "-";
    private static final String ADAPTIVE = "adaptive";
    private static final int MOST_IN_FLIGHT = 1 << 20;
    private static final int FEWEST_SAMPLE = 1000;
    private static final int MOST_SAMPLE = 1 << 28;
    private static final List<FrameCount> DEFAULT_FRAMES = FrameCount.counts(4096, 8192, 16_384, 32_768);

    @Option(
            names = "--trace",
            paramLabel = "FILE|NAME,…",
            split = ",",
            description = "FILE, - for standard input, paper80, paper45, paper80+scan, uniform, hot-page or tpcc:W"
                    + " (default: paper80); see below.")
    private List<String> trace = List.of("paper80");

    @Option(
            names = "--format",
            paramLabel = "NAME,…",
            split = ",",
            converter = FormatChoice.class,
            completionCandidates = FormatChoice.class,
            description = "Of the files, one for all or one for each --trace: ${COMPLETION-CANDIDATES} (default:"
                    + " ${DEFAULT-VALUE}).")
    private List<String> format = CommaList.of(FormatChoice.AUTO);

    @Option(
            names = "--column",
            paramLabel = "NAME|N",
            description = "Of CSV files: the column that has the pages, by its head or its number (default: lbn).")
    private String column;

    @Option(
            names = "--policies",
            paramLabel = "NAME,…",
            split = PolicyNames.COMMA,
            splitSynopsisLabel = ",",
            converter = PolicyChoice.class,
            completionCandidates = PolicyChoice.class,
            description = "${COMPLETION-CANDIDATES}" + PolicyNames.COMBINED
                    + "; all has every policy, and leaves out forms (default: all, or those of the check).")
    private List<String> policies;

    @Option(
            names = "--frames",
            paramLabel = "N|P%,…",
            split = ",",
            converter = FrameCount.Converter.class,
            description = "How many pages the pool holds, or which share of the pages of the trace (default:"
                    + " 4096,8192,16384,32768, or those of the check).")
    private List<FrameCount> frames;

    @Option(
            names = "--curve",
            description =
                    "The whole curve: 17 sizes from 0.5 to 100 percent of the pages, estimated from a" + " sample.")
    private boolean curve;

    @Option(
            names = "--sample-pages",
            paramLabel = "N",
            description = "Estimates hits from about N pages and a pool that is smaller by the same factor; 0 for all"
                    + " pages, which is exact (default: 0, or 16384 with --curve).")
    private Integer samplePages;

    @Option(
            names = "--over-time",
            paramLabel = "N",
            description = "Hit ratio over time: of each of N equal parts of the references that count (default:"
                    + " ${DEFAULT-VALUE}, for none).")
    private int parts;

    @Mixin
    private ThreadOptions threads = new ThreadOptions(CommaList.of(1));

    @Option(
            names = "--interleave",
            paramLabel = "N",
            description = "Several threads take turns of N references each (default: ${DEFAULT-VALUE}).")
    private int interleave = DEFAULT_INTERLEAVE;

    @Option(
            names = "--dirty-share",
            paramLabel = "P|trace,…",
            split = ",",
            converter = DirtyShare.Converter.class,
            description = "Percent of the references that make their page dirty, drawn by --seed; or those that a trace"
                    + " marks as writes (default: ${DEFAULT-VALUE}).")
    private List<DirtyShare> shares = CommaList.of(DirtyShare.NONE);

    @Option(
            names = "--write-time",
            paramLabel = "N",
            description = "Misses that pass while a dirty page is written (default: ${DEFAULT-VALUE}, an SSD's writes"
                    + " beside 32 threads that read).")
    private int writeTime = 180;

    @Option(
            names = "--writes-in-flight",
            paramLabel = "N|" + ADAPTIVE,
            description = "Pages written at once: at most N, or half of those that are dirty and queued, and at least"
                    + " 4 (default: ${DEFAULT-VALUE}).")
    private String inFlight = ADAPTIVE;

    @Option(
            names = "--check",
            paramLabel = "FILE",
            description =
                    "Compares with the hits of a CSV file; without --policies or --frames, its own for each trace.")
    private Path check;

    @Mixin
    private AccessOptions accesses = new AccessOptions();

    @Mixin
    private CommonOptions common = new CommonOptions();

    /** All that can be simulated. */
    static List<String> knownPolicies() {
        return Stream.concat(Policies.names().stream(), Stream.of(OPTIMUM)).toList();
    }

    /** Those, without the forms of one policy that differ in how many threads reach it. */
    static List<String> allPolicies() {
        return knownPolicies().stream().filter(name -> name.indexOf(':') < 0).toList();
    }

    /** The values of {@code --policies}: any policy, with parameters or without, the optimum, or all. */
    static final class PolicyChoice extends PolicyNames {
        PolicyChoice() {
            super(Stream.concat(knownPolicies().stream(), Stream.of(ALL)).toList());
        }
    }

    /** Refuses wrong values, and fills in the defaults that depend on others. */
    void check(Usage usage) {
        checkTraces(usage);
        if (policies != null) {
            usage.requireOnce("--policies", "a policy", policies);
        }
        if (frames != null) {
            FrameCount.check(usage, frames);
        }
        threads.check(usage);
        usage.require(interleave >= 1, "--interleave must be at least 1, not " + interleave);
        checkCleaning(usage);
        accesses.check(usage);
        policies = policies != null ? expanded(policies) : check != null ? null : allPolicies();
        checkSampling(usage);
        usage.requireWithin("--over-time", parts, 0, 10_000);
        frames = curve ? FrameCount.CURVE : frames != null || check != null ? frames : DEFAULT_FRAMES;
    }

    private void checkTraces(Usage usage) {
        trace.forEach(name -> requireTrace(usage, name));
        usage.requireOnce("--trace", "a trace", trace);
        usage.require(
                format.size() == 1 || format.size() == trace.size(),
                "--format has " + format.size() + " names, but --trace has " + trace.size()
                        + "; it needs one for all or one for each");
    }

    /** Whether a text has the form of a name; otherwise it is a file. */
    private static void requireTrace(Usage usage, String trace) {
        try {
            String name = Workloads.named(trace);
            Workloads.check(name);
            boolean file = trace.startsWith(Workloads.TRACE)
                    || !Workloads.isTrace(name)
                    || trace.equals(STANDARD_INPUT)
                    || trace.matches(".*[./\\\\].*")
                    || Files.exists(Path.of(trace));
            Stream<String> names = Workloads.possible().stream().filter(known -> !Workloads.isTrace(known));
            usage.require(
                    file,
                    Names.unknown(
                            "trace",
                            trace,
                            Stream.concat(names, Stream.of("FILE")).toList()));
        } catch (InvalidPathException e) {
            throw usage.wrong("--trace: no file can have the name '" + trace + "'");
        } catch (IllegalArgumentException e) {
            throw usage.wrong("--trace: " + e.getMessage());
        }
    }

    private void checkCleaning(Usage usage) {
        usage.requireOnce("--dirty-share", "a share", shares);
        boolean areFiles = trace.stream().map(Workloads::named).allMatch(Workloads::isTrace);
        usage.require(
                areFiles || !playsMarks(),
                "--dirty-share trace needs a FILE for each --trace, since nothing else marks writes");
        usage.requireWithin("--write-time", writeTime, 0, 1_000_000);
        boolean possible = inFlight.matches("[0-9]{1,7}")
                && Integer.parseInt(inFlight) >= 1
                && Integer.parseInt(inFlight) <= MOST_IN_FLIGHT;
        usage.require(
                inFlight.equals(ADAPTIVE) || possible,
                "--writes-in-flight must lie in 1 … " + MOST_IN_FLIGHT + ", or be " + ADAPTIVE + ", not '" + inFlight
                        + "'");
    }

    private void checkSampling(Usage usage) {
        usage.require(!curve || frames == null, "--curve has its own sizes, so it excludes --frames");
        usage.require(
                samplePages == null || samplePages == 0 || (samplePages >= FEWEST_SAMPLE && samplePages <= MOST_SAMPLE),
                "--sample-pages must be 0, or lie in " + FEWEST_SAMPLE + " … " + MOST_SAMPLE + ", not " + samplePages);
        samplePages = samplePages != null ? samplePages : curve ? 16_384 : 0;
        usage.require(
                (check == null && !haveWrites()) || (!curve && samplePages == 0),
                "--check and --dirty-share need every reference, so they exclude --curve and --sample-pages");
    }

    private static List<String> expanded(List<String> policies) {
        return policies.stream()
                .flatMap(name -> name.equals(ALL) ? allPolicies().stream() : Stream.of(name))
                .distinct()
                .toList();
    }

    List<String> traces() {
        return trace;
    }

    /** Of one of the traces; null to find out. */
    TraceFormat format(String one) {
        return FormatChoice.format(format.get(format.size() == 1 ? 0 : trace.indexOf(one)));
    }

    /** Of CSV files; null for the usual one. */
    String column() {
        return column;
    }

    /** Null for those that the check names. */
    List<String> policies() {
        return policies;
    }

    /** Null for those that the check names. */
    List<FrameCount> frames() {
        return frames;
    }

    /** The pages that hits are estimated from; 0 for all. */
    int samplePages() {
        return samplePages;
    }

    /** Those of the references that have a hit ratio each; 0 for none. */
    int parts() {
        return parts;
    }

    List<Integer> threads() {
        return threads.threads();
    }

    int interleave() {
        return interleave;
    }

    List<DirtyShare> shares() {
        return shares;
    }

    boolean playsMarks() {
        return shares.contains(DirtyShare.OF_TRACE);
    }

    /** Whether any page ever is dirty. */
    boolean haveWrites() {
        return !shares.equals(List.of(DirtyShare.NONE));
    }

    CleanerModel.Speed speed() {
        return new CleanerModel.Speed(
                writeTime, inFlight.equals(ADAPTIVE) ? CleanerModel.Speed.ADAPTIVE : Integer.parseInt(inFlight));
    }

    /** The cleaner, for the reader of the figures. */
    String cleaningInWords() {
        return "Dirty frames are written in the order in which searches met them, "
                + (inFlight.equals(ADAPTIVE) ? "half of them and at least 4" : inFlight) + " at once; a write takes "
                + writeTime + " misses. A miss that finds no clean frame waits for the oldest write: a read stall.";
    }

    AccessOptions accesses() {
        return accesses;
    }

    Path expectedHits() {
        return check;
    }

    long seed() {
        return common.seed();
    }

    Path out() {
        return common.out();
    }

    Map<String, Object> asOptions() {
        return OptionValues.of(this);
    }
}
