// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import java.lang.invoke.VarHandle;

/**
 * An inner node of the tree of an {@link ArrayPageTable}: smaller ranges of pages by some bits of the page's id. A
 * word is {@link PageRange#LINKED} if the smaller range has a node; otherwise it is the number of pages of that range
 * that are in the overflow.
 *
 * <p>The root splits by the numbers of files, and the directory of a file by the numbers of its chunks, as the blocks
 * of a file are found in Unix file systems: each number below {@value #DIRECT} has an entry of its own, and all numbers
 * of two digits share one entry, as do those of three, and so on; such an entry leads to a tree of that depth. So the
 * chunk of a small file is two steps from the root.
 */
final class Directory extends PageRange {
    /** A digit of a number in bits. */
    private static final int DIGIT = 8;
    /** The numbers of one digit. */
    private static final int DIRECT = 1 << DIGIT;

    private static final int PAGE_BITS = 43;

    private final int chunkBits;
    /** The first bit of the number in an id. */
    private final int shift;
    /** The bits of the number: all in the root and in the directory of a file; one digit below. */
    private final int numberBits;
    /** Written under the lock of the tree. */
    final PageRange[] children;

    private Directory(int chunkBits, int shift, int numberBits, Directory parent, int at) {
        super(size(numberBits), parent, at);
        this.chunkBits = chunkBits;
        this.shift = shift;
        this.numberBits = numberBits;
        this.children = new PageRange[words.length];
    }

    private static int size(int numberBits) {
        return DIRECT + (numberBits - 1) / DIGIT;
    }

    /**
     * {@return the directory of all files}
     *
     * @param chunkBits the pages of a chunk, as a power of two
     */
    static Directory root(int chunkBits) {
        return new Directory(chunkBits, PAGE_BITS, Long.SIZE - 1 - PAGE_BITS, null, 0);
    }

    @Override
    int index(long id) {
        long number = (id >>> shift) & ((1L << numberBits) - 1);
        return number < DIRECT
                ? (int) number
                : DIRECT - 1 + (Long.SIZE - 1 - Long.numberOfLeadingZeros(number)) / DIGIT;
    }

    /** {@return the node of a smaller range, with acquire order, or null} */
    PageRange child(int index) {
        PageRange child = children[index];
        VarHandle.acquireFence();
        return child;
    }

    /** {@return the bytes that the node of a smaller range takes} */
    long childBytes(int index) {
        if (index < DIRECT && shift == chunkBits) {
            return bytes(1 << chunkBits, false);
        }
        return bytes(size(index < DIRECT && shift == PAGE_BITS ? PAGE_BITS - chunkBits : DIGIT), true);
    }

    /** {@return a new node for the smaller range that has a page; not linked} */
    PageRange createChild(long id) {
        int index = index(id);
        if (index >= DIRECT) {
            return new Directory(chunkBits, shift + (index - DIRECT + 1) * DIGIT, DIGIT, this, index);
        }
        if (shift == chunkBits) {
            return new Chunk(1 << chunkBits, this, index);
        }
        if (shift == PAGE_BITS) {
            return new Directory(chunkBits, chunkBits, PAGE_BITS - chunkBits, this, index);
        }
        return new Directory(chunkBits, shift - DIGIT, DIGIT, this, index);
    }
}
