// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/**
 * The bytes of the pages: buffers of one page each, outside the Java heap, and which of them are free. All
 * off-heap access goes through this class.
 *
 * <p>Buffers lie in slabs of {@linkplain PageMemory memory of two kinds}, which are obtained when one of their buffers
 * is taken for the first time: the memory of a large pool is touched only as pages come, and no single miss has to
 * clear much of it. A slab is never freed while anybody refers to it, so a late reader may read the wrong bytes, but
 * never unmapped memory. The address of a buffer is a multiple of its size, so that a device can write to it without a
 * copy (direct I/O wants it to be a multiple of a block, which is no larger than a page); a slab of direct memory takes
 * up to a page more for that. A slab that is given back, since the pool shrinks, is replaced by the first one.
 *
 * <p>{@code slabs} is written under a lock: with release order before one of the slab's buffers is taken, and with
 * volatile order after all of them are retired, and when the pool is closed. A thread that reads the number of a
 * buffer from a word with acquire order sees its slab, or what has replaced it since: then the word was changed
 * before, and a reader does not validate. Nothing replaces the slabs of a closed pool, so an access to one is an
 * {@link IllegalStateException}.
 *
 * <p>{@code views} caches the views of each slab. A thread that finds none of the slab that is there now makes them,
 * stores them with volatile order, and then loads the slab again; the thread that takes a slab away stores that first,
 * and then null to {@code views}. So at least one of the two removes views of a slab that is gone. Thread-safe.
 */
public final class FrameMemory {
    /** Returned by {@link #poll} when no buffer is free. */
    public static final int NONE = FreeNumbers.NONE;

    /**
     * Unlike the methods of the buffers these are no virtual calls, which the compiler would inline in some runs and
     * not in others.
     */
    private static final VarHandle SHORT = MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final VarHandle SLAB = MethodHandles.arrayElementVarHandle(ByteBuffer[].class);
    private static final VarHandle VIEWS = MethodHandles.arrayElementVarHandle(SlabViews[].class);
    private static final VarHandle LINK = MethodHandles.arrayElementVarHandle(int[].class);

    private final int pageBytes;
    private final int pageShift;
    private final int slabShift;
    private final int slabMask;
    private final int buffers;
    private final ByteBuffer[] slabs;
    /** An entry is null, or may be of a slab that was replaced since: then it is made anew. */
    private final SlabViews[] views;

    private final PageMemory memory;
    private final FreeNumbers free;
    private final ReentrantLock allocating = new ReentrantLock();
    /** Whether there are no slabs any more. Guarded by {@code allocating}. */
    private boolean closed;

    /**
     * Creates buffers in direct memory, all of them free.
     *
     * @param pageBytes the size of a buffer: a power of two
     * @param buffers the number of buffers
     */
    public FrameMemory(int pageBytes, int buffers) {
        this(pageBytes, buffers, PageMemory.of(false, pageBytes, buffers));
    }

    /** With slabs from a function of their size, so that a test can count them. */
    FrameMemory(int pageBytes, int buffers, IntFunction<ByteBuffer> memory) {
        this(pageBytes, buffers, new DirectSlabs(memory, "a function allocates them"));
    }

    /**
     * Creates buffers, all of them free.
     *
     * @param pageBytes the size of a buffer: a power of two
     * @param buffers the number of buffers
     * @param memory where their slabs lie
     */
    public FrameMemory(int pageBytes, int buffers, PageMemory memory) {
        this(pageBytes, buffers, buffers, memory);
    }

    /**
     * Creates buffers, the first of which are free.
     *
     * @param pageBytes the size of a buffer: a power of two
     * @param limit the number of buffers that are given out
     * @param buffers the number of buffers to which the limit can be raised
     * @param memory where their slabs lie
     */
    public FrameMemory(int pageBytes, int limit, int buffers, PageMemory memory) {
        this.memory = memory;
        this.pageBytes = pageBytes;
        this.pageShift = Integer.numberOfTrailingZeros(pageBytes);
        this.buffers = buffers;
        this.slabShift = Integer.numberOfTrailingZeros(memory.slabBytes((long) buffers * pageBytes)) - pageShift;
        this.slabMask = (1 << slabShift) - 1;
        this.slabs = new ByteBuffer[slabs(slabShift, buffers)];
        this.views = new SlabViews[slabs.length];
        int[] links = new int[buffers];
        this.free = new FreeNumbers(
                new FreeNumbers.Links() {
                    @Override
                    public int link(int buffer) {
                        return (int) LINK.getOpaque(links, buffer);
                    }

                    @Override
                    public void setLink(int buffer, int next) {
                        LINK.setOpaque(links, buffer, next);
                    }
                },
                limit,
                buffers);
    }

