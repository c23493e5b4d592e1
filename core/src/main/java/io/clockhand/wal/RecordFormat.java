// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The header of a record, big-endian. The bytes of the record follow.
 *
 * <pre>
 * byte  0   length of the record in bytes
 *       4   CRC32C of the record
 *       8   how far behind the record's LSN the log was durable when it was appended, or -1
 *      12   check of these three numbers, the LSN and the identity of the log
 * </pre>
 *
 * <p>The check knows the position, so a record that lies elsewhere, by a copy or in a reused block of the device, is
 * none. It covers the length, which is therefore not used before it is validated. The CRC does not depend on the
 * position, so it is calculated before the record has one.
 *
 * <p>The third number tells damage from a torn tail. After a power failure a later record may have survived without an
 * earlier one, if neither was forced. But if the later one says that the log was durable past the earlier one, that one
 * was lost afterwards.
 */
final class RecordFormat {
    /** The size of a header in bytes. */
    static final int HEADER_BYTES = 16;

    private static final int CRC_AT = 4;
    private static final int DISTANCE_AT = 8;
    private static final int CHECK_AT = 12;
    /** Instead of a distance that is too great for 31 bits. */
    private static final int UNKNOWN = -1;

    private RecordFormat() {}

    /** {@return the CRC32C of the bytes that remain in a buffer, which are consumed} */
    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /**
     * Writes a header.
     *
     * @param target gets it
     * @param at where it begins in the target
     * @param identity that of the log
     * @param lsn where the header begins in the log
     * @param length that of the record
     * @param crc that of the record
     * @param durable an LSN up to which the log is durable
     */
    static void put(ByteBuffer target, int at, long identity, long lsn, int length, int crc, long durable) {
        int distance = lsn - durable > Integer.MAX_VALUE ? UNKNOWN : (int) (lsn - durable);
        target.putInt(at, length).putInt(at + CRC_AT, crc).putInt(at + DISTANCE_AT, distance);
        target.putInt(at + CHECK_AT, check(identity, lsn, length, crc, distance));
    }

    /**
     * {@return whether a header is one, of a record at this position in this log; false quickly for zeros, and for most
     * other bytes}
     *
     * @param most the greatest length that the record can have
     */
    static boolean isHeader(ByteBuffer bytes, int at, long identity, long lsn, long most) {
        int length = bytes.getInt(at);
        int check = bytes.getInt(at + CHECK_AT);
        return length >= 0
                && length <= most
                && check != 0
                && check == check(identity, lsn, length, bytes.getInt(at + CRC_AT), bytes.getInt(at + DISTANCE_AT));
    }

    /** {@return the length of the record with a valid header, in bytes} */
    static int length(ByteBuffer bytes, int at) {
        return bytes.getInt(at);
    }

    /** {@return the CRC of the record with a valid header} */
    static int crc(ByteBuffer bytes, int at) {
        return bytes.getInt(at + CRC_AT);
    }

    /** {@return an LSN up to which the log was durable when the record with a valid header was appended, or 0} */
    static long durable(ByteBuffer bytes, int at, long lsn) {
        int distance = bytes.getInt(at + DISTANCE_AT);
        return distance == UNKNOWN ? 0 : lsn - distance;
    }

    /** {@return the check, never 0, so that zeros are no header} */
    private static int check(long identity, long lsn, int length, int crc, int distance) {
        long mixed = mix(identity ^ mix(lsn));
        mixed = mix(mixed ^ ((long) length << Integer.SIZE | Integer.toUnsignedLong(crc)));
        int check = (int) (mix(mixed ^ distance) >>> Integer.SIZE);
        return check == 0 ? 1 : check;
    }

    /** The finalizer of SplitMix64: each bit of the argument changes half of the bits of the result. */
    static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
