// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.TraceFormat;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The options of {@code simulate}, all filled in.
 *
 * @param traces as typed
 * @param format of files; null to find out
 * @param policies null for those that the check names
 * @param frames null for those that the check names
 * @param threads simulated ones
 * @param interleave threads take turns of so many references
 * @param accesses null for 6,000,000, or a whole trace
 * @param warmupAccesses null for 2,000,000, or none of a trace
 * @param check a file of expected hits, or null
 */
record Settings(
        List<String> traces,
        TraceFormat format,
        List<String> policies,
        List<Integer> frames,
        List<Integer> threads,
        int interleave,
        Long accesses,
        Long warmupAccesses,
        Path check,
        long seed,
        Path out,
        boolean debug) {
    /** The optimum, which is no policy of the library. */
    static final String OPTIMUM = "opt";

    /** What stands for every policy that can be typed without a form before it. */
    static final String ALL = "all";

    static final long DEFAULT_ACCESSES = 6_000_000;
    static final long DEFAULT_WARMUP_ACCESSES = 2_000_000;
    static final int DEFAULT_INTERLEAVE = 16;

    /** All that can be simulated. */
    static List<String> knownPolicies() {
        return Stream.concat(Policies.names().stream(), Stream.of(OPTIMUM)).toList();
    }

    /** Those, without the forms of one policy that differ in how many threads reach it. */
    static List<String> allPolicies() {
        return knownPolicies().stream().filter(name -> name.indexOf(':') < 0).toList();
    }

    /** For {@code simulate.json}. */
    Map<String, Object> asOptions() {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("trace", traces);
        options.put("format", format == null ? FormatChoice.AUTO : format.label());
        options.put("policies", policies);
        options.put("frames", frames);
        options.put("threads", threads);
        options.put("interleave", interleave);
        options.put("accesses", accesses);
        options.put("warmupAccesses", warmupAccesses);
        options.put("check", check == null ? null : check.toString());
        options.put("seed", seed);
        options.put("out", out.toString());
        options.put("debug", debug);
        return options;
    }
}