    private static int slabs(int slabShift, int buffers) {
        return (int) ((buffers + (1L << slabShift) - 1) >> slabShift);
    }

    /**
     * {@return the number of bytes of direct memory that are taken when every buffer has been in use}
     *
     * @param pageBytes the size of a buffer: a power of two
     * @param buffers the number of buffers
     */
    public static long directBytes(int pageBytes, int buffers) {
        return directBytes(pageBytes, buffers, buffers);
    }

    /**
     * {@return the number of bytes of direct memory that are taken when every buffer below the limit has been in use}
     *
     * @param pageBytes the size of a buffer: a power of two
     * @param limit the number of buffers that are given out
     * @param buffers the number of buffers to which the limit can be raised
     */
    public static long directBytes(int pageBytes, int limit, int buffers) {
        int slabShift = Integer.numberOfTrailingZeros(DirectSlabs.bytesOfSlab((long) buffers * pageBytes) / pageBytes);
        long slabs = slabs(slabShift, limit);
        return Math.min(buffers, slabs << slabShift) * pageBytes + slabs * (pageBytes - 1L);
    }

    /** {@return the size of a buffer} */
    public int pageBytes() {
        return pageBytes;
    }

    /**
     * Takes a free buffer; its bytes are what they were.
     *
     * @return its number, or {@link #NONE}
     * @throws OutOfMemoryError if the JVM's limit of direct memory is reached; the message names the flag
     */
    public int poll() {
        int buffer = free.poll();
        if (buffer != NONE && isMissing(buffer >> slabShift)) {
            try {
                allocate(buffer >> slabShift);
            } catch (Throwable failure) {
                free.offer(buffer);
                throw failure;
            }
        }
        return buffer;
    }

    /** {@return whether a slab was never obtained, or was given back} */
    @SuppressWarnings("ReferenceEquality") // the very first slab, not one with equal bytes
    private boolean isMissing(int slab) {
        ByteBuffer bytes = (ByteBuffer) SLAB.getAcquire(slabs, slab);
        return bytes == null || (slab > 0 && bytes == slabs[0]);
    }

    private void allocate(int slab) {
        allocating.lock();
        try {
            if (closed) {
                throw closed();
            }
            if (isMissing(slab)) {
                SLAB.setRelease(slabs, slab, memory.slab(slab, bytesOfSlab(slab)));
            }
        } finally {
            allocating.unlock();
        }
    }

    private int bytesOfSlab(int slab) {
        return Math.min(1 << slabShift, buffers - (slab << slabShift)) << pageShift;
    }

    // --- the number of buffers ---------------------------------------------------------------------------------------

    /** {@return the number of buffers that are given out} */
    public int limit() {
        return free.limit();
    }

    /**
     * Changes the number of buffers that are given out. Buffers past it are retired as they are returned; until then
     * they can be used. One thread at a time.
     *
     * @param limit 1 to the number of buffers
     */
    public void setLimit(int limit) {
        free.setLimit(limit);
    }

