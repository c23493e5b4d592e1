// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.function.IntUnaryOperator;

/** A file of fixed length that transfers as much as a test allows, from and to whole blocks only. */
class StingyChannel extends FileChannel {
    private final byte[] bytes;
    private final int blockBytes;
    private IntUnaryOperator most = asked -> asked;

    StingyChannel(int length, int blockBytes) {
        this.bytes = new byte[length];
        this.blockBytes = blockBytes;
    }

    /** Sets the number of bytes that are transferred, as a function of the number that was requested. */
    void most(IntUnaryOperator transferred) {
        most = transferred;
    }

    byte[] bytes() {
        return bytes;
    }

    private int transfer(ByteBuffer asked, long position) {
        assertThat(position % blockBytes).as("the position in the file").isZero();
        assertThat(asked.remaining() % blockBytes).as("the length").isZero();
        if (blockBytes > 1) {
            assertThat(asked.isDirect()).isTrue();
            assertThat(asked.alignmentOffset(asked.position(), blockBytes))
                    .as("the address")
                    .isZero();
        }
        return Math.min(most.applyAsInt(asked.remaining()), bytes.length - (int) position);
    }

    @Override
    public int read(ByteBuffer target, long position) {
        int count = transfer(target, position);
        if (count <= 0) {
            return -1;
        }
        target.put(bytes, (int) position, count);
        return count;
    }

    @Override
    public int write(ByteBuffer source, long position) {
        int count = transfer(source, position);
        source.get(bytes, (int) position, count);
        return count;
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public int read(ByteBuffer target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long newPosition) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metaData) throws IOException {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseChannel() {
        // nothing is open
    }
}
