// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.SlabViews;
import io.clockhand.internal.frame.WideLsnField;
import io.clockhand.wal.WideLsn;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * The bytes of a page. Offsets and lengths are in bytes and are checked against the page: an access outside of it is an
 * {@link IndexOutOfBoundsException}. Numbers are big-endian, unless the method's name ends in {@code LittleEndian};
 * they need not be aligned. No method but those that return an object allocates anything.
 *
 * <p>Not thread-safe: for the thread that has fixed the page, until it closes it. A use when there is no page is an
 * {@link IllegalStateException}. So is a use by another thread, as far as that can tell without synchronization: fixes,
 * changes, closes and validations check it always, reads of bytes and numbers only in a pool that {@linkplain
 * BufferPoolBuilder#detectLeaks detects leaks}, since the check would cost more than the read.
 */
public abstract sealed class PageView
        permits PageGuard, WritablePage, SharedUpdatePage, OptimisticPage, OptimisticGroup.GroupPage {
    private static final VarHandle ARRAY_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final VarHandle ARRAY_INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    /** The size of a slot with a {@link #head}, in bytes; see {@link #searchHeadedSlots}. */
    public static final int HEADED_SLOT_BYTES = 6;

    private static final int HEAD_AT = 2;

    /** No thread uses this. */
    static final long FREE = 0;

    /** The pool's, or that of a copy. */
    private FrameMemory memory;

    /** Those of the memory, so that a thread finds a page where it must not call a method. */
    private ByteBuffer[] slabs;

    int slabShift;
    int pageShift;

    private final int pageBytes;
    /** What the limit is while this has a page. */
    final int open;
    /** The number of the slab that the page lies in, and where it begins there. */
    int slab;

    int base;
    /**
     * Accesses below this need no other check: the size of the page while there is one; else, and always in a pool that
     * detects leaks, 0, so that every access takes the slow path, which finds out what is wrong.
     */
    int limit;
    /** A guard that has just taken a share writes this and the owner itself: a call might overflow the stack. */
    int buffer;
    /**
     * The id of the thread that uses this, or FREE. If that thread has passed the page on, and may close this once
     * more, the id with the other sign. Written plainly, by the thread that uses this or begins to. So a thread that
     * reads its own id here has written it, whatever other threads do by mistake: one comparison tells that this is
     * open, and whose it is.
     */
    long owner = FREE;

    /** Of the page that this has fixed, in a pool that detects leaks; else null. */
    private PinTracker.Pin pin;

    PageView(FrameMemory memory, boolean checksThread) {
        this.pageBytes = memory.pageBytes();
        this.open = checksThread ? 0 : pageBytes;
        use(memory);
    }

    private void use(FrameMemory used) {
        memory = used;
        slabs = used.slabs();
        slabShift = used.slabShift();
        pageShift = used.pageShift();
    }

    // --- who uses it -------------------------------------------------------------------------------------------------

    /** {@return the id of the calling thread} */
    static long threadId() {
        return Thread.currentThread().getId();
    }

    /** A thread's class may override its id; FREE would let it use this without a page. */
    static void checkThread() {
        if (threadId() <= FREE) {
            throw new IllegalStateException(
                    "the id of thread '" + Thread.currentThread().getName() + "' is " + threadId()
                            + ": let its class's getId return a positive number, another one for each thread");
        }
    }

    /**
     * Shows a page to the calling thread.
     *
     * @param thread its {@linkplain #threadId id}, found before the page was pinned: a thread's class may override that
     */
    final void show(int shown, long thread) {
        showNext(shown);
        owner = thread;
    }

    final void show(int shown) {
        show(shown, threadId());
    }

    /** Shows another page; this stays in use by the calling thread. */
    final void showNext(int shown) {
        buffer = shown;
        slab = shown >> slabShift;
        base = (shown & (1 << slabShift) - 1) << pageShift;
        limit = open;
    }

    /** As {@link #show(int)}, of a page that need not lie in the pool's memory. */
    @SuppressWarnings("ReferenceEquality") // one or the other
    final void show(FrameMemory where, int shown) {
        if (memory != where) {
            use(where);
        }
        show(shown);
    }

    final void hide() {
        limit = 0;
        owner = FREE;
    }

    /** The page goes to another object. */
    final void pass() {
        limit = 0;
        owner = -owner;
    }

    final boolean isInUse() {
        return owner > FREE;
    }

    /** Throws unless a thread may begin to use this. Called before the page is pinned or shared. */
    final void checkFree() {
        checkThread();
        if (isInUse()) {
            throw new IllegalStateException(this + " has a page already: close it first, or use another guard");
        }
    }

    @SuppressWarnings("ReferenceEquality") // the pool's one fixer
    final void checkSamePool(PageFixer mine, PageFixer other) {
        if (mine != other) {
            throw new IllegalArgumentException(this + " belongs to another pool: take one of the page's pool");
        }
    }

    /** Throws unless the calling thread may use this. */
    void checkUser() {
        if (owner != threadId()) {
            throw misuse();
        }
    }

    /** {@return whether there is a page to be released; false if it was passed on} */
    final boolean beginClose() {
        if (isUsedByCaller()) {
            hide();
            return true;
        }
        endPassed();
        return false;
    }

    /** {@return whether the calling thread has a page by this} A thread's class may give it the id FREE, or less. */
    final boolean isUsedByCaller() {
        long now = owner;
        return now == threadId() && now > FREE;
    }

    private void endPassed() {
        if (owner != -threadId()) {
            throw misuse();
        }
        owner = FREE;
    }

    final IllegalStateException misuse() {
        long other = owner;
        if (other > FREE && other != threadId()) {
            return new IllegalStateException(this + " belongs to " + describeThread(other) + ", but is used by thread '"
                    + Thread.currentThread().getName() + "': fix the page with a guard of this thread");
        }
        return new IllegalStateException(
                this + " is not open: it was closed, passed its page on, or never fixed one; fix the page first");
    }

    /** A guard holds no reference to its thread, so that a thread that has ended can be collected. */
    private static String describeThread(long id) {
        ThreadInfo thread = ManagementFactory.getThreadMXBean().getThreadInfo(id);
        return thread == null
                ? "a virtual thread, or one that has ended, with id " + id
                : "thread '" + thread.getThreadName() + "'";
    }

    // --- leak detection ----------------------------------------------------------------------------------------------

    /** Begins the pin of the page that this has fixed; does nothing if leaks are not detected. */
    final void track(PinTracker tracker, long fixed, LatchMode mode) {
        if (tracker != null) {
            pin = tracker.begin(this, fixed, mode);
        }
    }

    /** {@return what {@link #passTracking} needs, or null; made before the page is passed on, since it allocates} */
    final WeakReference<PageView> reference(PageView target) {
        return pin == null ? null : new WeakReference<>(target);
    }

    /** The pin of this goes to another object. */
    final void passTracking(PageView target, WeakReference<PageView> owner, LatchMode mode) {
        PinTracker.Pin passed = pin;
        if (passed != null) {
            pin = null;
            passed.pass(owner, mode);
            target.pin = passed;
        }
    }

    /** Ends the pin, if there is one: after the page was unfixed. */
    final void endTracking() {
        PinTracker.Pin ended = pin;
        if (ended != null) {
            pin = null;
            ended.end();
        }
    }

    // --- numbers -----------------------------------------------------------------------------------------------------

    /** {@return the size of the page in bytes} */
    public final int pageBytes() {
        return pageBytes;
    }

    /** {@return the id of the page} */
    public abstract long id();

    /** {@return whether the page may change while it is read} */
    final boolean isUnlatched() {
        return this instanceof OptimisticPage || this instanceof OptimisticGroup.GroupPage;
    }

    final FrameMemory memory() {
        return memory;
    }

    final int buffer() {
        return buffer;
    }

    /** {@return where some bytes of the page lie in the slab} */
    private int at(int offset, int bytes) {
        if ((offset | (limit - bytes - offset)) < 0) {
            checkSlowly(offset, bytes);
        }
        return base + offset;
    }

    private void checkSlowly(int offset, int bytes) {
        checkUser();
        Objects.checkIndex(offset, pageBytes - bytes + 1); // throws, with a message
    }

    private ByteBuffer bytesOfSlab() {
        ByteBuffer bytes = slabs[slab];
        if (bytes == null) { // costs nothing: an access to null would be noticed in the same way
            throw new IllegalStateException("the pool is closed: its guards have no pages any more");
        }
        return bytes;
    }

    /** Checks an access by the thread that has the page; {@return the offset} */
    final int checked(int offset, int bytes) {
        checkUser();
        if ((offset | (pageBytes - bytes - offset)) < 0) {
            Objects.checkIndex(offset, pageBytes - bytes + 1); // throws, with a message
        }
        return offset;
    }

    /**
     * Reads one byte.
     *
     * @param offset where in the page
     * @return the byte, −128 to 127
     */
    public final byte getByte(int offset) {
        int at = at(offset, Byte.BYTES);
        return bytesOfSlab().get(at);
    }

    /**
     * Reads one byte as an unsigned number.
     *
     * @param offset where in the page
     * @return the number, 0 to 255
     */
    public final int getUnsignedByte(int offset) {
        return Byte.toUnsignedInt(getByte(offset));
    }

    /**
     * Reads two bytes.
     *
     * @param offset where in the page
     * @return the number
     */
    public final short getShort(int offset) {
        int at = at(offset, Short.BYTES);
        return bytesOfSlab().getShort(at);
    }

    /**
     * Reads two bytes, the lowest first.
     *
     * @param offset where in the page
     * @return the number
     */
    public final short getShortLittleEndian(int offset) {
        return Short.reverseBytes(getShort(offset));
    }

    /**
     * Reads two bytes as an unsigned number.
     *
     * @param offset where in the page
     * @return the number, 0 to 65,535
     */
    public final int getUnsignedShort(int offset) {
        return Short.toUnsignedInt(getShort(offset));
    }

    /**
     * Reads two bytes, the lowest first, as an unsigned number.
     *
     * @param offset where in the page
     * @return the number, 0 to 65,535
     */
    public final int getUnsignedShortLittleEndian(int offset) {
        return Short.toUnsignedInt(getShortLittleEndian(offset));
    }

    /**
     * Reads four bytes.
     *
     * @param offset where in the page
     * @return the number
     */
    public final int getInt(int offset) {
        int at = at(offset, Integer.BYTES);
        return bytesOfSlab().getInt(at);
    }

    /**
     * Reads four bytes, the lowest first.
     *
     * @param offset where in the page
     * @return the number
     */
    public final int getIntLittleEndian(int offset) {
        return Integer.reverseBytes(getInt(offset));
    }

    /**
     * Reads four bytes as an unsigned number.
     *
     * @param offset where in the page
     * @return the number, 0 to 4,294,967,295
     */
    public final long getUnsignedInt(int offset) {
        return Integer.toUnsignedLong(getInt(offset));
    }

    /**
     * Reads four bytes, the lowest first, as an unsigned number.
     *
     * @param offset where in the page
     * @return the number, 0 to 4,294,967,295
     */
    public final long getUnsignedIntLittleEndian(int offset) {
        return Integer.toUnsignedLong(getIntLittleEndian(offset));
    }

    /**
     * Reads eight bytes.
     *
     * @param offset where in the page
     * @return the number
     */
    public final long getLong(int offset) {
        int at = at(offset, Long.BYTES);
        return bytesOfSlab().getLong(at);
    }

    /**
     * Reads eight bytes, the lowest first.
     *
     * @param offset where in the page
     * @return the number
     */
    public final long getLongLittleEndian(int offset) {
        return Long.reverseBytes(getLong(offset));
    }

    /**
     * Reads four bytes as a floating-point number.
     *
     * @param offset where in the page
     * @return the number
     */
    public final float getFloat(int offset) {
        return Float.intBitsToFloat(getInt(offset));
    }

    /**
     * Reads four bytes, the lowest first, as a floating-point number.
     *
     * @param offset where in the page
     * @return the number
     */
    public final float getFloatLittleEndian(int offset) {
        return Float.intBitsToFloat(getIntLittleEndian(offset));
    }

    /**
     * Reads eight bytes as a floating-point number.
     *
     * @param offset where in the page
     * @return the number
     */
    public final double getDouble(int offset) {
        return Double.longBitsToDouble(getLong(offset));
    }

    /**
     * Reads eight bytes, the lowest first, as a floating-point number.
     *
     * @param offset where in the page
     * @return the number
     */
    public final double getDoubleLittleEndian(int offset) {
        return Double.longBitsToDouble(getLongLittleEndian(offset));
    }

    /**
     * Reads an LSN of ten bytes, while other threads may raise it.
     *
     * @param offset where it lies, a multiple of 8, and 16 bytes or more before the end of the page
     * @return the LSN
     * @throws IllegalStateException if no such LSN lies there; or if this is read optimistically, so that its bytes
     *     may be those of another page
     * @throws IllegalArgumentException if it does not begin at a multiple of 8
     */
    public final WideLsn getWideLsn(int offset) {
        int at = wideLsnAt(offset);
        if (isUnlatched()) {
            throw new IllegalStateException(this + " cannot read an LSN of ten bytes: fix the page");
        }
        long[] parts = new long[2];
        WideLsnField.read(memory, buffer, at, parts);
        return new WideLsn(parts[0], (int) parts[1]);
    }

    /** {@return the offset of an LSN of ten bytes} Throws if none can lie there. */
    final int wideLsnAt(int offset) {
        int at = checked(offset, 2 * Long.BYTES);
        if ((at & (Long.BYTES - 1)) != 0) {
            throw new IllegalArgumentException("an LSN of ten bytes begins at a multiple of 8, not at " + at);
        }
        return at;
    }

    // --- many numbers ------------------------------------------------------------------------------------------------

    /**
     * Copies numbers of two bytes to an array.
     *
     * @param offset where the first begins in the page
     * @param target gets the numbers
     * @param targetOffset the index of the first in the target
     * @param count how many
     */
    public final void getShorts(int offset, short[] target, int targetOffset, int count) {
        int at = at(offset, Short.BYTES, count, targetOffset, target.length);
        views().get(at, target, targetOffset, count, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Copies numbers of two bytes, the lowest byte first, to an array.
     *
     * @param offset where the first begins in the page
     * @param target gets the numbers
     * @param targetOffset the index of the first in the target
     * @param count how many
     */
    public final void getShortsLittleEndian(int offset, short[] target, int targetOffset, int count) {
        int at = at(offset, Short.BYTES, count, targetOffset, target.length);
        views().get(at, target, targetOffset, count, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Copies numbers of four bytes to an array.
     *
     * @param offset where the first begins in the page
     * @param target gets the numbers
     * @param targetOffset the index of the first in the target
     * @param count how many
     */
    public final void getInts(int offset, int[] target, int targetOffset, int count) {
        int at = at(offset, Integer.BYTES, count, targetOffset, target.length);
        views().get(at, target, targetOffset, count, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Copies numbers of four bytes, the lowest byte first, to an array.
     *
     * @param offset where the first begins in the page
     * @param target gets the numbers
     * @param targetOffset the index of the first in the target
     * @param count how many
     */
    public final void getIntsLittleEndian(int offset, int[] target, int targetOffset, int count) {
        int at = at(offset, Integer.BYTES, count, targetOffset, target.length);
        views().get(at, target, targetOffset, count, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Copies numbers of eight bytes to an array.
     *
     * @param offset where the first begins in the page
     * @param target gets the numbers
     * @param targetOffset the index of the first in the target
     * @param count how many
     */
    public final void getLongs(int offset, long[] target, int targetOffset, int count) {
        int at = at(offset, Long.BYTES, count, targetOffset, target.length);
        views().get(at, target, targetOffset, count, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Copies numbers of eight bytes, the lowest byte first, to an array.
     *
     * @param offset where the first begins in the page
     * @param target gets the numbers
     * @param targetOffset the index of the first in the target
     * @param count how many
     */
    public final void getLongsLittleEndian(int offset, long[] target, int targetOffset, int count) {
        int at = at(offset, Long.BYTES, count, targetOffset, target.length);
        views().get(at, target, targetOffset, count, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Copies numbers of four bytes to an array.
     *
     * @param offset where the first begins in the page
     * @param target gets the numbers
     * @param targetOffset the index of the first in the target
     * @param count how many
     */
    public final void getFloats(int offset, float[] target, int targetOffset, int count) {
        int at = at(offset, Float.BYTES, count, targetOffset, target.length);
        views().get(at, target, targetOffset, count, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Copies numbers of four bytes, the lowest byte first, to an array.
     *
     * @param offset where the first begins in the page
     * @param target gets the numbers
     * @param targetOffset the index of the first in the target
     * @param count how many
     */
    public final void getFloatsLittleEndian(int offset, float[] target, int targetOffset, int count) {
        int at = at(offset, Float.BYTES, count, targetOffset, target.length);
        views().get(at, target, targetOffset, count, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Copies numbers of eight bytes to an array.
     *
     * @param offset where the first begins in the page
     * @param target gets the numbers
     * @param targetOffset the index of the first in the target
     * @param count how many
     */
    public final void getDoubles(int offset, double[] target, int targetOffset, int count) {
        int at = at(offset, Double.BYTES, count, targetOffset, target.length);
        views().get(at, target, targetOffset, count, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Copies numbers of eight bytes, the lowest byte first, to an array.
     *
     * @param offset where the first begins in the page
     * @param target gets the numbers
     * @param targetOffset the index of the first in the target
     * @param count how many
     */
    public final void getDoublesLittleEndian(int offset, double[] target, int targetOffset, int count) {
        int at = at(offset, Double.BYTES, count, targetOffset, target.length);
        views().get(at, target, targetOffset, count, ByteOrder.LITTLE_ENDIAN);
    }

    // --- bytes -------------------------------------------------------------------------------------------------------

    /**
     * Copies bytes of the page to an array.
     *
     * @param offset where they begin in the page
     * @param target gets the bytes
     * @param targetOffset where they begin in the target
     * @param length how many
     */
    public final void getBytes(int offset, byte[] target, int targetOffset, int length) {
        checkRange(offset, length);
        memory.getBytes(buffer, offset, target, targetOffset, length);
    }

    /**
     * Copies bytes of the page to a buffer, from its position to its limit; the position becomes the limit.
     *
     * @param offset where they begin in the page
     * @param target gets as many bytes as remain in it
     */
    public final void getBytes(int offset, ByteBuffer target) {
        int length = target.remaining();
        checkRange(offset, length);
        memory.getBytes(buffer, offset, target, target.position(), length);
        target.position(target.limit());
    }

    /**
     * Compares bytes of the page with those of an array, as unsigned numbers from the first to the last. If one range
     * is a prefix of the other, the shorter is the lesser.
     *
     * @param offset where the bytes begin in the page
     * @param length how many
     * @param other the array
     * @param otherOffset where the others begin in it
     * @param otherLength how many others
     * @return less than 0, 0 or more than 0, as the bytes of the page are less than, equal to or greater than the
     *     others
     */
    public final int compareBytes(int offset, int length, byte[] other, int otherOffset, int otherLength) {
        checkRange(offset, length);
        Objects.checkFromIndexSize(otherOffset, otherLength, other.length);
        int common = Math.min(length, otherLength);
        int i = 0;
        for (; i + Long.BYTES <= common; i += Long.BYTES) {
            int order = Long.compareUnsigned(getLong(offset + i), (long) ARRAY_LONG.get(other, otherOffset + i));
            if (order != 0) {
                return order;
            }
        }
        for (; i < common; i++) {
            int order = Byte.compareUnsigned(getByte(offset + i), other[otherOffset + i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(length, otherLength);
    }

    /**
     * Compares bytes of the page with those that remain in a buffer, whose position stays; see {@link
     * #compareBytes(int, int, byte[], int, int)}.
     *
     * @param offset where the bytes begin in the page
     * @param length how many
     * @param other the buffer
     * @return less than 0, 0 or more than 0
     */
    public final int compareBytes(int offset, int length, ByteBuffer other) {
        checkRange(offset, length);
        boolean bigEndian = other.order() == ByteOrder.BIG_ENDIAN;
        int start = other.position();
        int common = Math.min(length, other.remaining());
        int i = 0;
        for (; i + Long.BYTES <= common; i += Long.BYTES) {
            long theirs = other.getLong(start + i);
            int order = Long.compareUnsigned(getLong(offset + i), bigEndian ? theirs : Long.reverseBytes(theirs));
            if (order != 0) {
                return order;
            }
        }
        for (; i < common; i++) {
            int order = Byte.compareUnsigned(getByte(offset + i), other.get(start + i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(length, other.remaining());
    }

    /**
     * Compares bytes of the page with those of another page, which may belong to another pool; see {@link
     * #compareBytes(int, int, byte[], int, int)}.
     *
     * @param offset where the bytes begin in this page
     * @param length how many
     * @param other the other page
     * @param otherOffset where the others begin in it
     * @param otherLength how many others
     * @return less than 0, 0 or more than 0
     */
    public final int compareBytes(int offset, int length, PageView other, int otherOffset, int otherLength) {
        checkRange(offset, length);
        other.checkRange(otherOffset, otherLength);
        int common = Math.min(length, otherLength);
        int i = 0;
        for (; i + Long.BYTES <= common; i += Long.BYTES) {
            int order = Long.compareUnsigned(getLong(offset + i), other.getLong(otherOffset + i));
            if (order != 0) {
                return order;
            }
        }
        for (; i < common; i++) {
            int order = Byte.compareUnsigned(getByte(offset + i), other.getByte(otherOffset + i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(length, otherLength);
    }

    // --- sorted slots ------------------------------------------------------------------------------------------------

    /**
     * Searches an array of slots, as a node of a B-tree has them: unsigned numbers of two bytes, each of which says
     * where in the page a cell begins, in the order of the cells' keys. All keys have the length of the wanted one.
     *
     * @param slots where the array begins in the page
     * @param count the number of slots
     * @param keyAt where in its cell a key begins
     * @param key has the wanted key
     * @param keyOffset where the wanted key begins
     * @param keyLength its length
     * @return the index of the slot with that key, one of them if there are several; or, if there is none, {@code −1 −
     *     i}, where i is the index of the first slot with a greater key, or the count
     * @throws IndexOutOfBoundsException if the array, or a key, lies outside of the page: the page is damaged, or it is
     *     read optimistically and has changed
     */
    public final int searchSlots(int slots, int count, int keyAt, byte[] key, int keyOffset, int keyLength) {
        return search(slots, count, -1, keyAt, key, keyOffset, keyLength);
    }

    /**
     * As {@link #searchSlots(int, int, int, byte[], int, int)}, for keys of any length. They are compared as {@link
     * #compareBytes} does.
     *
     * @param slots where the array begins in the page
     * @param count the number of slots
     * @param lengthAt where in its cell the length of a key is stored, an unsigned number of two bytes
     * @param keyAt where in its cell a key begins
     * @param key has the wanted key
     * @param keyOffset where the wanted key begins
     * @param keyLength its length
     * @return as {@link #searchSlots(int, int, int, byte[], int, int)}
     */
    public final int searchSlots(
            int slots, int count, int lengthAt, int keyAt, byte[] key, int keyOffset, int keyLength) {
        return search(slots, count, Objects.checkIndex(lengthAt, pageBytes), keyAt, key, keyOffset, keyLength);
    }

    private int search(int slots, int count, int lengthAt, int keyAt, byte[] key, int keyOffset, int keyLength) {
        Objects.checkIndex(keyAt, pageBytes);
        Objects.checkFromIndexSize(keyOffset, keyLength, key.length);
        int first = at(slots, Short.BYTES, count, 0, count);
        ByteBuffer bytes = bytesOfSlab();
        int start = base + keyAt;
        int most = limit - keyAt; // not positive in a pool that detects leaks
        boolean isLong = keyLength >= Long.BYTES;
        long wanted = isLong ? (long) ARRAY_LONG.get(key, keyOffset) + Long.MIN_VALUE : 0;
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int cell = Short.toUnsignedInt(bytes.getShort(first + middle * Short.BYTES));
            int length = lengthAt < 0 ? keyLength : getUnsignedShort(cell + lengthAt);
            if (isLong && length >= Long.BYTES && cell + length <= most) {
                long found = bytes.getLong(start + cell) + Long.MIN_VALUE;
                if (found < wanted) {
                    low = middle + 1;
                    continue;
                }
                if (found > wanted) {
                    high = middle - 1;
                    continue;
                }
            }
            int order = compareBytes(cell + keyAt, length, key, keyOffset, keyLength);
            if (order < 0) {
                low = middle + 1;
            } else if (order > 0) {
                high = middle - 1;
            } else {
                return middle;
            }
        }
        return -1 - low;
    }

    /**
     * As {@link #searchSlots(int, int, int, int, byte[], int, int)}, for slots of {@value #HEADED_SLOT_BYTES} bytes:
     * two that say where the cell begins, and the {@link #head} of its key. So nearly all comparisons need the slots
     * only, which lie together, and no branch depends on them, which the processor would often predict wrongly. Only
     * keys whose first four bytes are equal are compared as a whole.
     *
     * <p>Source: Graefe, Larson, B-Tree Indexes and CPU Caches, ICDE 2001, "poor man's normalized keys".
     *
     * @param slots where the array begins in the page
     * @param count the number of slots
     * @param lengthAt where in its cell the length of a key is stored, an unsigned number of two bytes
     * @param keyAt where in its cell a key begins
     * @param key has the wanted key
     * @param keyOffset where the wanted key begins
     * @param keyLength its length
     * @return as {@link #searchSlots(int, int, int, byte[], int, int)}
     */
    public final int searchHeadedSlots(
            int slots, int count, int lengthAt, int keyAt, byte[] key, int keyOffset, int keyLength) {
        Objects.checkIndex(lengthAt, pageBytes);
        Objects.checkIndex(keyAt, pageBytes);
        int head = head(key, keyOffset, keyLength);
        int first = at(slots, HEADED_SLOT_BYTES, count, 0, count);
        ByteBuffer bytes = bytesOfSlab();
        int heads = first + HEAD_AT;
        long wanted = Integer.toUnsignedLong(head);
        int at = heads - HEADED_SLOT_BYTES; // before the first head that may not be less
        for (int size = count; size > 0; size >>>= 1) {
            int half = ((size + 1) >>> 1) * HEADED_SLOT_BYTES;
            long found = Integer.toUnsignedLong(bytes.getInt(at + half));
            at += half & (int) ((found - wanted) >> (Long.SIZE - 1)); // only if found is less
        }
        int low = (at - heads) / HEADED_SLOT_BYTES + 1;
        int high = low;
        while (high < count && high < low + 2 && bytes.getInt(heads + high * HEADED_SLOT_BYTES) == head) {
            high++;
        }
        high = high == low + 2 ? count : high; // there may be more
        while (low < high) {
            int middle = (low + high) >>> 1;
            int cell = Short.toUnsignedInt(bytes.getShort(first + middle * HEADED_SLOT_BYTES));
            int order = compareBytes(cell + keyAt, getUnsignedShort(cell + lengthAt), key, keyOffset, keyLength);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return -1 - low;
    }

    /**
     * {@return the head of a key, for {@link #searchHeadedSlots}: its first four bytes, or fewer and zeros}
     *
     * @param key has the key
     * @param keyOffset where it begins
     * @param keyLength its length
     */
    public static int head(byte[] key, int keyOffset, int keyLength) {
        Objects.checkFromIndexSize(keyOffset, keyLength, key.length);
        if (keyLength >= Integer.BYTES) {
            return (int) ARRAY_INT.get(key, keyOffset);
        }
        int head = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            head = (head << Byte.SIZE) | (i < keyLength ? Byte.toUnsignedInt(key[keyOffset + i]) : 0);
        }
        return head;
    }

    // --- the slab ----------------------------------------------------------------------------------------------------

    /**
     * {@return a read-only buffer in which this page lies, from {@link #slabOffset}, beside others} It stays the same
     * object for all these pages, for as long as the pool has that size, so that a user of Java 22 may keep one {@code
     * MemorySegment} of each such buffer. Use it by its absolute methods only, and leave its limit and order as they
     * are, since all users share it.
     *
     * <p>What lies there is this page as long as it is fixed; or, if it is read optimistically, was this page if the
     * read validates afterwards. Nobody checks an access, neither against the page nor for the thread.
     *
     * @throws IllegalStateException if this has no page
     */
    public final ByteBuffer slab() {
        checkRange(0, 0);
        return views().readOnly();
    }

    /**
     * {@return where in {@link #slab} this page begins}
     *
     * @throws IllegalStateException if this has no page
     */
    public final int slabOffset() {
        return at(0, 1);
    }

    // --- checks ------------------------------------------------------------------------------------------------------

    final void checkRange(int offset, int length) {
        if ((offset | length | (limit - 1)) < 0 || length > limit - offset) {
            checkUser();
            Objects.checkFromIndexSize(offset, length, pageBytes);
        }
    }

    /** {@return where some numbers lie in the slab} Checks the array, too. */
    final int at(int offset, int bytes, int count, int arrayOffset, int arrayLength) {
        Objects.checkFromIndexSize(arrayOffset, count, arrayLength);
        long end = (long) count * bytes + offset; // count is not negative
        if (offset < 0 || end > limit || limit == 0) {
            checkUser();
            Objects.checkFromIndexSize((long) offset, (long) count * bytes, (long) pageBytes);
        }
        return base + offset;
    }

    /** {@return the views of the slab, to copy numbers by} */
    final SlabViews views() {
        return memory.views(buffer);
    }

    /** {@return the whole page, read-only} */
    final ByteBuffer view() {
        checkUser();
        return memory.bytes(buffer).asReadOnlyBuffer();
    }
}
