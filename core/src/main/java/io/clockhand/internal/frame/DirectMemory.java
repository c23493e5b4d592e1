// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Direct memory, which the JVM limits by {@code -XX:MaxDirectMemorySize}. A pool reserves what it may allocate. When it
 * is closed, the buffers that it has allocated count until the collector has found them: then the JVM frees them.
 */
public final class DirectMemory {
    private static final String FLAG = "-XX:MaxDirectMemorySize";

    /** The reservations that hold; weakly, since a pool may become garbage without a close. Guarded by itself. */
    private static final List<Reserved> RESERVATIONS = new ArrayList<>();

    /** The buffers of closed pools. Guarded by {@code RESERVATIONS}. */
    private static final List<WeakReference<ByteBuffer>> LEFT = new ArrayList<>();

    private DirectMemory() {}

    /**
     * Reserves direct memory for a pool that will allocate it as pages come. Only pools count here: a pool whose memory
     * other users of direct memory take fails when it allocates.
     *
     * @param bytes the greatest size that the pool will allocate
     * @return the reservation, to be ended when the pool is closed; it also ends when it is garbage
     * @throws IllegalArgumentException if the limit is lower, or open pools have reserved too much of it; the message
     *     names the flag
     */
    public static Reservation reserve(long bytes) {
        long limit = limit();
        if (bytes > limit) {
            throw new IllegalArgumentException("the pool needs " + bytes
                    + " bytes of direct memory, but this JVM allows " + limit + "; start it with " + FLAG + "="
                    + megabytes(bytes) + "m or more, or make the pool smaller");
        }
        Reservation reservation = tryReserve(bytes, limit);
        if (reservation == null) {
            System.gc(); // finds buffers of closed pools, and pools that have become garbage without a close
            reservation = tryReserve(bytes, limit);
        }
        if (reservation == null) {
            throw refused(bytes, limit);
        }
        return reservation;
    }

    private static IllegalArgumentException refused(long bytes, long limit) {
        long open;
        long left;
        synchronized (RESERVATIONS) {
            open = reserved();
            left = left();
        }
        String message = "the pool needs " + bytes + " bytes of direct memory, but of the " + limit
                + " that this JVM allows other open pools may take " + open;
        if (left > 0) {
            message += ", and closed pools have " + left + " that the collector has not freed"
                    + (isOn("DisableExplicitGC")
                            ? ": with -XX:+DisableExplicitGC no pool can ask it to, so start this JVM without that"
                            : ", since buffers or guards refer to them");
        }
        return new IllegalArgumentException(message + "; start it with " + FLAG + "=" + megabytes(open + left + bytes)
                + "m or more, close a pool, or make the pools smaller");
    }

    private static Reservation tryReserve(long bytes, long limit) {
        synchronized (RESERVATIONS) {
            if (bytes > limit - reserved() - left()) {
                return null;
            }
            Reservation reservation = new Reservation(bytes);
            RESERVATIONS.add(new Reserved(new WeakReference<>(reservation), reservation.bytes));
            return reservation;
        }
    }

    private static long reserved() {
        synchronized (RESERVATIONS) {
            RESERVATIONS.removeIf(reserved -> reserved.owner.refersTo(null));
            return RESERVATIONS.stream()
                    .mapToLong(reserved -> reserved.bytes.get())
                    .sum();
        }
    }

    /** {@return the bytes of the buffers of closed pools} */
    private static long left() {
        synchronized (RESERVATIONS) {
            LEFT.removeIf(buffer -> buffer.refersTo(null));
            long bytes = 0;
            for (WeakReference<ByteBuffer> buffer : LEFT) {
                ByteBuffer found = buffer.get();
                bytes += found == null ? 0 : found.capacity();
            }
            return bytes;
        }
    }

    private record Reserved(WeakReference<Reservation> owner, AtomicLong bytes) {}

    /** The right of an open pool to allocate direct memory. Thread-safe. */
    public static final class Reservation {
        private final AtomicLong bytes;

        private Reservation(long bytes) {
            this.bytes = new AtomicLong(bytes);
        }

        /**
         * Reserves more, or less.
         *
         * @param difference what is added to the reservation, in bytes; may be negative
         * @throws IllegalArgumentException if open pools have reserved too much; the message names the flag, and
         *     nothing has changed
         */
        public void change(long difference) {
            if (!tryChange(difference)) {
                System.gc(); // finds buffers of closed pools, and pools that have become garbage without a close
                if (!tryChange(difference)) {
                    throw refusedGrowth(difference);
                }
            }
        }

        private boolean tryChange(long difference) {
            synchronized (RESERVATIONS) {
                boolean fits = difference <= 0 || difference <= limit() - reserved() - left();
                if (fits) {
                    bytes.addAndGet(difference);
                }
                return fits;
            }
        }

        private static IllegalArgumentException refusedGrowth(long difference) {
            long others;
            synchronized (RESERVATIONS) {
                others = reserved() + left();
            }
            return new IllegalArgumentException("the pool needs " + difference
                    + " bytes of direct memory more, but of the " + limit() + " that this JVM allows pools may take "
                    + others + " already; start it with " + FLAG + "=" + megabytes(others + difference)
                    + "m or more, or resize to fewer frames");
        }

        /**
         * Ends the reservation; may be called twice.
         *
         * @param left the buffers that the pool has allocated, which the collector will free
         */
        public void end(List<WeakReference<ByteBuffer>> left) {
            synchronized (RESERVATIONS) {
                LEFT.addAll(left);
                for (int i = RESERVATIONS.size() - 1; i >= 0; i--) {
                    if (RESERVATIONS.get(i).owner.refersTo(this)) {
                        RESERVATIONS.remove(i);
                    }
                }
            }
        }
    }

    /** {@return the limit in bytes; where the JVM does not report it, the maximum heap size, which is the default} */
    static long limit() {
        String set = option("MaxDirectMemorySize");
        long bytes = set == null ? 0 : Long.parseLong(set);
        return bytes > 0 ? bytes : Runtime.getRuntime().maxMemory();
    }

    private static boolean isOn(String option) {
        return "true".equals(option(option));
    }

    /** {@return an option of the JVM; null if it is another JVM than HotSpot, or has no module jdk.management} */
    private static String option(String name) {
        try {
            HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            return bean == null ? null : bean.getVMOption(name).getValue();
        } catch (IllegalArgumentException | LinkageError e) {
            return null;
        }
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
        return allocate(bytes, alignment, buffer -> {});
    }

    /** As {@link #allocate(int, int)}; {@code note} gets the buffer that the result is a slice of. */
    static ByteBuffer allocate(int bytes, int alignment, Consumer<WeakReference<ByteBuffer>> note) {
        try {
            ByteBuffer buffer = ByteBuffer.allocateDirect(bytes + alignment - 1);
            note.accept(new WeakReference<>(buffer));
            return buffer.alignedSlice(alignment);
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
