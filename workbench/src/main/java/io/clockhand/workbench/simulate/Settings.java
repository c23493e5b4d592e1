// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.experiment.options.AccessOptions;
import io.clockhand.workbench.experiment.options.CommaList;
import io.clockhand.workbench.experiment.options.CommonOptions;
import io.clockhand.workbench.experiment.options.Names;
import io.clockhand.workbench.experiment.options.PolicyNames;
import io.clockhand.workbench.experiment.options.ThreadOptions;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
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

    private static final String ADAPTIVE = "adaptive";
    private static final int MOST_FRAMES = 1 << 26;
    private static final List<String> DEFAULT_FRAMES = List.of("4096", "8192", "16384", "32768");
    /** From half a percent, in steps of about the square root of 2. */
    private static final List<String> CURVE =
            List.of("0.5%,0.7%,1%,1.4%,2%,2.8%,4%,5.6%,8%,11%,16%,22%,32%,45%,64%,80%,100%".split(",", -1));

    @Option(
            names = "--trace",
            paramLabel = "FILE|NAME,…",
            split = ",",
            description = "FILE, - for standard input, paper80, paper45, paper80+scan, uniform, hot-page or tpcc:W"
                    + " (default: paper80); see below.")
    List<String> trace = List.of("paper80");

    @Option(
            names = "--format",
            paramLabel = "NAME,…",
            split = ",",
            converter = FormatChoice.class,
            completionCandidates = FormatChoice.class,
            description = "Of the files, one for all or one for each --trace: ${COMPLETION-CANDIDATES} (default:"
                    + " ${DEFAULT-VALUE}).")
    List<String> format = CommaList.of(FormatChoice.AUTO);

    @Option(
            names = "--column",
            paramLabel = "NAME|N",
            description = "Of CSV files: the column that has the pages, by its head or its number (default: lbn).")
    String column;

    @Option(
            names = "--policies",
            paramLabel = "NAME,…",
            split = PolicyNames.COMMA,
            splitSynopsisLabel = ",",
            converter = PolicyChoice.class,
            completionCandidates = PolicyChoice.class,
            description = "${COMPLETION-CANDIDATES}" + PolicyNames.COMBINED
                    + "; all has every policy, and leaves out forms (default: all, or those of the check).")
    List<String> policies;

    @Option(
            names = "--frames",
            paramLabel = "N|P%,…",
            split = ",",
            description = "How many pages the pool holds, or which share of the pages of the trace (default:"
                    + " 4096,8192,16384,32768, or those of the check).")
    List<String> frames;

    @Option(
            names = "--curve",
            description = "The whole curve: 17 sizes from 0.5 to 100 percent of the pages, estimated from a sample.")
    boolean curve;

    @Option(
            names = "--sample-pages",
            paramLabel = "N",
            description = "Estimates hits from about N pages and a pool that is smaller by the same factor; 0 for all"
                    + " pages, which is exact (default: 0, or 16384 with --curve).")
    Integer samplePages;

    @Option(
            names = "--over-time",
            paramLabel = "N",
            description = "Hit ratio over time: of each of N equal parts of the references that count (default:"
                    + " ${DEFAULT-VALUE}, for none).")
    int parts;

    @Mixin
    ThreadOptions threads = new ThreadOptions(CommaList.of(1));

    @Option(
            names = "--dirty-share",
            paramLabel = "P|trace,…",
            split = ",",
            description = "Percent of the references that make their page dirty, drawn by --seed; or those that a trace"
                    + " marks as writes (default: ${DEFAULT-VALUE}).")
    List<String> shares = CommaList.of("0");

    @Option(
            names = "--write-time",
            paramLabel = "N",
            description = "Misses that pass while a dirty page is written (default: ${DEFAULT-VALUE}, an SSD's writes"
                    + " beside 32 threads that read).")
    int writeTime = 180;

    @Option(
            names = "--writes-in-flight",
            paramLabel = "N|" + ADAPTIVE,
            description = "Pages written at once: at most N, or half of those that are dirty and queued, and at least"
                    + " 4 (default: ${DEFAULT-VALUE}).")
    String inFlight = ADAPTIVE;

    @Option(
            names = "--check",
            paramLabel = "FILE",
            description =
                    "Compares with the hits of a CSV file; without --policies or --frames, its own for each trace.")
    Path check;

    @Mixin
    AccessOptions accesses = new AccessOptions();

    @Mixin
    CommonOptions common = new CommonOptions();

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

    /**
     * Refuses wrong values, and fills in the defaults that depend on others. Policies and frames that the check has to
     * name are null.
     */
    void check(Usage usage) {
        trace.forEach(name -> checkTrace(usage, name));
        usage.requireOnce("--trace", "a trace", trace);
        usage.require(
                format.size() == 1 || format.size() == trace.size(),
                "--format has " + format.size() + " names, but --trace has " + trace.size()
                        + "; it needs one for all or one for each");
        threads.check(usage);
        accesses.check(usage);
        usage.requireWithin("--over-time", parts, 0, 10_000);
        checkPoliciesAndFrames(usage);
        checkCleaning(usage);
        checkSampling(usage);
    }

    /** A word that is no file is taken for a name that is misspelt. */
    private static void checkTrace(Usage usage, String typed) {
        try {
            String name = Workloads.named(typed);
            Workloads.check(name);
            boolean isWord = name.equals(Workloads.TRACE + typed) && typed.matches("[^./\\\\]{2,}");
            usage.require(!isWord || Files.exists(Path.of(typed)), Names.unknown("trace", typed, Workloads.possible()));
        } catch (IllegalArgumentException e) {
            throw usage.wrong("--trace: " + e.getMessage());
        }
    }

    private void checkPoliciesAndFrames(Usage usage) {
        if (policies != null) {
            usage.requireOnce("--policies", "a policy", policies);
            policies = policies.stream()
                    .flatMap(name -> name.equals(ALL) ? allPolicies().stream() : Stream.of(name))
                    .distinct()
                    .toList();
        } else if (check == null) {
            policies = allPolicies();
        }
        usage.require(!curve || frames == null, "--curve has its own sizes, so it excludes --frames");
        if (frames != null) {
            usage.require(
                    frames.stream().allMatch(Settings::isSize),
                    "--frames must lie in 1 … " + MOST_FRAMES + ", or be a share of the pages over 0% and up to 100%");
            usage.requireOnce("--frames", "a number", frames);
        } else if (curve) {
            frames = CURVE;
        } else if (check == null) {
            frames = DEFAULT_FRAMES;
        }
    }

    private static boolean isSize(String typed) {
        double size = typed.matches("[0-9]{1,8}|[0-9]{1,3}([.][0-9]{1,9})?%") ? number(typed) : 0;
        return size > 0 && size <= (isShare(typed) ? 100 : MOST_FRAMES);
    }

    private static boolean isShare(String size) {
        return size.endsWith("%");
    }

    private static double number(String size) {
        return Double.parseDouble(size.replace("%", ""));
    }

    private void checkCleaning(Usage usage) {
        usage.requireOnce("--dirty-share", "a share", shares);
        for (String share : shares) {
            boolean isPercent = share.matches("[0-9]{1,3}([.][0-9]{1,9})?") && Double.parseDouble(share) <= 100;
            usage.require(
                    isPercent || share.equals(Play.MARKED),
                    "--dirty-share must be percent from 0 to 100, or " + Play.MARKED
                            + " for the references that a trace marks as writes, not '" + share + "'");
        }
        usage.require(
                !shares.contains(Play.MARKED)
                        || trace.stream().map(Workloads::named).allMatch(Workloads::isTrace),
                "--dirty-share trace needs a FILE for each --trace, since nothing else marks writes");
        usage.requireWithin("--write-time", writeTime, 0, 1_000_000);
        usage.require(
                inFlight.matches(ADAPTIVE + "|[1-9][0-9]{0,5}"),
                "--writes-in-flight must lie in 1 … 999999, or be " + ADAPTIVE + ", not '" + inFlight + "'");
    }

    private void checkSampling(Usage usage) {
        if (samplePages == null) {
            samplePages = curve ? 16_384 : 0;
        }
        usage.require(
                samplePages == 0 || samplePages >= 1000,
                "--sample-pages must be 0, or at least 1000, not " + samplePages);
        usage.require(
                samplePages == 0 || (check == null && !haveWrites()),
                "--check and --dirty-share need every reference, so they exclude --curve and --sample-pages");
    }

    /** Of one of the traces; null to find out. */
    TraceFormat format(String one) {
        return FormatChoice.format(format.get(format.size() == 1 ? 0 : trace.indexOf(one)));
    }

    /** The numbers of frames for a trace, at least one each, with their labels: {@code 5% = 2,500}. */
    Map<Integer, String> sizes(Play play) {
        Map<Integer, String> sizes = new LinkedHashMap<>();
        for (String typed : frames) {
            double number = number(typed);
            int count = (int)
                    (isShare(typed)
                            ? Math.max(
                                    1, Math.round(number / 100 * play.workload().keys()))
                            : number);
            sizes.putIfAbsent(count, (isShare(typed) ? typed + " = " : "") + Figures.of("%,d", count));
        }
        return sizes;
    }

    /** Whether any page ever is dirty. */
    boolean haveWrites() {
        return !shares.equals(List.of("0"));
    }

    PolicyPool.Speed speed() {
        return new PolicyPool.Speed(
                writeTime, inFlight.equals(ADAPTIVE) ? PolicyPool.Speed.ADAPTIVE : Integer.parseInt(inFlight));
    }

    /** The cleaner, for the reader of the figures. */
    String cleaningInWords() {
        return "Dirty frames are written in the order in which searches met them, "
                + (inFlight.equals(ADAPTIVE) ? "half of them and at least 4" : inFlight) + " at once; a write takes "
                + writeTime + " misses. A miss that finds no clean frame waits for the oldest write: a read stall.";
    }
}
