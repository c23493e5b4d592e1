// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import io.clockhand.internal.frame.FrameMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The bytes of a page, as its fixer sees them. Numbers are big-endian. Offsets are in bytes and are checked against the page:
 * an access outside of it is an {@link IndexOutOfBoundsException}.
 *
 * <p>Not thread-safe: for the thread that has fixed the page, until it closes it; any other use is an {@link
 * IllegalStateException}, as far as a read without synchronization can tell.
 */
public abstract sealed class PageView permits PageGuard, OptimisticPage {
    private static final VarHandle IN_USE;

    static {
        try {
            IN_USE = MethodHandles.lookup().findVarHandle(PageView.class, "inUse", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final FrameMemory memory;
    private final int pageBytes;
    private int buffer;
    /** Stored with release order after {@code user}, and loaded with acquire order before it where a share or a pin is at stake. */
    private boolean inUse;
    /** The thread that used this last, or null. It is not taken off when this is closed. */
    private Thread user;
    /** Of the page that this has fixed, in a pool that detects leaks; else null. */
    private PinTracker.Pin pin;

    PageView(FrameMemory memory) {
        this.memory = memory;
        this.pageBytes = memory.pageBytes();
    }

    /** A reference is stored only if it is another: the collector's barrier can cost more than the rest of a hit. */
    @SuppressWarnings("ReferenceEquality") // a thread equals itself alone
    final void show(int shown) {
        buffer = shown;
        Thread thread = Thread.currentThread();
        if (user != thread) {
            user = thread;
        }
        IN_USE.setRelease(this, true);
    }

    final void hide() {
        inUse = false;
    }

    /** As {@link #checkUser}, so that no other thread ends the use of this, though it does so at the wrong moment. */
    @SuppressWarnings("ReferenceEquality") // a thread equals itself alone
    final void checkUserToEnd() {
        if (!(boolean) IN_USE.getAcquire(this) || user != Thread.currentThread()) {
            throw misuse();
        }
    }

    /** Begins the pin of the page that this has fixed. */
    final void track(PinTracker tracker, long fixed, LatchMode mode) {
        pin = tracker.begin(this, fixed, mode);
    }

    final void trackUpgrade() {
        if (pin != null) {
            pin.upgraded();
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

    final boolean isInUse() {
        return inUse;
    }

    @SuppressWarnings("ReferenceEquality") // a thread equals itself alone
    final void checkUser() {
        if (!inUse || user != Thread.currentThread()) {
            throw misuse();
        }
    }

    private IllegalStateException misuse() {
        Thread thread = user;
        return new IllegalStateException(
                !inUse || thread == null
                        ? this + " is not open: it was closed, or never fixed a page"
                        : this + " belongs to thread '" + thread.getName() + "', but is used by thread '"
                                + Thread.currentThread().getName() + "'");
    }

    /** {@return the size of the page in bytes} */
    public final int pageBytes() {
        return pageBytes;
    }

    /** {@return the id of the page} */
    public abstract long id();

    private int at(int offset, int bytes) {
        checkUser();
        return Objects.checkIndex(offset, pageBytes - bytes + 1);
    }

    /**
     * Reads one byte.
     *
     * @param offset where in the page
     * @return the byte
     */
    public final byte getByte(int offset) {
        return memory.getByte(buffer, at(offset, Byte.BYTES));
    }

    /**
     * Reads two bytes.
     *
     * @param offset where in the page
     * @return the number
     */
    public final short getShort(int offset) {
        return memory.getShort(buffer, at(offset, Short.BYTES));
    }

    /**
     * Reads four bytes.
     *
     * @param offset where in the page
     * @return the number
     */
    public final int getInt(int offset) {
        return memory.getInt(buffer, at(offset, Integer.BYTES));
    }

    /**
     * Reads eight bytes.
     *
     * @param offset where in the page
     * @return the number
     */
    public final long getLong(int offset) {
        return memory.getLong(buffer, at(offset, Long.BYTES));
    }

    /**
     * Reads some bytes.
     *
     * @param offset where in the page
     * @param target gets them
     * @param targetOffset where in the target
     * @param length how many
     */
    public final void getBytes(int offset, byte[] target, int targetOffset, int length) {
        checkUser();
        Objects.checkFromIndexSize(offset, length, pageBytes);
        memory.getBytes(buffer, offset, target, targetOffset, length);
    }

    /** {@return the whole page, read-only; good until this is closed, and not to be used afterwards} */
    final ByteBuffer view() {
        checkUser();
        return memory.bytes(buffer).asReadOnlyBuffer();
    }
}
