// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The memory that a contender's process and the referee share: 64-bit words, each alone in 128 bytes, so that a word
 * that one thread writes does not slow those who read its neighbours.
 *
 * <p>Each word has one writer. The parent writes {@link #SLICE} and {@link #OVER}, the child {@link #READY} and its
 * counters. A counter is stored opaquely: the parent reads it when the child's threads have stopped.
 */
final class SliceFile {
    /** Says that the file is one of these, and for how many counters. */
    static final int HEADER = 0;
    /** The running slice: 0 before the first, negative in warm-up. */
    static final int SLICE = 1;
    /** Not 0 when the child should end. */
    static final int OVER = 2;
    /** Not 0 when the child may be measured. */
    static final int READY = 3;

    static final int FIRST_COUNTER = 4;
    private static final int STRIDE = 128;
    private static final long MAGIC = 0x64_75_65_6c_00_00_00_00L;
    private static final int MOST_COUNTERS = 1 << 16;
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer words;
    private final int counters;

    private SliceFile(ByteBuffer words, int counters) {
        this.words = words;
        this.counters = counters;
    }

    static SliceFile create(Path file, int counters) throws IOException {
        if (counters < 1 || counters > MOST_COUNTERS) {
            throw new IllegalArgumentException("cannot share " + counters + " counters");
        }
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            SliceFile created = new SliceFile(
                    channel.map(MapMode.READ_WRITE, 0, (long) (FIRST_COUNTER + counters) * STRIDE), counters);
            created.store(HEADER, MAGIC + counters);
            return created;
        }
    }

    static SliceFile open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long size = channel.size();
            int counters = (int) (size / STRIDE) - FIRST_COUNTER;
            if (counters >= 1 && counters <= MOST_COUNTERS && size % STRIDE == 0) {
                SliceFile opened = new SliceFile(channel.map(MapMode.READ_WRITE, 0, size), counters);
                if (opened.load(HEADER) == MAGIC + counters) {
                    return opened;
                }
            }
            throw new IOException(file + " is no file of slices");
        }
    }

    int counters() {
        return counters;
    }

    long load(int word) {
        return (long) LONG.getAcquire(words, word * STRIDE);
    }

    void store(int word, long value) {
        LONG.setRelease(words, word * STRIDE, value);
    }

    /** For the word's only writer. */
    void add(int word, long value) {
        int offset = word * STRIDE;
        LONG.setOpaque(words, offset, (long) LONG.get(words, offset) + value);
    }
}
