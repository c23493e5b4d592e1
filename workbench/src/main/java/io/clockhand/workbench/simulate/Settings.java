// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.options.AccessOptions;
import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.CommonOptions;
import io.clockhand.workbench.options.OptionValues;
import io.clockhand.workbench.options.PolicyNames;
import io.clockhand.workbench.options.ThreadOptions;
import io.clockhand.workbench.options.Usage;
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

    static final long DEFAULT_ACCESSES = 6_000_000;
    static final long DEFAULT_WARMUP_ACCESSES = 2_000_000;
    static final int DEFAULT_INTERLEAVE = 16;

    private static final int MOST_PARTS = 10_000;
    private static final List<FrameCount> DEFAULT_FRAMES = FrameCount.counts(4096, 8192, 16_384, 32_768);

    @Mixin
    private TraceOptions trace = new TraceOptions();

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

    @Mixin
    private SamplingOptions sampling = new SamplingOptions();

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

    @Mixin
    private CleaningOptions cleaning = new CleaningOptions();

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

    /** Refuses wrong values, and fills in the defaults that depend on others. */
    void check(Usage usage) {
        trace.check(usage);
        if (policies != null) {
            usage.requireOnce("--policies", "a policy", policies);
        }
        if (frames != null) {
            FrameCount.check(usage, frames);
        }
        threads.check(usage);
        usage.require(interleave >= 1, "--interleave must be at least 1, not " + interleave);
        cleaning.check(usage, trace.areFiles());
        accesses.check(usage);
        policies = policies != null ? expanded(policies) : check != null ? null : allPolicies();
        sampling.check(usage, frames != null, check != null || cleaning.haveWrites());
        usage.requireWithin("--over-time", parts, 0, MOST_PARTS);
        frames = sampling.isCurve() ? FrameCount.CURVE : frames != null || check != null ? frames : DEFAULT_FRAMES;
    }

    private static List<String> expanded(List<String> policies) {
        return policies.stream()
                .flatMap(name -> name.equals(ALL) ? allPolicies().stream() : Stream.of(name))
                .distinct()
                .toList();
    }

    TraceOptions traces() {
        return trace;
    }

    /** Null for those that the check names. */
    List<String> policies() {
        return policies;
    }

    /** Null for those that the check names. */
    List<FrameCount> frames() {
        return frames;
    }

    SamplingOptions sampling() {
        return sampling;
    }

    /** Those of the references that have a hit ratio each; 0 for none. */
    int parts() {
        return parts;
    }

    /** Simulated ones. */
    List<Integer> threads() {
        return threads.threads();
    }

    /** The references of a thread's turn. */
    int interleave() {
        return interleave;
    }

    CleaningOptions cleaning() {
        return cleaning;
    }

    AccessOptions accesses() {
        return accesses;
    }

    /** A file of expected hits, or null. */
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
