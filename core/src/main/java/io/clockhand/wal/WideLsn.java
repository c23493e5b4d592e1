// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

/**
 * A log sequence number of ten bytes, for engines whose LSNs are those of several log files: the number of the file, a
 * block in it, and a record in the block. In a page it takes four, four and two bytes, big-endian; the highest bit of
 * the last two is a lock of those that raise it, and clear in every image of a page.
 *
 * <p>Source: Kodandaramaih, Kodavalla, Venkataramanappa, Concurrent Updates to Pages with Fixed-Size Rows Using
 * Lock-Free Algorithms, PVLDB 13(12), 2020, §3.3.
 *
 * @param position the number of the file in the upper four bytes, the block in the lower, both unsigned
 * @param slot the record in the block, 0 to 32,767
 */
public record WideLsn(long position, int slot) implements Comparable<WideLsn> {
    /** The size in a page, in bytes. */
    public static final int BYTES = 10;

    /** The LSN of a page that was never changed. */
    public static final WideLsn ZERO = new WideLsn(0, 0);

    private static final int GREATEST_SLOT = Short.MAX_VALUE;
    private static final long GREATEST_PART = 0xFFFF_FFFFL;

    /**
     * Creates an LSN.
     *
     * @param position the number of the file in the upper four bytes, the block in the lower, both unsigned
     * @param slot the record in the block
     * @throws IllegalArgumentException if the slot is negative or greater than 32,767
     */
    public WideLsn {
        checkSlot(slot);
    }

    /**
     * Checks the number of a record.
     *
     * @param slot the number
     * @return it
     * @throws IllegalArgumentException if it is negative or greater than 32,767
     */
    public static int checkSlot(int slot) {
        if (slot < 0 || slot > GREATEST_SLOT) {
            throw new IllegalArgumentException("slot is " + slot + "; it must lie between 0 and " + GREATEST_SLOT);
        }
        return slot;
    }

    /**
     * Creates an LSN of its three parts.
     *
     * @param file the number of the log file, 0 to 4,294,967,295
     * @param block the block in the file, 0 to 4,294,967,295
     * @param slot the record in the block, 0 to 32,767
     * @return the LSN
     * @throws IllegalArgumentException if one of them does not lie in these limits
     */
    public static WideLsn of(long file, long block, int slot) {
        if (file < 0 || file > GREATEST_PART || block < 0 || block > GREATEST_PART) {
            throw new IllegalArgumentException("file " + file + ", block " + block + ": each must lie between 0 and "
                    + GREATEST_PART + ", to fit into four bytes");
        }
        return new WideLsn(file << Integer.SIZE | block, slot);
    }

    /** {@return the number of the log file} */
    public long file() {
        return position >>> Integer.SIZE;
    }

    /** {@return the block in the log file} */
    public long block() {
        return position & GREATEST_PART;
    }

    @Override
    public int compareTo(WideLsn other) {
        int order = Long.compareUnsigned(position, other.position);
        return order != 0 ? order : Integer.compare(slot, other.slot);
    }

    @Override
    public String toString() {
        return file() + ":" + block() + ":" + slot;
    }
}
