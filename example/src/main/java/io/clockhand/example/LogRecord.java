// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Shows what a record of the log must say: physiological records, which name a page, and say what has changed in it in
 * terms of its entries. Sources: Gray, Reuter, Transaction Processing, 1993; for the compensation records,
 * Mohan et al., ARIES, TODS 17(1), 1992, §4.1.
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares records
sealed interface LogRecord {
    int CHANGE = 1;
    int COMPENSATION = 2;
    int SPLIT = 3;
    int GROW = 4;
    int END = 5;

    /**
     * A key got a value in a leaf. Redo gives it that value, in the same page. Undo gives it the old one, in whatever
     * page it lies by then, and appends a compensation record: a change that has taken the transaction's last one back,
     * and is never undone itself, so that an undo that is interrupted goes on where it was, however often.
     *
     * @param value the value, or null if the key was removed
     * @param old the former value, or null if there was none; not stored in a compensation record
     */
    record Change(long transaction, boolean isCompensation, long page, byte[] key, byte[] value, byte[] old)
            implements LogRecord {
        @Override
        public byte[] pack() {
            int type = isCompensation ? COMPENSATION : CHANGE;
            return LogRecord.pack(type, new long[] {transaction, page}, key, value, isCompensation ? null : old);
        }
    }

    /**
     * The entries of a node from a slot on have moved to a new page on its right, which has the image now, and the
     * parent got a child. One record for three pages: the split is there or not. It is part of no transaction (in
     * ARIES a nested top action), so others can use the new page at once, and a rollback does not take it back.
     */
    record Split(long node, int slot, long right, long parent, byte[] image, byte[] separator) implements LogRecord {
        @Override
        public byte[] pack() {
            return LogRecord.pack(SPLIT, new long[] {node, slot, right, parent}, image, separator);
        }
    }

    /** The root has moved to a new page, which has the image now, and has become the parent of that page. */
    record Grow(long left, byte[] image) implements LogRecord {
        @Override
        public byte[] pack() {
            return LogRecord.pack(GROW, new long[] {left}, image);
        }
    }

    /** A transaction has committed, or has taken back all its changes. Recovery has nothing to undo in either case. */
    record End(long transaction) implements LogRecord {
        @Override
        public byte[] pack() {
            return LogRecord.pack(END, new long[] {transaction});
        }
    }

    /** {@return the bytes of the record} */
    byte[] pack();

    private static byte[] pack(int type, long[] numbers, byte[]... arrays) {
        int size = 1 + Long.BYTES * numbers.length;
        for (byte[] array : arrays) {
            size += Integer.BYTES + (array == null ? 0 : array.length);
        }
        ByteBuffer out = ByteBuffer.allocate(size).put((byte) type);
        for (long number : numbers) {
            out.putLong(number);
        }
        for (byte[] array : arrays) {
            out.putInt(array == null ? -1 : array.length);
            out.put(array == null ? new byte[0] : array);
        }
        return out.array();
    }

    /** {@return the record that was packed into some bytes} */
    static LogRecord unpack(byte[] bytes) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int type = in.get();
        return switch (type) {
            case CHANGE, COMPENSATION ->
                new Change(in.getLong(), type == COMPENSATION, in.getLong(), array(in), array(in), array(in));
            case SPLIT -> new Split(in.getLong(), (int) in.getLong(), in.getLong(), in.getLong(), array(in), array(in));
            case GROW -> new Grow(in.getLong(), array(in));
            case END -> new End(in.getLong());
            default -> throw new IOException("the log has a record of type " + type + ", which there is not");
        };
    }

    private static byte[] array(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0) {
            return null;
        }
        byte[] array = new byte[length];
        in.get(array);
        return array;
    }
}
