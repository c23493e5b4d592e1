// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Whole pages through a channel: what the device gave or took short is completed.
 *
 * <p><b>Blocks.</b> A channel for direct I/O moves whole blocks between positions and addresses that are multiples of
 * the size of a block. So a transfer that ends within a block goes on at the beginning of that block. Bytes elsewhere
 * (on the heap, or at another address) go through a buffer that is aligned: each such transfer copies the page once
 * more. As many of these buffers are kept as were ever in use at the same time; each takes less than two pages of
 * direct memory. Without direct I/O a block is one byte, and every address is aligned.
 *
 * <p>Thread-safe.
 */
final class PageTransfer {
    private final int pageBytes;
    private final int blockBytes;
    private final ConcurrentLinkedQueue<ByteBuffer> aligned = new ConcurrentLinkedQueue<>();

    /**
     * Makes the transfer of a file.
     *
     * @param pageBytes the size of a page
     * @param blockBytes the size of a block: a power of two, at most that of a page
     */
    PageTransfer(int pageBytes, int blockBytes) {
        this.pageBytes = pageBytes;
        this.blockBytes = blockBytes;
    }

    /**
     * Reads a page.
     *
     * @param channel the file
     * @param at where the page begins in it
     * @param target gets the bytes
     * @param start where they begin there; a page fits in from there
     * @return 0
     * @throws EOFException if the file ends before the end of the page
     * @throws IOException if it could not be read
     */
    long read(FileChannel channel, long at, ByteBuffer target, int start) throws IOException {
        if (isAligned(target, start)) {
            return readAligned(channel, at, target, start);
        }
        ByteBuffer between = take();
        try {
            readAligned(channel, at, between, 0);
            target.position(start).put(between.flip());
        } finally {
            aligned.offer(between);
        }
        return 0;
    }

    private long readAligned(FileChannel channel, long at, ByteBuffer target, int start) throws IOException {
        for (int done = 0; done < pageBytes; ) {
            int end = done + Math.max(0, channel.read(target.position(start + done), at + done));
            int whole = wholeBlocks(end);
            if (whole == done) {
                throw isBehindEnd(channel, at)
                        ? new EOFException("the file ends after " + end + " of " + pageBytes + " bytes of the page")
                        : new IOException("only " + end + " of " + pageBytes + " bytes of the page could be read");
            }
            done = whole;
        }
        return 0;
    }

    private boolean isBehindEnd(FileChannel channel, long at) throws IOException {
        return channel.size() < at + pageBytes;
    }

    /**
     * Writes adjacent pages: in one call of the channel, if that takes all bytes and no copy is needed.
     *
     * @param channel the file
     * @param at where the first page begins in it
     * @param source has the bytes, up to its limit
     * @param start where they begin there
     * @return 0
     * @throws IOException if they could not be written; any part of them may be
     */
    long write(FileChannel channel, long at, ByteBuffer source, int start) throws IOException {
        int bytes = source.limit() - start;
        if (isAligned(source, start)) {
            return writeAligned(channel, at, source, start, bytes);
        }
        ByteBuffer between = take();
        try {
            for (int done = 0; done < bytes; done += pageBytes) {
                between.clear().put(0, source, start + done, pageBytes);
                writeAligned(channel, at + done, between, 0, pageBytes);
            }
            source.position(start + bytes);
        } finally {
            aligned.offer(between);
        }
        return 0;
    }

    private long writeAligned(FileChannel channel, long at, ByteBuffer source, int start, int bytes)
            throws IOException {
        for (int done = 0; done < bytes; ) {
            int end = done + channel.write(source.position(start + done), at + done);
            int whole = wholeBlocks(end);
            if (whole == done) {
                throw new IOException("only " + end + " of " + bytes + " bytes of the page"
                        + (bytes == pageBytes ? "" : "s")
                        + " could be written: the disk is full, or a limit of the file's size is reached");
            }
            done = whole;
        }
        return 0;
    }

    private int wholeBlocks(int bytes) {
        return bytes & -blockBytes;
    }

    private boolean isAligned(ByteBuffer bytes, int start) {
        return blockBytes == 1 || (bytes.isDirect() && bytes.alignmentOffset(start, blockBytes) == 0);
    }

    private ByteBuffer take() {
        ByteBuffer free = aligned.poll();
        return free != null
                ? free.clear()
                : ByteBuffer.allocateDirect(pageBytes + blockBytes - 1).alignedSlice(blockBytes);
    }
}
