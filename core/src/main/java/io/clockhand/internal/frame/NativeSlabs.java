// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Slabs in one mapping of anonymous memory, with huge pages advised.
 *
 * <p>A mapping takes address space only; the operating system clears memory when it is touched. So all of it is mapped
 * at once, slabs are as large as a buffer can be, and a pool whose mapping is refused has direct buffers from the
 * beginning.
 *
 * <p>The JVM's limit of direct memory does not count mappings. They are counted here, until the memory is given back:
 * when its pool is closed, if no page is in use then; else when it is unmapped, since the pool is garbage. All mappings
 * together never exceed the limit.
 */
final class NativeSlabs implements PageMemory {
    private static final int SLAB_BYTES = 1 << 30;
    private static final long COLLECTION_NANOS = 1_000_000_000L;
    private static final long UNMAPPING_NANOS_PER_GIBIBYTE = 250_000_000L;
    private static final long PARK_NANOS = 1_000_000L;

    /** The bytes of all mappings of this JVM. */
    private static final AtomicLong MAPPED = new AtomicLong();

    private final AnonymousMapping mapping;
    private final long bytes;
    /** Ends the count of this mapping; may be called twice. */
    private final Runnable uncount;

    private NativeSlabs(AnonymousMapping mapping, long bytes, Runnable uncount) {
        this.mapping = mapping;
        this.bytes = bytes;
        this.uncount = uncount;
    }

    /** {@return native memory, or direct buffers with the reason why it is not native} */
    static PageMemory orDirect(int pageBytes, int buffers) {
        long bytes = (long) buffers * pageBytes;
        if (bytes < AnonymousMapping.HUGE_PAGE_BYTES) {
            return new DirectSlabs(pageBytes, "the pool is smaller than a huge page");
        }
        String obstacle = AnonymousMapping.obstacle();
        if (obstacle != null) {
            return new DirectSlabs(pageBytes, obstacle);
        }
        AtomicLong counted = new AtomicLong();
        Runnable uncount = () -> MAPPED.addAndGet(-counted.getAndSet(0));
        if (!reserve(bytes)) {
            return new DirectSlabs(
                    pageBytes,
                    "native memory of closed pools is not unmapped yet (still referred to, or not collected)");
        }
        counted.set(bytes);
        AnonymousMapping mapping = null;
        try {
            mapping = AnonymousMapping.tryMap(bytes, uncount);
        } finally {
            if (mapping == null) {
                uncount.run();
            }
        }
        return mapping == null
                ? new DirectSlabs(pageBytes, "the operating system refused huge pages")
                : new NativeSlabs(mapping, bytes, uncount);
    }

    /**
     * Counts bytes as mapped, unless the limit is exceeded even after a collection of closed pools. Waits up to a
     * second, and one more for every 4 GiB that are mapped. An interrupt does not end the wait.
     */
    private static boolean reserve(long bytes) {
        long limit = DirectMemory.limit();
        if (tryReserve(bytes, limit)) {
            return true;
        }
        long nanos = COLLECTION_NANOS + (MAPPED.get() >> 30) * UNMAPPING_NANOS_PER_GIBIBYTE;
        System.gc(); // pools that were closed are unmapped when they are garbage, by another thread
        boolean interrupted = false;
        try {
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < nanos) {
                if (tryReserve(bytes, limit)) {
                    return true;
                }
                interrupted |= Thread.interrupted(); // an interrupted thread cannot park
                LockSupport.parkNanos(PARK_NANOS);
            }
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean tryReserve(long bytes, long limit) {
        long most = limit - bytes;
        long mapped = MAPPED.get();
        while (mapped <= most) {
            long witness = MAPPED.compareAndExchange(mapped, mapped + bytes);
            if (witness == mapped) {
                return true;
            }
            mapped = witness;
        }
        return false;
    }

    /** {@return the bytes of all mappings of this JVM; for tests} */
    static long mappedBytes() {
        return MAPPED.get();
    }

    @Override
    public int slabBytes(long all) {
        return SLAB_BYTES;
    }

    @Override
    public ByteBuffer slab(int slab, int size) {
        return mapping.bytes((long) slab * SLAB_BYTES, size);
    }

    @Override
    public long discard(long offset, long size) {
        return mapping.discard(offset, size);
    }

    @Override
    public boolean canDrop() {
        return false;
    }

    @Override
    public void dropped(int size) {
        throw new UnsupportedOperationException("a part of a mapping is discarded");
    }

    @Override
    public List<WeakReference<ByteBuffer>> close(boolean inUse) {
        if (!inUse && mapping.discard(0, bytes) > 0) {
            uncount.run();
        }
        return List.of();
    }

    @Override
    public String description() {
        return "native memory with huge pages advised";
    }

    @Override
    public long bytes() {
        return bytes;
    }
}