    /**
     * {@return whether every buffer past the limit is retired} Retires the free ones; other threads may find no free
     * buffer meanwhile.
     */
    public boolean isShrunk() {
        free.drain(buffer -> {});
        for (int buffer = free.limit(), end = Math.min(buffers, free.used()); buffer < end; buffer++) {
            if (!free.isRetired(buffer)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Gives the memory of the buffers past the limit back, all of which are {@linkplain #isShrunk retired}: native
     * memory at once; direct memory, as far as it fills whole slabs, when no view of them is left and the collector has
     * found that. A late optimistic reader finds the bytes of the first slab there, or zeros, and fails to validate.
     *
     * @return the number of bytes
     */
    public long release() {
        int limit = free.limit();
        long bytes = memory.discard((long) limit << pageShift, (long) (buffers - limit) << pageShift);
        allocating.lock();
        try {
            for (int slab = Math.max(1, slabs(slabShift, limit)); slab < slabs.length && slabs[0] != null; slab++) {
                if (!isMissing(slab) && memory.canDrop()) {
                    SLAB.setVolatile(slabs, slab, slabs[0]); // as long as any other
                    VIEWS.setVolatile(views, slab, null);
                    memory.dropped(bytesOfSlab(slab));
                    bytes += bytesOfSlab(slab);
                }
            }
        } finally {
            allocating.unlock();
        }
        return bytes;
    }

    /**
     * Takes the slabs from all threads: an access that begins later is an {@link IllegalStateException}, unless its
     * thread has found the slab before. For a pool that is closed; {@link #giveBack} follows. May be called twice.
     */
    public void hide() {
        allocating.lock();
        try {
            closed = true;
            for (int slab = 0; slab < slabs.length; slab++) {
                SLAB.setVolatile(slabs, slab, null);
                VIEWS.setVolatile(views, slab, null);
            }
        } finally {
            allocating.unlock();
        }
    }

    /**
     * Gives the memory of hidden slabs back: native memory at once if nobody uses it; direct memory when the collector
     * has found that no view of it is left. May be called twice.
     *
     * @param inUse whether a thread may still use a page, so that its bytes must stay
     * @return the direct buffers that the collector will free
     */
    public List<WeakReference<ByteBuffer>> giveBack(boolean inUse) {
        return memory.close(inUse);
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the pool is closed: its guards have no pages any more");
    }

    /** {@return whether a buffer has no bytes, since the pool is closed} */
    public boolean isClosed(int buffer) {
        return SLAB.getAcquire(slabs, buffer >> slabShift) == null;
    }

    // --- the bytes ---------------------------------------------------------------------------------------------------

    /**
     * Returns a buffer.
     *
     * @param buffer a buffer that no frame refers to any more
     */
    public void offer(int buffer) {
        free.offer(buffer);
    }

    /**
     * Gives the bytes of adjacent buffers back to the operating system, as far as they fill whole pages of it. The
     * buffers stay the caller's; the bytes that were given back are zeros, and take memory again when they are touched.
     * A late optimistic reader may read these zeros, so the frames must have lost their pages before: then its
     * validation fails.
     *
     * @param first the first buffer; the caller owns all of them, and no frame refers to one
     * @param count the number of buffers
     * @return the number of bytes given back; 0 if the memory is not native, and nothing has happened
     */
    public long discard(int first, int count) {
        return memory.discard((long) first << pageShift, (long) count << pageShift);
    }

    /** {@return the memory that the slabs lie in} */
    public PageMemory memory() {
        return memory;
    }

    /** {@return whether no buffer is free at the moment} */
    boolean isEmpty() {
        return free.isEmpty();
    }

    /** {@return the number of free buffers, while no other thread takes or returns any} */
    public int free() {
        return free.size();
    }

    /**
     * {@return eight bytes of a buffer, big-endian}
     *
     * @param buffer a buffer that was taken once
     * @param offset where in the buffer; the caller has checked it against the page
     */
    public long getLong(int buffer, int offset) {
        return (long) LONG.get(slab(buffer), base(buffer) + offset);
    }

    /**
     * Reads some bytes of a buffer.
     *
     * @param buffer a buffer that was taken once
     * @param offset where in the buffer; the caller has checked it against the page
     * @param target gets them
     * @param targetOffset where in the target
     * @param length the number of bytes
     */
    public void getBytes(int buffer, int offset, byte[] target, int targetOffset, int length) {
        slab(buffer).get(base(buffer) + offset, target, targetOffset, length);
    }

    /**
     * Reads some bytes of a buffer into another one, whose position stays.
     *
     * @param buffer a buffer that was taken once
     * @param offset where in the buffer; the caller has checked it against the page
     * @param target gets them
     * @param targetOffset where in the target
     * @param length how many
     */
    public void getBytes(int buffer, int offset, ByteBuffer target, int targetOffset, int length) {
        target.put(targetOffset, slab(buffer), base(buffer) + offset, length);
    }

    /**
     * Copies a buffer.
     *
     * @param buffer a buffer that was taken once
     * @param target gets the bytes; its position stays
     * @param targetOffset where in the target
     */
    public void copyTo(int buffer, ByteBuffer target, int targetOffset) {
        target.put(targetOffset, slab(buffer), base(buffer), pageBytes);
    }

    /**
     * Copies a buffer.
     *
     * @param buffer a buffer that was taken once
     * @param target gets the bytes; exactly as long as a page
     */
    public void copyTo(int buffer, byte[] target) {
        slab(buffer).get(base(buffer), target, 0, pageBytes);
    }

    /**
     * Fills a buffer.
     *
     * @param buffer a buffer whose page the caller may change
     * @param source the bytes; exactly as long as a page
     */
    public void copyFrom(int buffer, byte[] source) {
        slab(buffer).put(base(buffer), source, 0, pageBytes);
    }

    /**
     * Sets one byte of a buffer.
     *
     * @param buffer a buffer whose page the caller may change
     * @param offset where in the buffer; the caller has checked it against the page
     * @param value the byte
     */
    public void putByte(int buffer, int offset, byte value) {
        slab(buffer).put(base(buffer) + offset, value);
    }

    /**
     * Sets two bytes of a buffer, big-endian.
     *
     * @param buffer a buffer whose page the caller may change
     * @param offset where in the buffer; the caller has checked it against the page
     * @param value the bytes
     */
    public void putShort(int buffer, int offset, short value) {
        SHORT.set(slab(buffer), base(buffer) + offset, value);
    }

    /**
     * Sets four bytes of a buffer, big-endian.
     *
     * @param buffer a buffer whose page the caller may change
     * @param offset where in the buffer; the caller has checked it against the page
     * @param value the bytes
     */
    public void putInt(int buffer, int offset, int value) {
        INT.set(slab(buffer), base(buffer) + offset, value);
    }

    /**
     * Sets eight bytes of a buffer, big-endian.
     *
     * @param buffer a buffer whose page the caller may change
     * @param offset where in the buffer; the caller has checked it against the page
     * @param value the bytes
     */
    public void putLong(int buffer, int offset, long value) {
        LONG.set(slab(buffer), base(buffer) + offset, value);
    }

    /**
     * Sets some bytes of a buffer.
     *
     * @param buffer a buffer whose page the caller may change
     * @param offset where in the buffer; the caller has checked it against the page
     * @param source the bytes
     * @param sourceOffset where in the source
     * @param length the number of bytes
     */
    public void putBytes(int buffer, int offset, byte[] source, int sourceOffset, int length) {
        slab(buffer).put(base(buffer) + offset, source, sourceOffset, length);
    }

    /**
     * Sets some bytes of a buffer to those of another one, whose position stays.
     *
     * @param buffer a buffer whose page the caller may change
     * @param offset where in the buffer; the caller has checked it against the page
     * @param source the bytes
     * @param sourceOffset where in the source
     * @param length the number of bytes
     */
    public void putBytes(int buffer, int offset, ByteBuffer source, int sourceOffset, int length) {
        slab(buffer).put(base(buffer) + offset, source, sourceOffset, length);
    }

    /**
     * Sets one byte, and no other, with release order.
     *
     * @param buffer a buffer in whose page the caller may update rows
     * @param offset where in the buffer; the caller has checked it against the page
     * @param value the byte
     */
    public void releaseByte(int buffer, int offset, byte value) {
        VarHandle.releaseFence();
        slab(buffer).put(base(buffer) + offset, value);
    }

    /**
     * Sets two bytes at once, big-endian, with release order.
     *
     * @param buffer a buffer in whose page the caller may update rows
     * @param offset where in the buffer, a multiple of 2; the caller has checked it against the page
     * @param value the bytes
     */
    public void releaseShort(int buffer, int offset, short value) {
        SHORT.setRelease(slab(buffer), base(buffer) + offset, value);
    }

    /**
     * Sets four bytes at once, big-endian, with release order.
     *
     * @param buffer a buffer in whose page the caller may update rows
     * @param offset where in the buffer, a multiple of 4; the caller has checked it against the page
     * @param value the bytes
     */
    public void releaseInt(int buffer, int offset, int value) {
        INT.setRelease(slab(buffer), base(buffer) + offset, value);
    }

    /**
     * Sets eight bytes at once, big-endian, with release order.
     *
     * @param buffer a buffer in whose page the caller may update rows
     * @param offset where in the buffer, a multiple of 8; the caller has checked it against the page
     * @param value the bytes
     */
    public void releaseLong(int buffer, int offset, long value) {
        LONG.setRelease(slab(buffer), base(buffer) + offset, value);
    }

    /**
     * {@return eight bytes of a buffer, read at once, big-endian, with acquire order}
     *
     * @param buffer a buffer that was taken once
     * @param offset where in the buffer, a multiple of 8; the caller has checked it against the page
     */
    public long acquireLong(int buffer, int offset) {
        return (long) LONG.getAcquire(slab(buffer), base(buffer) + offset);
    }

    /**
     * Changes eight bytes by CAS.
     *
     * @param buffer a buffer in whose page the caller may update rows
     * @param offset where in the buffer, a multiple of 8; the caller has checked it against the page
     * @param expected the bytes that the caller has seen, big-endian
     * @param value the new ones
     * @return whether the buffer has them now
     */
    public boolean casLong(int buffer, int offset, long expected, long value) {
        return LONG.compareAndSet(slab(buffer), base(buffer) + offset, expected, value);
    }

    /**
     * Sets some bits of eight bytes, and no other, by CAS.
     *
     * @param buffer a buffer in whose page the caller may update rows
     * @param offset where in the buffer, a multiple of 8; the caller has checked it against the page
     * @param mask the bits that are set
     * @param bits their values, within the mask
     * @return the eight bytes before, big-endian
     */
    public long setBits(int buffer, int offset, long mask, long bits) {
        long seen;
        do {
            seen = acquireLong(buffer, offset);
        } while (!casLong(buffer, offset, seen, (seen & ~mask) | bits));
        return seen;
    }

    /**
     * Raises a number of eight bytes, big-endian, by CAS.
     *
     * @param buffer a buffer in whose page the caller may update rows
     * @param offset where in the buffer, a multiple of 8; the caller has checked it against the page
     * @param value the least number that it has then
     */
    public void raiseLong(int buffer, int offset, long value) {
        long seen;
        do {
            seen = acquireLong(buffer, offset);
        } while (value > seen && !casLong(buffer, offset, seen, value));
    }

    /**
     * Copies bytes from one buffer to another, or within one, where the ranges may overlap.
     *
     * @param buffer a buffer whose page the caller may change
     * @param offset where in the buffer; the caller has checked it against the page
     * @param source the buffer with the bytes
     * @param sourceOffset where in the source
     * @param length the number of bytes
     */
    public void copy(int buffer, int offset, int source, int sourceOffset, int length) {
        slab(buffer).put(base(buffer) + offset, slab(source), base(source) + sourceOffset, length);
    }

    /**
     * Sets all bytes of a buffer to zero.
     *
     * @param buffer a buffer whose page the caller may change
     */
    public void clear(int buffer) {
        ByteBuffer bytes = slab(buffer);
        for (int at = base(buffer), end = at + pageBytes; at < end; at += Long.BYTES) {
            bytes.putLong(at, 0);
        }
    }

    /**
     * {@return the bytes of a buffer, as a new view}
     *
     * @param buffer a buffer that was taken once
     */
    public ByteBuffer bytes(int buffer) {
        return slab(buffer).slice(base(buffer), pageBytes);
    }

    /**
     * {@return the bytes of several buffers that are neighbours, as a new view}
     *
     * @param buffer the first one
     * @param count the number of buffers, all of which {@linkplain #isNext are neighbours}
     */
    public ByteBuffer bytes(int buffer, int count) {
        return slab(buffer).slice(base(buffer), count * pageBytes);
    }

    /**
     * {@return whether the bytes of a buffer follow those of another}
     *
     * @param buffer a buffer
     * @param next the other one
     */
    public boolean isNext(int buffer, int next) {
        return next == buffer + 1 && (next & slabMask) != 0;
    }

    // --- for those that note where a page lies -----------------------------------------------------------------------

    /**
     * {@return the slabs} The bytes of buffer b begin in slab {@code b >> slabShift()}, at the rest of b times the size
     * of a buffer. A slab is null when the pool is closed.
     */
    public ByteBuffer[] slabs() {
        return slabs;
    }

    /** {@return the binary logarithm of the number of buffers in a slab} */
    public int slabShift() {
        return slabShift;
    }

    /** {@return the binary logarithm of the size of a buffer} */
    public int pageShift() {
        return pageShift;
    }

    /** {@return the views of the slab of a buffer} */
    public SlabViews views(int buffer) {
        ByteBuffer slab = slab(buffer);
        SlabViews found = (SlabViews) VIEWS.getAcquire(views, buffer >> slabShift);
        if (found == null || !found.areOf(slab)) {
            found = new SlabViews(slab);
            VIEWS.setVolatile(views, buffer >> slabShift, found);
            forgetIfGone(buffer >> slabShift, slab, found);
        }
        return found;
    }

    /** Views would keep a slab that was given back meanwhile from the collector. */
    @SuppressWarnings("ReferenceEquality") // the very slab
    private void forgetIfGone(int slab, ByteBuffer bytes, SlabViews made) {
        if (SLAB.getVolatile(slabs, slab) != bytes) {
            VIEWS.compareAndSet(views, slab, made, null);
        }
    }

    private ByteBuffer slab(int buffer) {
        ByteBuffer slab = slabs[buffer >> slabShift];
        if (slab == null) { // costs nothing: an access to null would be noticed in the same way
            throw closed();
        }
        return slab;
    }

    private int base(int buffer) {
        return (buffer & slabMask) << pageShift;
    }
}
