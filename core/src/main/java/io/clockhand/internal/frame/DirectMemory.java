// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;

/** Direct memory, which the JVM limits by {@code -XX:MaxDirectMemorySize}. */
public final class DirectMemory {
    private static final String FLAG = "-XX:MaxDirectMemorySize";

    private DirectMemory() {}

    /**
     * Checks that the limit of direct memory allows an allocation.
     *
     * @param bytes the size of the allocation
     * @throws IllegalArgumentException if the limit is lower; the message names the flag
     */
    public static void checkAvailable(long bytes) {
        long limit = limit();
        if (bytes > limit) {
            throw new IllegalArgumentException("the pool needs " + bytes
                    + " bytes of direct memory, but this JVM allows " + limit + "; start it with " + FLAG + "="
                    + megabytes(bytes) + "m or more, or make the pool smaller");
        }
    }

    /** {@return the limit in bytes; where the JVM does not report it, the maximum heap size, which is the default} */
    static long limit() {
        long set = 0;
        try {
            HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            if (bean != null) {
                set = Long.parseLong(bean.getVMOption("MaxDirectMemorySize").getValue());
            }
        } catch (IllegalArgumentException | LinkageError e) {
            // Another JVM than HotSpot, or one without the module jdk.management.
            set = 0;
        }
        return set > 0 ? set : Runtime.getRuntime().maxMemory();
    }

    /** {@return the bytes of direct memory in use in this JVM} */
    static long used() {
        long used = 0;
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            used += pool.getName().equals("direct") ? pool.getMemoryUsed() : 0;
        }
        return used;
    }

    /**
     * Allocates zeros at an address that is a multiple of the alignment, which direct I/O needs. Takes up to
     * {@code alignment − 1} bytes more.
     *
     * @param bytes the size; a multiple of {@code alignment}
     * @param alignment a power of two
     * @return the bytes
     * @throws OutOfMemoryError if the JVM's limit is reached; the message names the flag
     */
    public static ByteBuffer allocate(int bytes, int alignment) {
        try {
            return ByteBuffer.allocateDirect(bytes + alignment - 1).alignedSlice(alignment);
        } catch (OutOfMemoryError e) {
            OutOfMemoryError named =
                    new OutOfMemoryError("cannot allocate " + bytes + " bytes of pages: " + used() + " of " + limit()
                            + " bytes of direct memory are in use; raise " + FLAG + " or make the pools smaller");
            named.initCause(e);
            throw named;
        }
    }

    private static long megabytes(long bytes) {
        return (bytes + (1L << 20) - 1) >> 20;
    }
}
