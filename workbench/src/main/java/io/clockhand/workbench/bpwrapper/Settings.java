// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.driver.Form;
import io.clockhand.workbench.bpwrapper.driver.References;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of {@code bp-wrapper}, all filled in. A run is timed or counted: {@code seconds} and {@code accesses} are not both set.
 *
 * @param thresholds {@link #HALF} for half of each queue
 * @param frames of the pool
 * @param accesses null if runs are timed
 * @param warmupAccesses null if runs are timed
 * @param seconds null if runs are counted
 * @param warmup in seconds; null if runs are counted
 */
record Settings(
        List<Form> forms,
        List<String> policies,
        List<Integer> threads,
        List<Integer> queueSizes,
        List<Integer> thresholds,
        List<References> streams,
        List<Double> missPercents,
        int frames,
        Long accesses,
        Long warmupAccesses,
        Integer seconds,
        Integer warmup,
        int repeats,
        long seed,
        Path out,
        boolean debug) {
    static final int HALF = 0;

    static final long DEFAULT_ACCESSES = 4_000_000;
    static final long DEFAULT_WARMUP_ACCESSES = 1_000_000;

    static final int PAGE_BYTES = 4096;

    /** With misses, a pool has room for so many times the pages that are referred to again, or the new ones would drive those out. */
    static final int ROOM = 4;

    boolean isTimed() {
        return seconds != null;
    }

    List<Contender> contenders() {
        return Contender.all(forms, queueSizes, thresholds);
    }

    /** The pages that are referred to again and again. */
    int pages(double missPercent) {
        return missPercent == 0 ? frames : frames / ROOM;
    }

    /** For {@code bp-wrapper.json}. */
    Map<String, Object> asOptions() {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("forms", forms.stream().map(Form::label).toList());
        options.put("policies", policies);
        options.put("threads", threads);
        options.put("queueSize", queueSizes);
        options.put(
                "threshold",
                thresholds.stream().map(Choices.OfThresholds::label).toList());
        options.put("stream", streams.stream().map(References::label).toList());
        options.put("missPercent", missPercents);
        options.put("frames", frames);
        options.put("pageBytes", PAGE_BYTES);
        options.put("accesses", accesses);
        options.put("warmupAccesses", warmupAccesses);
        options.put("seconds", seconds);
        options.put("warmup", warmup);
        options.put("repeats", repeats);
        options.put("seed", seed);
        options.put("out", out.toString());
        options.put("debug", debug);
        return options;
    }
}
