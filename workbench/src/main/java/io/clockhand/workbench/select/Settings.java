// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.select.driver.Keys;
import io.clockhand.workbench.select.driver.Rows;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of {@code derby-select}, all filled in.
 *
 * @param heap of every run's JVM, in Java's notation; null until the size of the largest pool is known
 * @param derby version
 */
record Settings(
        List<Contender> caches,
        List<Integer> terminals,
        List<Double> poolPercents,
        int rows,
        Keys keys,
        int seconds,
        int warmup,
        int repeat,
        Path out,
        Path data,
        String heap,
        String derby,
        long seed,
        boolean profile,
        boolean debug) {
    /** Its connection with one prepared statement. */
    private static final long HEAP_PER_TERMINAL = 1 << 19;

    Settings withHeap(String chosen) {
        return new Settings(
                caches,
                terminals,
                poolPercents,
                rows,
                keys,
                seconds,
                warmup,
                repeat,
                out,
                data,
                chosen,
                derby,
                seed,
                profile,
                debug);
    }

    Rows content() {
        return new Rows(rows, seed);
    }

    int runs() {
        return poolPercents.size() * terminals.size() * repeat * caches.size();
    }

    /** Fails, in one sentence, if the heap it needs is larger than the memory of the machine. */
    Pool pool(double percent, long allocatedPages, long memoryBytes) {
        return Pool.of(
                Pool.share(percent, allocatedPages),
                allocatedPages,
                heap,
                Collections.max(terminals) * HEAP_PER_TERMINAL,
                memoryBytes,
                "--pool-percent or --rows");
    }

    /** Every run has the heap that the largest pool needs, so that pools differ in nothing else. */
    Pool largestPool(long allocatedPages, long memoryBytes) {
        return pool(Collections.max(poolPercents), allocatedPages, memoryBytes);
    }

    /** For {@code derby-select.json}. */
    Map<String, Object> asOptions() {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("caches", caches.stream().map(Contender::name).toList());
        options.put("terminals", terminals);
        options.put("poolPercent", poolPercents);
        options.put("rows", rows);
        options.put("keys", keys.toString());
        options.put("seconds", seconds);
        options.put("warmup", warmup);
        options.put("repeat", repeat);
        options.put("out", out.toString());
        options.put("data", data.toString());
        options.put("heap", heap);
        options.put("derby", derby);
        options.put("seed", seed);
        options.put("profile", profile);
        options.put("debug", debug);
        return options;
    }
}
