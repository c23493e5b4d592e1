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
 * direct memory, one for runs 256 KiB. Without direct I/O a block is one byte, and every address is aligned.
 *
 * <p>Thread-safe.
 */
final class PageTransfer {
    /** More in a call of the operating system is hardly faster. */
    private static final int RUN_BYTES = 1 << 18;

    private final int pageBytes;
    private final int blockBytes;
    private final boolean padsLastPage;
    private final ConcurrentLinkedQueue<ByteBuffer> aligned = new ConcurrentLinkedQueue<>();
    /** For runs that are copied, each of {@link #RUN_BYTES} or a page. */
    private final ConcurrentLinkedQueue<ByteBuffer> runs = new ConcurrentLinkedQueue<>();

    /**
     * Makes the transfer of a file.
     *
     * @param pageBytes the size of a page
     * @param blockBytes the size of a block: a power of two, at most that of a page
     * @param padsLastPage whether the last page may be incomplete, and has zeros then
     */
    PageTransfer(int pageBytes, int blockBytes, boolean padsLastPage) {
        this.pageBytes = pageBytes;
        this.blockBytes = blockBytes;
        this.padsLastPage = padsLastPage;
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
                if (padsLastPage && end > 0 && channel.size() == at + end) {
                    pad(target, start + end, start + pageBytes);
                    return 0;
                }
                throw isBehindEnd(channel, at)
                        ? new EOFException("the file ends after " + end + " of " + pageBytes + " bytes of the page")
                        : new IOException("only " + end + " of " + pageBytes + " bytes of the page could be read");
            }
            done = whole;
        }
        return 0;
    }

    /**
     * Reads adjacent pages: with one call of a channel that has a position, straight into the targets. Nothing else
     * uses that position, and threads take turns for it. Of a channel without one, with one call for a buffer of pages,
     * which are then copied.
     *
     * @param channel the file; its monitor is taken, which nobody else takes
     * @param at where the first page begins in it
     * @param targets get a page each: its last bytes are those before the limit, wherever the position is
     * @param pages the number of pages
     * @return 0
     * @throws EOFException if the file ends before the end of the last page
     * @throws IOException if they could not be read; any of the targets may hold anything
     */
    long readRun(FileChannel channel, long at, ByteBuffer[] targets, int pages) throws IOException {
        boolean aligned = true;
        for (int i = 0; i < pages; i++) {
            targets[i].position(start(targets[i])); // an earlier attempt may have read some of it
            aligned &= isAligned(targets[i], start(targets[i]));
        }
        if (pages > 1 && aligned && !(channel instanceof Uninterruptible)) {
            synchronized (channel) {
                channel.position(at).read(targets, 0, pages);
            }
        } else if (pages > 1) {
            readAndCopy(channel, at, targets, pages);
        }
        for (int i = 0; i < pages; i++) {
            if (targets[i].hasRemaining()) { // what the device gave short, or all
                read(channel, at + (long) i * pageBytes, targets[i], start(targets[i]));
            }
        }
        return 0;
    }

    /** Reads as many of the pages as it can. */
    private void readAndCopy(FileChannel channel, long at, ByteBuffer[] targets, int pages) throws IOException {
        ByteBuffer between = takeForRun();
        if (between == null) {
            return;
        }
        try {
            int read = 0;
            while (read < pages) {
                int wanted = Math.min(pages - read, between.capacity() / pageBytes);
                between.clear().limit(wanted * pageBytes);
                channel.read(between, at + (long) read * pageBytes);
                int whole = between.position() / pageBytes;
                for (int i = 0; i < whole; i++) {
                    targets[read + i].put(between.slice(i * pageBytes, pageBytes));
                }
                read += whole;
                if (whole < wanted) {
                    return; // for a reason that the read of a single page meets, too
                }
            }
        } finally {
            runs.offer(between);
        }
    }

    private ByteBuffer takeForRun() {
        ByteBuffer free = runs.poll();
        try {
            return free != null ? free : allocate(Math.max(pageBytes, RUN_BYTES));
        } catch (OutOfMemoryError e) {
            return null; // each page can be read without it
        }
    }

    private int start(ByteBuffer target) {
        return target.limit() - pageBytes;
    }

    private static void pad(ByteBuffer target, int from, int to) {
        for (int at = from; at < to; at++) {
            target.put(at, (byte) 0);
        }
        target.position(to);
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
        return free != null ? free.clear() : allocate(pageBytes);
    }

    private ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes + blockBytes - 1)
                .alignedSlice(blockBytes)
                .limit(bytes)
                .slice();
    }
}
