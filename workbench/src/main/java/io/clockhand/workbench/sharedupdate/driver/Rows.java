// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.workbench.experiment.options.EnumNames;
import java.nio.ByteBuffer;

/**
 * The rows of the page that threads update, each its own, one after the other. The first bytes of the page are for its
 * LSN.
 *
 * @param bytes of a row: 1, 2, 4 or 8
 */
public record Rows(RowLayout layout, int bytes, int threads) {
    public static final int PAGE_BYTES = 8192;

    /** More have no room in the page. */
    public static final int MOST_THREADS = 60;

    static final int LSN_OFFSET = 0;

    /** Two lines of the processor's cache, since some processors fetch them in pairs. */
    static final int PADDING = 128;

    private static final int BYTES_OF_THREAD = 64;
    private static final long STEP = 0x9E3779B97F4A7C15L;

    /** Of each thread: 64 bytes of them. A power of two. */
    private int ofThread() {
        return BYTES_OF_THREAD / bytes;
    }

    private int offset(int thread, int row) {
        return PADDING
                + switch (layout) {
                    case PADDED -> thread * PADDING + row * bytes;
                    case INTERLEAVED -> (row * threads + thread) * bytes;
                };
    }

    /** Where the row lies that an update of a thread, from 0, writes to. */
    int[] offsets(int thread) {
        int[] offsets = new int[ofThread()];
        for (int row = 0; row < offsets.length; row++) {
            offsets[row] = offset(thread, row);
        }
        return offsets;
    }

    /** The number that an update of a thread writes, of which a row has the lowest bytes. */
    static long value(int thread, long update) {
        return (update + 1) * STEP + thread;
    }

    /** The content of a row when its thread has made some updates. */
    private long expected(int thread, int row, long updates) {
        if (updates <= row) {
            return 0;
        }
        long last = (updates - 1 - row) / ofThread() * ofThread() + row;
        int unused = Long.SIZE - bytes * Byte.SIZE;
        return value(thread, last) << unused >> unused;
    }

    void put(ByteBuffer page, int offset, long value) {
        switch (bytes) {
            case Byte.BYTES -> page.put(offset, (byte) value);
            case Short.BYTES -> page.putShort(offset, (short) value);
            case Integer.BYTES -> page.putInt(offset, (int) value);
            default -> page.putLong(offset, value);
        }
    }

    private long get(ByteBuffer page, int offset) {
        return switch (bytes) {
            case Byte.BYTES -> page.get(offset);
            case Short.BYTES -> page.getShort(offset);
            case Integer.BYTES -> page.getInt(offset);
            default -> page.getLong(offset);
        };
    }

    /** The first row of a thread that has not the value of its last update, in words; null if all have it. */
    String firstWrong(ByteBuffer page, int thread, long updates) {
        for (int row = 0; row < ofThread(); row++) {
            long found = get(page, offset(thread, row));
            long expected = expected(thread, row, updates);
            if (found != expected) {
                return String.format(
                        "row %d of thread %d is %x after %d updates, and its thread wrote %x",
                        row, thread, found, updates, expected);
            }
        }
        return null;
    }

    /** Where the rows of a thread lie in the page. */
    public enum RowLayout {
        /** Together, in 128 bytes that no other thread writes to. */
        PADDED,
        /** Between those of the others, so that threads write to the same lines of the processor's cache. */
        INTERLEAVED;

        @Override
        public String toString() {
            return EnumNames.of(this);
        }
    }
}
