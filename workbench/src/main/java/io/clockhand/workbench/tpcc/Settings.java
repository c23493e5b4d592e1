// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.Durability;
import io.clockhand.workbench.derby.Pool;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of {@code tpcc}, all filled in.
 *
 * @param poolPages null where the pool is a share of the data
 * @param heap of every run's JVM, in Java's notation; null until the size of the pool is known
 * @param derby version
 */
record Settings(
        int warehouses,
        List<Integer> terminals,
        List<Contender> caches,
        int seconds,
        int warmup,
        int repeat,
        double poolPercent,
        Integer poolPages,
        Durability durability,
        Path out,
        Path data,
        boolean keying,
        String heap,
        String derby,
        long seed,
        boolean profile,
        boolean debug) {
    /** Its connection with twenty prepared statements, its latencies, and its share of a delivery worker. */
    private static final long HEAP_PER_TERMINAL = 3 << 19;
    /** What the check after the run adds up. */
    private static final long HEAP_PER_WAREHOUSE = 4 << 20;

    Settings withHeap(String chosen) {
        return new Settings(
                warehouses,
                terminals,
                caches,
                seconds,
                warmup,
                repeat,
                poolPercent,
                poolPages,
                durability,
                out,
                data,
                keying,
                chosen,
                derby,
                seed,
                profile,
                debug);
    }

    /** Fails, in one sentence, if the heap it needs is larger than the memory of the machine. */
    Pool pool(long allocatedPages, long memoryBytes) {
        return Pool.of(
                poolPages != null ? poolPages : Pool.share(poolPercent, allocatedPages),
                allocatedPages,
                heap,
                Collections.max(terminals) * HEAP_PER_TERMINAL + warehouses * HEAP_PER_WAREHOUSE,
                memoryBytes,
                (poolPages == null ? "--pool-percent" : "--pool-pages") + " or --warehouses");
    }

    /** Hits and I/O are counted in a shorter run, though not in less than three seconds if there are so many. */
    int countedSeconds() {
        return Math.max(Math.min(seconds, 3), seconds / 3);
    }

    int measuredRuns() {
        return terminals.size() * caches.size() * repeat;
    }

    int countedRuns() {
        return terminals.size() * caches.size();
    }

    /** For {@code tpcc.json}; a pool given in pages makes the percentage null. */
    Map<String, Object> asOptions() {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("warehouses", warehouses);
        options.put("terminals", terminals);
        options.put("caches", caches.stream().map(Contender::name).toList());
        options.put("seconds", seconds);
        options.put("countedSeconds", countedSeconds());
        options.put("warmup", warmup);
        options.put("repeat", repeat);
        options.put("poolPercent", poolPages == null ? poolPercent : null);
        options.put("poolPages", poolPages);
        options.put("durability", durability.toString());
        options.put("out", out.toString());
        options.put("data", data.toString());
        options.put("keying", keying);
        options.put("heap", heap);
        options.put("derby", derby);
        options.put("seed", seed);
        options.put("profile", profile);
        options.put("debug", debug);
        return options;
    }
}
