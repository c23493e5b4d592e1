// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench.blockcache;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * Reads a file, or a part of it, through a cache of blocks. Not thread-safe, as every input.
 *
 * <p>The input that was opened keeps its current block pinned between two reads, until it is closed. Its clones and
 * slices, which Lucene never closes, would fill the cache with pins: they pin the block for each read, and remember it.
 */
final class BlockInput extends IndexInput implements RandomAccessInput {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int MASK = BlockCache.BLOCK_BYTES - 1;
    private static final int LONGEST_VINT = 5;

    private final BlockFile file;
    private final boolean keepsPin;
    private final long start;
    private final long length;
    private long position;
    private Block current;
    private boolean closed;

    /** The input of a whole file, to be closed. */
    BlockInput(String description, BlockFile file) {
        this(description, file, true, 0, file.length());
    }

    private BlockInput(String description, BlockFile file, boolean keepsPin, long start, long length) {
        super(description);
        this.file = file;
        this.keepsPin = keepsPin;
        this.start = start;
        this.length = length;
    }

    private Block pin(long at) throws IOException {
        long number = (start + at) >>> BlockCache.SHIFT;
        Block block = current;
        if (block != null && block.number == number && (keepsPin || block.tryPin())) {
            return block;
        }
        if (closed) {
            throw new AlreadyClosedException("already closed: " + this);
        }
        Block next = file.pin(number);
        current = next;
        if (keepsPin && block != null) {
            block.unpin();
        }
        return next;
    }

    private void unpin(Block block) {
        if (!keepsPin) {
            block.unpin();
        }
    }

    private int offset(long at) {
        return (int) (start + at) & MASK;
    }

    /** Whether the bytes are in one block; those that are not in the file are refused. */
    private boolean isWithinBlock(long at, long bytes) throws IOException {
        if (at < 0 || at + bytes > length) {
            throw new EOFException("read past the end: " + bytes + " bytes at " + at + " of " + this);
        }
        return offset(at) + bytes <= BlockCache.BLOCK_BYTES;
    }

    @Override
    public byte readByte(long at) throws IOException {
        isWithinBlock(at, Byte.BYTES);
        Block block = pin(at);
        byte value = block.memory.get(BYTE, offset(at));
        unpin(block);
        return value;
    }

    @Override
    public short readShort(long at) throws IOException {
        if (!isWithinBlock(at, Short.BYTES)) {
            return (short) ((readByte(at) & 0xff) | (readByte(at + 1) << Byte.SIZE));
        }
        Block block = pin(at);
        short value = block.memory.get(SHORT, offset(at));
        unpin(block);
        return value;
    }

    @Override
    public int readInt(long at) throws IOException {
        if (!isWithinBlock(at, Integer.BYTES)) {
            return (readShort(at) & 0xffff) | (readShort(at + Short.BYTES) << Short.SIZE);
        }
        Block block = pin(at);
        int value = block.memory.get(INT, offset(at));
        unpin(block);
        return value;
    }

    @Override
    public long readLong(long at) throws IOException {
        if (!isWithinBlock(at, Long.BYTES)) {
            return (readInt(at) & 0xffff_ffffL) | ((long) readInt(at + Integer.BYTES) << Integer.SIZE);
        }
        Block block = pin(at);
        long value = block.memory.get(LONG, offset(at));
        unpin(block);
        return value;
    }

    @Override
    public void readBytes(long at, byte[] target, int offset, int count) throws IOException {
        isWithinBlock(at, count);
        for (int done = 0; done < count; ) {
            int from = offset(at + done);
            int part = Math.min(count - done, BlockCache.BLOCK_BYTES - from);
            Block block = pin(at + done);
            MemorySegment.copy(block.memory, BYTE, from, target, offset + done, part);
            unpin(block);
            done += part;
        }
    }

    @Override
    public byte readByte() throws IOException {
        byte value = readByte(position);
        position++;
        return value;
    }

    @Override
    public short readShort() throws IOException {
        short value = readShort(position);
        position += Short.BYTES;
        return value;
    }

    @Override
    public int readInt() throws IOException {
        int value = readInt(position);
        position += Integer.BYTES;
        return value;
    }

    @Override
    public long readLong() throws IOException {
        long value = readLong(position);
        position += Long.BYTES;
        return value;
    }

    @Override
    public void readBytes(byte[] target, int offset, int count) throws IOException {
        readBytes(position, target, offset, count);
        position += count;
    }

    @Override
    public void readInts(int[] target, int offset, int count) throws IOException {
        readArray(INT, target, offset, count, (long) Integer.BYTES * count);
    }

    @Override
    public void readLongs(long[] target, int offset, int count) throws IOException {
        readArray(LONG, target, offset, count, (long) Long.BYTES * count);
    }

    @Override
    public void readFloats(float[] target, int offset, int count) throws IOException {
        readArray(FLOAT, target, offset, count, (long) Float.BYTES * count);
    }

    private void readArray(ValueLayout layout, Object target, int offset, int count, long bytes) throws IOException {
        if (isWithinBlock(position, bytes) && count > 0) {
            Block block = pin(position);
            MemorySegment.copy(block.memory, layout, offset(position), target, offset, count);
            unpin(block);
            position += bytes;
        } else if (target instanceof int[] ints) {
            super.readInts(ints, offset, count);
        } else if (target instanceof long[] longs) {
            super.readLongs(longs, offset, count);
        } else {
            super.readFloats((float[]) target, offset, count);
        }
    }

    /** Under one pin, if it cannot go beyond the block. */
    @Override
    public int readVInt() throws IOException {
        int from = offset(position);
        if (from > BlockCache.BLOCK_BYTES - LONGEST_VINT || position + LONGEST_VINT > length) {
            return super.readVInt();
        }
        Block block = pin(position);
        int to = from;
        byte next = block.memory.get(BYTE, to++);
        int value = next & 0x7f;
        for (int shift = 7; next < 0 && to < from + LONGEST_VINT; shift += 7) {
            next = block.memory.get(BYTE, to++);
            value |= (next & 0x7f) << shift;
        }
        unpin(block);
        position += to - from;
        return value;
    }

    @Override
    public long getFilePointer() {
        return position;
    }

    @Override
    public void seek(long to) throws IOException {
        if (to < 0 || to > length) {
            throw new EOFException("seek to " + to + " of " + this);
        }
        position = to;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public void prefetch(long offset, long count) {
        Objects.checkFromIndexSize(offset, count, length); // the stand-in does not read ahead
    }

    @Override
    public BlockInput clone() {
        BlockInput clone = part(toString(), 0, length);
        clone.position = position;
        return clone;
    }

    @Override
    public BlockInput slice(String description, long offset, long count) throws IOException {
        if ((offset | count) < 0 || offset > length - count) {
            throw new IllegalArgumentException(
                    "no slice " + description + " of " + count + " bytes at " + offset + " in " + this);
        }
        return part(getFullSliceDescription(description), offset, count);
    }

    private BlockInput part(String description, long offset, long count) {
        if (closed) {
            throw new AlreadyClosedException("already closed: " + this);
        }
        return new BlockInput(description, file, false, start + offset, count);
    }

    @Override
    public void close() throws IOException {
        if (closed || !keepsPin) {
            return;
        }
        closed = true;
        Block block = current;
        current = null;
        if (block != null) {
            block.unpin();
        }
        file.close();
    }
}
