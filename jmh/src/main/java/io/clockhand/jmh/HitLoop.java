// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.policy.Policies;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The reads of {@link PageHitBenchmark} in a plain loop, for {@code src/build/sample-hits}: one compiled method that
 * has nothing but reads, so that its instructions can be counted and sampled.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.HitLoop optimistic array 80-20 5
 * }</pre>
 *
 * <p>The arguments are values of the benchmark's parameters access, table and keys, and a number of seconds. Prints the
 * nanoseconds of a read: the 2nd, 10th and 50th percentile of slices of 20,000 reads; and the sum of what was read, so
 * that the compiler leaves nothing out.
 */
public final class HitLoop {
    private static final int PAGES = 32_768;
    private static final int SLICE = 20_000;
    private static final int MOST_SLICES = 1 << 17;

    private HitLoop() {}

    /**
     * Runs the loop.
     *
     * @param args access, table, keys, seconds
     * @throws IOException never
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 4) {
            System.err.println("usage: HitLoop ACCESS TABLE KEYS SECONDS, as in: HitLoop optimistic array 80-20 5");
            System.exit(2);
        }
        Supplier<PageReader> readers =
                PageReader.of(args[0], Policies.DEFAULT, PageTables.labelled(args[1]), PAGES, "default", false);
        Long[] keys = Keys.draws(args[2].equals("hot-page") ? "hot-key" : args[2], PAGES);
        long[] ids =
                Arrays.stream(keys).mapToLong(key -> PageReader.FIRST + key).toArray();
        PageReader reader = readers.get();
        long total = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        int at = 0;
        for (; System.nanoTime() < end; at += SLICE) {
            total += loop(reader, ids, at);
        }
        double[] nanos = new double[MOST_SLICES];
        int slices = 0;
        end = System.nanoTime() + (long) (Double.parseDouble(args[3]) * TimeUnit.SECONDS.toNanos(1));
        for (; System.nanoTime() < end && slices < MOST_SLICES; at += SLICE) {
            long begin = System.nanoTime();
            total += loop(reader, ids, at);
            nanos[slices++] = (System.nanoTime() - begin) / (double) SLICE;
        }
        double[] sorted = Arrays.copyOf(nanos, slices);
        Arrays.sort(sorted);
        System.out.printf(
                "%s, %s, %s: %.1f, %.1f, %.1f ns a read (percentiles 2, 10, 50 of %,d slices; sum %x)%n",
                args[0], args[1], args[2], sorted[slices / 50], sorted[slices / 10], sorted[slices / 2], slices, total);
    }

    private static long loop(PageReader reader, long[] ids, int from) throws IOException {
        long values = 0;
        int mask = ids.length - 1;
        for (int i = from; i < from + SLICE; i++) {
            values += reader.read(ids[i & mask]);
        }
        return values;
    }
}
