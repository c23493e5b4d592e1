// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * Slabs that are direct buffers of a few megabytes each. The JVM clears a whole slab when it is obtained, so slabs are
 * small: no single miss has to clear much memory.
 */
final class DirectSlabs implements PageMemory {
    private static final int LEAST_SLAB_BYTES = 1 << 21;
    private static final int GREATEST_SLAB_BYTES = 1 << 26;
    /** Slabs grow beyond the least size where there would be more of them than this. */
    private static final int MANY_SLABS = 4096;

    private final IntFunction<ByteBuffer> allocate;
    private final String reason;
    /** Those that slabs are slices of: each view of a slab refers to its buffer, not to the slab. */
    private final List<WeakReference<ByteBuffer>> buffers = new ArrayList<>();

    private final AtomicLong obtained = new AtomicLong();

    /** With the reason why the memory is not native. */
    DirectSlabs(int pageBytes, String reason) {
        this.allocate = bytes -> DirectMemory.allocate(bytes, pageBytes, buffers::add);
        this.reason = reason;
    }

    /** With buffers from a function of their size. */
    DirectSlabs(IntFunction<ByteBuffer> allocate, String reason) {
        this.allocate = allocate;
        this.reason = reason;
    }

    /** {@return the size of a slab in bytes, a power of two} */
    static int bytesOfSlab(long bytes) {
        long wanted = Math.max(LEAST_SLAB_BYTES, bytes / MANY_SLABS);
        return (int) Math.min(GREATEST_SLAB_BYTES, Long.highestOneBit(wanted));
    }

    @Override
    public int slabBytes(long bytes) {
        return bytesOfSlab(bytes);
    }

    @Override
    public ByteBuffer slab(int slab, int bytes) {
        ByteBuffer buffer = allocate.apply(bytes);
        obtained.addAndGet(bytes);
        return buffer;
    }

    @Override
    public long discard(long offset, long bytes) {
        return 0;
    }

    @Override
    public boolean canDrop() {
        return true;
    }

    @Override
    public void dropped(int bytes) {
        buffers.removeIf(buffer -> buffer.refersTo(null)); // a pool that often shrinks and grows would fill the list
        obtained.addAndGet(-bytes);
    }

    @Override
    public List<WeakReference<ByteBuffer>> close(boolean inUse) {
        return buffers;
    }

    @Override
    public String description() {
        return "direct buffers: " + reason;
    }

    @Override
    public long bytes() {
        return obtained.get();
    }
}
