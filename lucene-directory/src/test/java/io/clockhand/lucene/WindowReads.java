// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/** Each kind of read that an input has, in the page that it shows. */
final class WindowReads {
    static final List<Read> ALL = List.of(
            IndexInput::readByte,
            IndexInput::readShort,
            IndexInput::readInt,
            IndexInput::readLong,
            IndexInput::readVInt,
            IndexInput::readVLong,
            input -> ((RandomAccessInput) input).readByte(8),
            input -> ((RandomAccessInput) input).readShort(8),
            input -> ((RandomAccessInput) input).readInt(8),
            input -> ((RandomAccessInput) input).readLong(8),
            input -> {
                byte[] some = new byte[10];
                input.readBytes(some, 0, 10);
                return some[9];
            },
            input -> {
                int[] some = new int[10];
                input.readInts(some, 0, 10);
                return some[9];
            },
            input -> {
                int[] some = new int[TestDirectories.PAGE_BYTES];
                input.readInts(some, 0, TestDirectories.PAGE_BYTES);
                return some[0];
            },
            input -> {
                long[] some = new long[10];
                input.readLongs(some, 0, 10);
                return some[9];
            },
            input -> {
                float[] some = new float[10];
                input.readFloats(some, 0, 10);
                return Float.floatToRawIntBits(some[9]);
            });

    private WindowReads() {}

    /** Reads something, and returns a part of it. */
    interface Read {
        long of(IndexInput input) throws IOException;
    }
}
