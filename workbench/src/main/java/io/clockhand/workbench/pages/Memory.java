// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import java.util.List;

/**
 * The memory of every run's JVM: enough for the largest pool, so that runs differ in nothing else.
 *
 * @param directBytes for pages
 */
public record Memory(long heapBytes, long directBytes) {
    private static final long MEGABYTE = 1 << 20;
    private static final long LEAST_HEAP = 512 * MEGABYTE;
    private static final long HEAP_PER_FRAME = 1024;
    /** A reference may be the first to its page, which is looked up by its id. */
    private static final long HEAP_PER_REFERENCE = 88;

    private static final long HEAP_PER_THREAD = MEGABYTE / 4;
    private static final long LEAST_DIRECT = 64 * MEGABYTE;

    /**
     * Fails, in one sentence, if this machine has less.
     *
     * @param frames of the largest pool
     * @param longestTrace 0 if no trace is played
     * @param contenders that live at once
     * @param memoryBytes of this machine
     */
    public static Memory of(
            int frames, int pageBytes, int mostThreads, int longestTrace, int contenders, long memoryBytes) {
        long heap = LEAST_HEAP
                + HEAP_PER_FRAME * frames
                + HEAP_PER_REFERENCE * longestTrace
                + HEAP_PER_THREAD * mostThreads;
        long pages = (long) frames * pageBytes;
        Memory memory = new Memory(heap, pages + pages / 4 + LEAST_DIRECT); // with spare buffers
        if ((memory.heapBytes + memory.directBytes) * contenders > memoryBytes) {
            throw new CommandFailure((contenders == 1 ? "" : contenders + " contenders live at once, and ")
                    + "a run of "
                    + frames + " frames takes "
                    + Disk.megabytes(memory.heapBytes + memory.directBytes) + " of memory, and this machine has "
                    + Disk.megabytes(memoryBytes) + ", so lower --frames"
                    + (contenders == 1 ? "" : ", or compare fewer contenders"));
        }
        return memory;
    }

    /** With the pages of a simulated device on the heap; fails, in one sentence, if this machine has less. */
    public Memory withPages(long bytes, long memoryBytes) {
        Memory all = new Memory(heapBytes + bytes + bytes / 2, directBytes);
        if (all.heapBytes + directBytes > memoryBytes) {
            throw new CommandFailure("a run takes " + Disk.megabytes(all.heapBytes + directBytes)
                    + " of memory, and this machine has " + Disk.megabytes(memoryBytes)
                    + ", so lower --pages");
        }
        return all;
    }

    public List<String> jvmFlags() {
        String heap = megabytes(heapBytes);
        return List.of(
                "-Xms" + heap, "-Xmx" + heap, "-XX:MaxDirectMemorySize=" + megabytes(directBytes), "-XX:+UseG1GC");
    }

    private static String megabytes(long bytes) {
        return (bytes + MEGABYTE - 1) / MEGABYTE + "m";
    }
}
