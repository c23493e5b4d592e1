// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A node of the tree of an {@link ArrayPageTable}: a {@link Chunk}, or a {@link Directory} of smaller ranges. It has a
 * word for each page, or for each smaller range. The table's comment states the protocol of the words.
 *
 * <p><b>Its life.</b> It is created and linked to its directory under the lock of the {@link RangeTree}. Before
 * it is unlinked, under the same lock, every word becomes {@link #FROZEN}, which is final then. So a thread that comes
 * late, with a reference to a range that is unlinked, can neither find nor map a page there.
 */
abstract sealed class PageRange permits Chunk, Directory {
    /** No page is mapped here. */
    static final int EMPTY = 0;
    /** Of a directory: the smaller range has a node. */
    static final int LINKED = -1;
    /** No page is mapped here, and none can be: the range is being unlinked, or is unlinked. */
    static final int FROZEN = -2;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(int[].class);
    /** The object, its two arrays' headers, and padding, about; in bytes. */
    private static final int OVERHEAD = 96;

    final int[] words;
    /** Null for the root. */
    final Directory parent;
    /** The index in the parent. */
    final int at;

    /** Whether a page was mapped here since the last visit of the hand. Plain: a lost store gives a node back early. */
    private boolean used = true;

    /** The neighbours in the ring of the hand; guarded by the lock of the tree. */
    PageRange previous = this;

    PageRange next = this;

    PageRange(int words, Directory parent, int at) {
        this.words = new int[words];
        this.parent = parent;
        this.at = at;
    }

    /** {@return the size in bytes, about} */
    static long bytes(int words, boolean directory) {
        return OVERHEAD + (long) words * (directory ? Integer.BYTES + Long.BYTES : Integer.BYTES);
    }

    final long bytes() {
        return bytes(words.length, this instanceof Directory);
    }

    /** {@return the index of the word of a page: its own, or that of the smaller range that has it} */
    abstract int index(long id);

    /** {@return a word, with acquire order} */
    final int word(int index) {
        return word(words, index);
    }

    static int word(int[] words, int index) {
        return (int) WORD.getAcquire(words, index);
    }

    final boolean cas(int index, int expected, int word) {
        return WORD.compareAndSet(words, index, expected, word);
    }

    /** Subtracts one from a number of pages in the overflow, which is not 0. */
    final void decrement(int index) {
        WORD.getAndAdd(words, index, -1);
    }

    /** Notes that a page is mapped here. */
    final void use() {
        if (!used) {
            used = true;
        }
    }

    /** {@return whether a page was mapped here since the last call} */
    final boolean endUse() {
        boolean was = used;
        used = false;
        return was;
    }

    /** {@return whether no page is mapped here; a hint} */
    final boolean isEmpty() {
        for (int word : words) {
            if (word != EMPTY) {
                return false;
            }
        }
        return true;
    }

    /**
     * Freezes every word, or none. The caller has the lock of the tree.
     *
     * @return false if a page is mapped here
     */
    final boolean tryFreeze() {
        boolean frozen = false;
        try {
            int index = 0;
            while (index < words.length && cas(index, EMPTY, FROZEN)) {
                index++;
            }
            frozen = index == words.length;
        } finally {
            // plain stores, since a call may overflow the stack; the caller's release of the lock publishes them
            for (int index = 0; index < words.length && !frozen; index++) {
                if (words[index] == FROZEN) {
                    words[index] = EMPTY;
                }
            }
        }
        return frozen;
    }
}
