// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.OptimisticPage;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Sixty-four numbers of a page, as a vector of a search engine has them, copied to a {@code float[]}: by {@code
 * getFloatsLittleEndian} of an open page, from a {@code MemorySegment} (Java 22), or from a {@code FloatBuffer}.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel BulkRead -t 1 --between access=segment,page
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class BulkReadBenchmark {
    private static final int NUMBERS = 64;
    private static final int PAGE_BYTES = 4096;
    /** {@code MemorySegment.copy} of floats, as (Object segment, long offset, float[] target). Null before Java 22. */
    private static final MethodHandle COPY = copy();

    @Param({"page", "segment", "buffer"})
    public String access;

    private final float[] target = new float[NUMBERS];
    private int at;
    private BufferPool pool;
    private OptimisticPage page;
    private FloatBuffer floats;
    private Object segment;

    @SuppressWarnings("IllegalCatch") // whatever is missing
    private static MethodHandle copy() {
        try {
            Class<?> segments = Class.forName("java.lang.foreign.MemorySegment");
            Class<?> layouts = Class.forName("java.lang.foreign.ValueLayout");
            Object layout = layouts.getField("JAVA_FLOAT_UNALIGNED").get(null);
            layout = Class.forName("java.lang.foreign.ValueLayout$OfFloat")
                    .getMethod("withOrder", ByteOrder.class)
                    .invoke(layout, ByteOrder.LITTLE_ENDIAN);
            MethodHandle all = MethodHandles.publicLookup()
                    .findStatic(
                            segments,
                            "copy",
                            MethodType.methodType(
                                    void.class, segments, layouts, long.class, Object.class, int.class, int.class));
            MethodHandle bound = MethodHandles.insertArguments(all, 1, layout);
            return MethodHandles.insertArguments(bound, 3, 0, NUMBERS)
                    .asType(MethodType.methodType(void.class, Object.class, long.class, float[].class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    @Setup
    public void open() throws IOException, ReflectiveOperationException {
        pool = BufferPool.builder().pageBytes(PAGE_BYTES).frames(16).build();
        pool.open(0, new GeneratingStore(16, PAGE_BYTES));
        page = pool.newOptimisticPage();
        page.read(PageId.of(0, 3));
        ByteBuffer slab = page.slab();
        ByteBuffer bytes = slab.slice(page.slabOffset(), PAGE_BYTES);
        if (access.equals("segment")) {
            if (COPY == null) {
                throw new IllegalStateException("a MemorySegment needs Java 22");
            }
            segment = Class.forName("java.lang.foreign.MemorySegment")
                    .getMethod("ofBuffer", java.nio.Buffer.class)
                    .invoke(null, bytes);
        }
        floats = bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    }

    @TearDown
    public void close() throws IOException {
        page.close();
        pool.close();
    }

    /** The numbers begin elsewhere each time. */
    @Benchmark
    public float[] floats() throws Throwable {
        int offset = at;
        at = (offset + Float.BYTES) & (PAGE_BYTES / 2 - 1);
        switch (access) {
            case "page" -> page.getFloatsLittleEndian(offset, target, 0, NUMBERS);
            case "segment" -> COPY.invokeExact(segment, (long) offset, target);
            default -> floats.get(offset / Float.BYTES, target);
        }
        return target;
    }
}
