// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.table.ChainedPageTable;
import io.clockhand.internal.table.NonBlockingTables;
import io.clockhand.internal.table.PageTable;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Lookups of mapped pages, 32,768 of them, drawn by the Zipf distribution of the Nb-GCLOCK paper; each lookup also
 * loads the state of the frame, which a pool would use next.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel PageTableFind -p ids=dense -t 2 \
 *     --between table=chained,concurrent-hash-map,non-blocking-hash-map
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class PageTableFindBenchmark {
    @Param({"chained", "concurrent-hash-map", "non-blocking-hash-map"})
    public String table;

    /** {@code dense}: pages 0 to n − 1 of one file; {@code wide}: any pages of sixteen files. */
    @Param({"dense", "wide"})
    public String ids;

    private final FrameStates states = new FrameStates(Keys.RESIDENT, true);
    private PageTable pages;
    private long[] draws;

    @Setup
    public void fill() {
        pages = switch (table) {
            case "chained" -> new ChainedPageTable(Keys.RESIDENT, states::identity);
            case "concurrent-hash-map" -> new MapPageTable(new ConcurrentHashMap<>(2 * Keys.RESIDENT), Keys.RESIDENT);
            default -> NonBlockingTables.pageTable(Keys.RESIDENT);
        };
        SplittableRandom random = new SplittableRandom(1);
        long[] chosen = new long[Keys.RESIDENT];
        for (int frame = 0; frame < Keys.RESIDENT; frame++) {
            chosen[frame] = ids.equals("dense") ? frame : PageId.of(random.nextInt(16), random.nextLong(1L << 32));
            states.tryTakeFree(frame);
            states.setIdentity(frame, chosen[frame]);
            pages.putIfAbsent(chosen[frame], frame);
        }
        draws = Arrays.stream(Keys.zipf(Keys.RESIDENT))
                .mapToLong(key -> chosen[key.intValue()])
                .toArray();
    }

    /** A thread's position in the draws. */
    @State(Scope.Thread)
    public static class At {
        private int at = (int) Thread.currentThread().getId() * 377_777;
    }

    @Benchmark
    public long find(At at) {
        return states.state(pages.find(draws[at.at++ & (draws.length - 1)]));
    }
}
