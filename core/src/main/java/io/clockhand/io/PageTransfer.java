// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

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
    /** A copy of fewer bytes is faster than one more read of the device. */
    private static final long LEAST_READ_BYTES = 1 << 15;

    private final int pageBytes;
    private final int blockBytes;
    private final LongSupplier leastLength;
    private final ConcurrentLinkedQueue<ByteBuffer> aligned = new ConcurrentLinkedQueue<>();
    /** For runs that are copied, each of {@link #RUN_BYTES} or a page. */
    private final ConcurrentLinkedQueue<ByteBuffer> runs = new ConcurrentLinkedQueue<>();

    /**
     * Makes the transfer of a file.
     *
     * @param pageBytes the size of a page
     * @param blockBytes the size of a block: a power of two, at most that of a page
     * @param leastLength the length that the file has at least, if its last page may be incomplete, and has zeros then;
     *     else null
     */
    PageTransfer(int pageBytes, int blockBytes, LongSupplier leastLength) {
        this.pageBytes = pageBytes;
        this.blockBytes = blockBytes;
        this.leastLength = leastLength;
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
            return readAligned(channel, at, target, start, pageBytes);
        }
        ByteBuffer between = take();
        try {
            readAligned(channel, at, between, 0, pageBytes);
            target.position(start).put(between.flip());
        } finally {
            aligned.offer(between);
        }
        return 0;
    }

    private long readAligned(FileChannel channel, long at, ByteBuffer target, int start, int bytes) throws IOException {
        long seen = 0;
        for (int done = 0; done < bytes; ) {
            int end = done + Math.max(0, channel.read(target.position(start + done), at + done));
            int whole = wholeBlocks(end);
            if (whole == done) {
                if (leastLength != null && end > bytes - pageBytes) {
                    long length = channel.size();
                    if (length > Math.max(seen, at + end)) {
                        seen = length;
                        continue; // it has become longer since the read
                    }
                    if (length == at + end && length >= leastLength.getAsLong()) {
                        pad(target, start + end, start + bytes);
                        return 0;
                    }
                }
                String read = end + " of " + bytes + " bytes of the page" + (bytes == pageBytes ? "" : "s");
                throw channel.size() < at + bytes
                        ? new EOFException("the file ends after " + read)
                        : new IOException("only " + read + " could be read");
            }
            done = whole;
        }
        return 0;
    }

    /**
     * Reads adjacent pages, by one call where that is possible: into the only target; or with a channel that has a
     * position, for which threads take turns, and which nothing else uses; or into a buffer, from which the pages are
     * copied, unless the targets are so large that a call for each is better.
     *
     * @param channel the file; its monitor is taken, which nobody else takes
     * @param at where the first page begins in it
     * @param targets get the bytes: from the mark to the limit of the first one, then of the next
     * @param count the number of targets
     * @return 0
     * @throws EOFException if the file ends before the end of the last page
     * @throws IOException if they could not be read; any of the targets may hold anything
     */
    long readRun(FileChannel channel, long at, ByteBuffer[] targets, int count) throws IOException {
        boolean areAligned = true;
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            targets[i].reset(); // an earlier attempt may have read some of it
            areAligned &= isAligned(targets[i], targets[i].position());
            bytes += targets[i].remaining();
        }
        if (count > 1) {
            if (!areAligned || (channel instanceof Uninterruptible && bytes < count * LEAST_READ_BYTES)) {
                readAndCopy(channel, at, targets, bytes);
            } else if (!(channel instanceof Uninterruptible)) {
                synchronized (channel) {
                    channel.position(at).read(targets, 0, count);
                }
            }
        }
        long next = at;
        for (int i = 0; i < count; i++) {
            ByteBuffer target = targets[i];
            int end = target.limit();
            boolean isRead = !target.hasRemaining();
            target.reset();
            int length = target.remaining();
            if (!isRead) { // what the device gave short, or all
                readTarget(channel, next, target, length);
            }
            target.position(end);
            next += length;
        }
        return 0;
    }

    private void readTarget(FileChannel channel, long at, ByteBuffer target, int bytes) throws IOException {
        int start = target.position();
        if (isAligned(target, start)) {
            readAligned(channel, at, target, start, bytes);
            return;
        }
        for (int done = 0; done < bytes; done += pageBytes) {
            read(channel, at + done, target, start + done);
        }
    }

    /** Reads as many of the pages as it can. */
    private void readAndCopy(FileChannel channel, long at, ByteBuffer[] targets, long bytes) throws IOException {
        ByteBuffer between = takeForRun();
        if (between == null) {
            return;
        }
        try {
            int next = 0;
            for (long done = 0; done < bytes; ) {
                int wanted = (int) Math.min(bytes - done, between.capacity());
                channel.read(between.clear().limit(wanted), at + done);
                int whole = between.position() & -pageBytes;
                for (int from = 0; from < whole; ) {
                    int part = Math.min(whole - from, targets[next].remaining());
                    targets[next].put(between.slice(from, part));
                    next += targets[next].hasRemaining() ? 0 : 1;
                    from += part;
                }
                if (whole < wanted) {
                    return; // for a reason that the read of a single page meets, too
                }
                done += whole;
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

    private static void pad(ByteBuffer target, int from, int to) {
        for (int at = from; at < to; at++) {
            target.put(at, (byte) 0);
        }
        target.position(to);
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
