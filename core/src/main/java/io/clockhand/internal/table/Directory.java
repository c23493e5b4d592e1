// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import java.lang.invoke.VarHandle;

/**
 * An inner node of the tree of an {@link ArrayPageTable}: smaller ranges of pages by some bits of the page's id. A
 * word is {@link PageRange#LINKED} if the smaller range has a node; otherwise it is the number of pages of that range
 * that are in the overflow.
 *
 * <p>The pages of a file are split by magnitude first, as the blocks of a file are in Unix file systems: a small file
 * needs one directory for its chunks, and a larger one more levels.
 */
final class Directory extends PageRange {
    /** Instead of a shift: by magnitude. */
    private static final int BY_MAGNITUDE = -1;

    /** A digit of an id in bits. */
    private static final int DIGIT = 8;

    private static final int PAGE_BITS = 43;
    private static final long PAGE = (1L << PAGE_BITS) - 1;

    private final int chunkBits;
    private final int shift;
    /** Written under the lock of the tree. */
    final PageRange[] children;

    private Directory(int chunkBits, int shift, int size, Directory parent, int at) {
        super(size, parent, at);
        this.chunkBits = chunkBits;
        this.shift = shift;
        this.children = new PageRange[size];
    }

    /**
     * {@return the directory of all files}
     *
     * @param chunkBits the pages of a chunk, as a power of two
     */
    static Directory root(int chunkBits) {
        int shift = PAGE_BITS + 2 * DIGIT;
        return new Directory(chunkBits, shift, 1 << (Long.SIZE - 1 - shift), null, 0);
    }

    @Override
    int index(long id) {
        return shift == BY_MAGNITUDE ? magnitude(id) : (int) (id >>> shift) & (words.length - 1);
    }

    /** {@return the number of digits of the page's chunk, less one} */
    private int magnitude(long id) {
        long chunk = (id & PAGE) >>> chunkBits;
        return chunk == 0 ? 0 : (Long.SIZE - 1 - Long.numberOfLeadingZeros(chunk)) / DIGIT;
    }

    /** {@return the node of a smaller range, with acquire order, or null} */
    PageRange child(int index) {
        PageRange child = children[index];
        VarHandle.acquireFence();
        return child;
    }

    /** {@return the bytes that the node of a smaller range takes} */
    long childBytes() {
        return shift == chunkBits ? bytes(1 << chunkBits, false) : bytes(1 << DIGIT, true);
    }

    /** {@return a new node for the smaller range that has a page; not linked} */
    PageRange createChild(long id) {
        int index = index(id);
        if (shift == chunkBits) {
            return new Chunk(1 << chunkBits, this, index);
        }
        if (shift == PAGE_BITS) {
            return new Directory(chunkBits, BY_MAGNITUDE, magnitude(PAGE) + 1, this, index);
        }
        int below = shift == BY_MAGNITUDE ? chunkBits + index * DIGIT : shift - DIGIT;
        return new Directory(chunkBits, below, 1 << DIGIT, this, index);
    }
}
