// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The bytes of a page, as its fixer sees them. Numbers are big-endian. Offsets are in bytes and are checked against the page:
 * an access outside of it is an {@link IndexOutOfBoundsException}.
 *
 * <p>Not thread-safe: for the thread that has fixed the page, until it closes it; any other use is an {@link
 * IllegalStateException}.
 */
public abstract sealed class PageView permits PageGuard, OptimisticPage {
    private final int pageBytes;
    private ByteBuffer slab;
    private int base;
    /** The thread that may use this now, or null. */
    private Thread user;

    PageView(int pageBytes) {
        this.pageBytes = pageBytes;
    }

    final void show(ByteBuffer memory, int begin, Thread thread) {
        slab = memory;
        base = begin;
        user = thread;
    }

    final void hide() {
        user = null;
    }

    final boolean isInUse() {
        return user != null;
    }

    /** The slab is read before the check: its memory is never freed while this refers to it. */
    @SuppressWarnings("ReferenceEquality") // a thread equals itself alone
    final void checkUser() {
        if (user != Thread.currentThread()) {
            throw misuse();
        }
    }

    private IllegalStateException misuse() {
        Thread thread = user;
        return new IllegalStateException(
                thread == null
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
        return base + Objects.checkIndex(offset, pageBytes - bytes + 1);
    }

    /**
     * Reads one byte.
     *
     * @param offset where in the page
     * @return the byte
     */
    public final byte getByte(int offset) {
        return slab.get(at(offset, Byte.BYTES));
    }

    /**
     * Reads two bytes.
     *
     * @param offset where in the page
     * @return the number
     */
    public final short getShort(int offset) {
        return slab.getShort(at(offset, Short.BYTES));
    }

    /**
     * Reads four bytes.
     *
     * @param offset where in the page
     * @return the number
     */
    public final int getInt(int offset) {
        return slab.getInt(at(offset, Integer.BYTES));
    }

    /**
     * Reads eight bytes.
     *
     * @param offset where in the page
     * @return the number
     */
    public final long getLong(int offset) {
        return slab.getLong(at(offset, Long.BYTES));
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
        slab.get(base + offset, target, targetOffset, length);
    }

    /** {@return the whole page, read-only; good until this is closed, and not to be used afterwards} */
    final ByteBuffer view() {
        checkUser();
        return slab.slice(base, pageBytes).asReadOnlyBuffer();
    }
}
