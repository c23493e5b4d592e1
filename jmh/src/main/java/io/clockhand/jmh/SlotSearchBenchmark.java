// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.io.FileOption;
import io.clockhand.page.BufferPool;
import io.clockhand.page.OptimisticPage;
import io.clockhand.page.PageView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;
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
 * A search for a key of an open page, by {@code searchSlots}, by {@code searchHeadedSlots}, or by a binary search that
 * the engine makes itself with {@code compareBytes}. Cells are a length of two bytes, and the key; keys are drawn at
 * random, and each one is found.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel SlotSearch -t 1 --between search=own,slots,heads
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class SlotSearchBenchmark {
    private static final int PAGE_BYTES = 4096;
    private static final int SLOTS = 16;
    private static final int DRAWS = 1 << 16;

    @Param({"own", "slots", "heads"})
    public String search;

    @Param("32")
    public int slots;

    @Param("8")
    public int keyBytes;

    private final byte[][] draws = new byte[DRAWS][];
    private boolean isOwn;
    private boolean hasHeads;
    private int next;
    private Path path;
    private BufferPool pool;
    private OptimisticPage page;

    @Setup
    public void open() throws IOException {
        Random random = new Random(7);
        byte[][] keys = new byte[slots][keyBytes];
        for (byte[] key : keys) {
            random.nextBytes(key);
        }
        Arrays.sort(keys, Arrays::compareUnsigned);
        SplittableRandom draw = new SplittableRandom(7);
        Arrays.setAll(draws, i -> keys[draw.nextInt(slots)]);
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        hasHeads = search.equals("heads");
        int slotBytes = hasHeads ? PageView.HEADED_SLOT_BYTES : Short.BYTES;
        int cell = SLOTS + slots * slotBytes;
        for (int slot = 0; slot < slots; slot++) {
            bytes.putShort(SLOTS + slot * slotBytes, (short) cell);
            if (hasHeads) {
                bytes.putInt(SLOTS + slot * slotBytes + Short.BYTES, PageView.head(keys[slot], 0, keyBytes));
            }
            bytes.putShort(cell, (short) keyBytes).put(cell + Short.BYTES, keys[slot]);
            cell += Short.BYTES + keyBytes;
        }
        path = Files.createTempFile("slots", ".db");
        Files.write(path, bytes.array());
        isOwn = search.equals("own");
        pool = BufferPool.builder().pageBytes(PAGE_BYTES).frames(16).build();
        pool.open(0, path, FileOption.READ_ONLY);
        page = pool.newOptimisticPage();
        page.read(PageId.of(0, 0));
    }

    @TearDown
    public void close() throws IOException {
        page.close();
        pool.close();
        Files.delete(path);
    }

    @Benchmark
    public int find() {
        byte[] key = draws[next];
        next = (next + 1) & (DRAWS - 1);
        int found;
        if (isOwn) {
            found = find(page, slots, key);
        } else if (hasHeads) {
            found = page.searchHeadedSlots(SLOTS, slots, 0, Short.BYTES, key, 0, key.length);
        } else {
            found = page.searchSlots(SLOTS, slots, 0, Short.BYTES, key, 0, key.length);
        }
        if (found < 0) {
            throw new IllegalStateException("the key was not found");
        }
        return found;
    }

    private static int find(PageView page, int slots, byte[] key) {
        int low = 0;
        int high = slots - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int cell = page.getUnsignedShort(SLOTS + middle * Short.BYTES);
            int order = page.compareBytes(cell + Short.BYTES, page.getUnsignedShort(cell), key, 0, key.length);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1 - low;
    }
}
