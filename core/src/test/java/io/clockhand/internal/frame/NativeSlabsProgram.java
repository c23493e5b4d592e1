// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs in a JVM of its own, with native access: see {@link NativeSlabsTest}. */
final class NativeSlabsProgram {
    private static final int PAGE_BYTES = 4096;
    private static final int HUGE_BYTES = 1 << 21;
    private static final int MANY = 4096;

    private NativeSlabsProgram() {}

    public static void main(String[] args) throws IOException {
        switch (args[0]) {
            case "contents" -> contents();
            case "discard" -> discard();
            case "late" -> lateReader();
            case "closed" -> closedPools();
            case "idle" ->
                assertThat(closedPools())
                        .as("nanoseconds of processor time of a thread that waits")
                        .isLessThan(TimeUnit.MILLISECONDS.toNanos(500));
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.out.println("done");
    }

    private static FrameMemory nativeMemory(int buffers) {
        FrameMemory memory = new FrameMemory(PAGE_BYTES, buffers, PageMemory.of(true, PAGE_BYTES, buffers));
        assertThat(memory.memory().description()).isEqualTo("native memory with huge pages advised");
        assertThat(memory.memory().bytes()).isEqualTo((long) buffers * PAGE_BYTES);
        return memory;
    }

    /** Of two slabs; most of their address space is never touched. */
    private static void contents() throws IOException {
        int inASlab = (1 << 30) / PAGE_BYTES;
        int buffers = inASlab + 100;
        FrameMemory memory = nativeMemory(buffers);
        for (int i = 0; i < buffers; i++) {
            assertThat(memory.poll()).isEqualTo(i);
        }
        assertThat(memory.poll()).isEqualTo(FrameMemory.NONE);
        int[] chosen = {0, 1, 511, 512, inASlab - 1, inASlab, buffers - 1};
        for (int buffer : chosen) {
            ByteBuffer bytes = memory.bytes(buffer);
            assertThat(bytes.alignmentOffset(0, PAGE_BYTES)).isZero();
            assertThat(bytes.capacity()).isEqualTo(PAGE_BYTES);
            assertThat(memory.getLong(buffer, PAGE_BYTES - Long.BYTES)).isZero();
            memory.putLong(buffer, 0, buffer);
            memory.putLong(buffer, PAGE_BYTES - Long.BYTES, ~buffer);
        }
        for (int buffer : chosen) {
            assertThat(memory.getLong(buffer, 0)).isEqualTo(buffer);
            assertThat(memory.getLong(buffer, PAGE_BYTES - Long.BYTES)).isEqualTo(~buffer);
            assertThat(memory.casLong(buffer, 8, 0, 1)).isTrue();
        }
        assertThat(memory.bytes(0).alignmentOffset(0, HUGE_BYTES)).isZero();
        assertThat(advised("Size:")).isEqualTo((long) buffers * PAGE_BYTES);
    }

    private static void discard() throws IOException {
        FrameMemory memory = nativeMemory(MANY);
        for (int i = 0; i < MANY; i++) {
            memory.putLong(memory.poll(), 8, i);
        }
        assertThat(advised("Rss:")).isEqualTo((long) MANY * PAGE_BYTES);

        assertThat(memory.discard(1000, 2000)).isEqualTo(2000L * PAGE_BYTES);

        assertThat(advised("Rss:")).isEqualTo((MANY - 2000L) * PAGE_BYTES);
        for (int i = 0; i < MANY; i++) {
            assertThat(memory.getLong(i, 8)).isEqualTo(i < 1000 || i >= 3000 ? i : 0);
        }
        memory.putLong(1000, 8, 1);
        assertThat(memory.getLong(1000, 8)).isEqualTo(1);

        // pages of the pool that are smaller than one of the system
        FrameMemory small = new FrameMemory(512, MANY, PageMemory.of(true, 512, MANY));
        for (int i = 0; i < MANY; i++) {
            small.putLong(small.poll(), 0, i);
        }
        assertThat(small.discard(9, 1)).isZero();
        assertThat(small.discard(15, 10)).isEqualTo(4096);
        for (int i = 0; i < MANY; i++) {
            assertThat(small.getLong(i, 0)).isEqualTo(i < 16 || i >= 24 ? i : 0);
        }
    }

    /** The view of one page, which is all that is reachable, keeps the memory mapped. */
    private static void lateReader() {
        ByteBuffer page = pageOfLostMemory();
        for (int i = 0; i < 5; i++) {
            System.gc();
            assertThat(page.getLong(0)).isEqualTo(7);
            assertThat(NativeSlabs.mappedBytes()).isEqualTo((long) MANY * PAGE_BYTES);
        }
        page = null;
        long begin = System.nanoTime();
        while (NativeSlabs.mappedBytes() > 0 && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(90)) {
            System.gc();
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(NativeSlabs.mappedBytes()).isZero();
    }

    private static ByteBuffer pageOfLostMemory() {
        FrameMemory memory = nativeMemory(MANY);
        int buffer = memory.poll();
        memory.putLong(buffer, 0, 7);
        return memory.bytes(buffer);
    }

    /**
     * The limit is three quarters of the memory that is wanted here. An interrupted thread waits as others do: {@return
     * its processor time}
     */
    private static long closedPools() {
        FrameMemory first = nativeMemory(MANY);

        Thread.currentThread().interrupt();
        long begin = cpuNanos();
        PageMemory second = PageMemory.of(true, PAGE_BYTES, MANY);
        long cpuNanos = cpuNanos() - begin;

        assertThat(Thread.interrupted()).isTrue();
        assertThat(second.description())
                .isEqualTo("direct buffers: native memory of closed pools is not unmapped yet "
                        + "(still referred to, or not collected)");
        assertThat(NativeSlabs.mappedBytes()).isEqualTo((long) MANY * PAGE_BYTES);
        first.putLong(first.poll(), 0, 1);
        first = null;
        nativeMemory(MANY);
        assertThat(NativeSlabs.mappedBytes()).isEqualTo((long) MANY * PAGE_BYTES);
        return cpuNanos;
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** {@return the sum of a line of the mappings for which huge pages are advised, in bytes} */
    private static long advised(String line) throws IOException {
        long sum = 0;
        long kilobytes = 0;
        for (String text : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (text.startsWith(line)) {
                kilobytes = Long.parseLong(text.replaceAll("\\D", ""));
            } else if (text.startsWith("VmFlags:") && text.contains(" hg")) {
                sum += kilobytes << 10;
            }
        }
        return sum;
    }
}
