// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import java.nio.ByteBuffer;

/**
 * The header of a segment: the first bytes of its first page, big-endian. All other bytes of the page are zero.
 *
 * <pre>
 * byte  0   "ClockLog"
 *       8   version of the format
 *      12   size of a page in bytes
 *      16   identity of the log, a random number
 *      24   LSN of the first record
 *      32   check of all these
 * </pre>
 *
 * @param pageBytes the size of a page in bytes
 * @param identity the identity of the log
 * @param first the LSN of the first record
 */
record SegmentHeader(int pageBytes, long identity, long first) {
    private static final long MAGIC = 0x436c6f636b4c6f67L; // "ClockLog"
    private static final int VERSION = 1;
    private static final int VERSION_AT = 8;
    private static final int PAGE_BYTES_AT = 12;
    private static final int IDENTITY_AT = 16;
    private static final int FIRST_AT = 24;
    private static final int CHECK_AT = 32;

    /** {@return the first page of the segment, from position 0 to its limit} */
    ByteBuffer page() {
        ByteBuffer page =
                ByteBuffer.allocateDirect(2 * pageBytes).alignedSlice(pageBytes).limit(pageBytes);
        page.putLong(0, MAGIC).putInt(VERSION_AT, VERSION).putInt(PAGE_BYTES_AT, pageBytes);
        return page.putLong(IDENTITY_AT, identity).putLong(FIRST_AT, first).putLong(CHECK_AT, check());
    }

    private long check() {
        long mixed = RecordFormat.mix(MAGIC ^ ((long) VERSION << Integer.SIZE | pageBytes));
        return RecordFormat.mix(first ^ RecordFormat.mix(identity ^ mixed));
    }

    /** {@return the header in the first page of a segment, or null if there is none of this format and page size} */
    static SegmentHeader in(ByteBuffer page) {
        SegmentHeader header =
                new SegmentHeader(page.getInt(PAGE_BYTES_AT), page.getLong(IDENTITY_AT), page.getLong(FIRST_AT));
        boolean isValid = page.getLong(0) == MAGIC
                && page.getInt(VERSION_AT) == VERSION
                && page.getLong(CHECK_AT) == header.check();
        return isValid ? header : null;
    }

    /** {@return why a first page has no valid header, as the end of a sentence} */
    static String reasonAgainst(ByteBuffer page) {
        if (page.getLong(0) != MAGIC) {
            return "it is no segment of a log";
        }
        int version = page.getInt(VERSION_AT);
        return version == VERSION
                ? "the checksum of its header is wrong"
                : "it has version " + version + " of the format of logs, and this library reads version " + VERSION;
    }

    /**
     * {@return whether a page is what a crash may leave of the header of a segment: its first bytes, then zeros} One
     * that was changed later is damaged.
     *
     * @param page the first page of the segment
     * @param first the LSN of its first record, by its name
     */
    static boolean mayBecome(ByteBuffer page, long first) {
        ByteBuffer whole = new SegmentHeader(page.limit(), page.getLong(IDENTITY_AT), first).page();
        boolean ended = false;
        for (int i = 0; i < page.limit(); i++) {
            ended |= page.get(i) != whole.get(i);
            if (ended && page.get(i) != 0) {
                return false;
            }
        }
        return true;
    }
}
