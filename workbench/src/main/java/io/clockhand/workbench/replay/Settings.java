// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of {@code replay}, all filled in. A run is timed or counted: {@code seconds} and {@code accesses} are not both set.
 *
 * @param filePages null for as many as the keys of the workload need
 * @param file directory of data files that stay; null for one that goes
 * @param format of traces; null to find out
 * @param accesses null if runs are timed, or a trace is counted to its end
 * @param warmupAccesses null if runs are timed
 * @param seconds null if runs are counted
 * @param warmup in seconds; null if runs are counted
 * @param interleave threads yield after so many references; 0 for never
 */
record Settings(
        List<String> policies,
        List<ClockHand> hands,
        List<PageIn> pageIns,
        List<Integer> threads,
        List<Integer> frames,
        int pageBytes,
        Long filePages,
        Path file,
        List<String> workloads,
        TraceFormat format,
        int spread,
        Long accesses,
        Long warmupAccesses,
        Integer seconds,
        Integer warmup,
        List<Io> ios,
        int interleave,
        int repeats,
        long seed,
        Path out,
        boolean debug) {
    /** How hit ratios of many threads on few processors are counted. */
    static final int COUNTED_INTERLEAVE = 16;

    /** Of a counted run that is no trace. */
    static final long DEFAULT_ACCESSES = 6_000_000;

    static final long DEFAULT_WARMUP_ACCESSES = 2_000_000;

    boolean isTimed() {
        return seconds != null;
    }

    List<Contender> contenders() {
        return Contender.all(policies, hands, pageIns);
    }

    /** Of runs that are counted, also of those that belong to a timed one. */
    int countedInterleave() {
        return isTimed() && interleave == 0 ? COUNTED_INTERLEAVE : interleave;
    }

    int mostFrames() {
        return Collections.max(frames);
    }

    /** How many keys a workload has that may have any number of them: all that the file has room for. */
    int keysToDraw() {
        return filePages == null ? Workloads.defaultKeys() : (int) ((filePages + spread - 1) / spread);
    }

    /** For {@code replay.json}. */
    Map<String, Object> asOptions() {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("policies", policies);
        options.put("hand", hands.stream().map(ClockHand::label).toList());
        options.put("pageIn", pageIns.stream().map(PageIn::label).toList());
        options.put("threads", threads);
        options.put("frames", frames);
        options.put("pageBytes", pageBytes);
        options.put("filePages", filePages);
        options.put("file", file == null ? null : file.toString());
        options.put("workload", workloads);
        options.put("format", format == null ? "auto" : format.label());
        options.put("spread", spread);
        options.put("accesses", accesses);
        options.put("warmupAccesses", warmupAccesses);
        options.put("seconds", seconds);
        options.put("warmup", warmup);
        options.put("io", ios.stream().map(Io::label).toList());
        options.put("interleave", interleave);
        options.put("countedInterleave", countedInterleave());
        options.put("repeats", repeats);
        options.put("seed", seed);
        options.put("out", out.toString());
        options.put("debug", debug);
        return options;
    }
}
