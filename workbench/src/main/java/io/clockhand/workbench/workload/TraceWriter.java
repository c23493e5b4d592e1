// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Writes a trace while its references are made, in {@link TraceFormat#RW32BE}. Thread-safe.
 *
 * <p>Threads add references to a buffer, under a lock, so the trace has them in the order in which they were added. A
 * thread of its own writes the buffers that are full; a thread that finds all of them full waits for it. The file
 * appears, complete, when the writer is {@linkplain #finish finished}; until then it has the ending {@code .part}.
 *
 * <p>After a failure nothing more is kept: references are dropped, so that those who make them go on, and {@link
 * #check} and {@link #finish} throw.
 */
public final class TraceWriter implements AutoCloseable {
    private static final int BUFFER_REFERENCES = 1 << 14;
    private static final int BUFFERS = 32;
    private static final int PATIENCE_SECONDS = 60;
    private static final int WRITE = Integer.MIN_VALUE;
    /** The only buffer without references. */
    private static final int[] END = {};

    private final Path file;
    private final Path part;
    private final WritableByteChannel channel;
    private final BlockingQueue<int[]> full = new ArrayBlockingQueue<>(BUFFERS);
    private final Thread thread = new Thread(this::writeAll, "trace writer");
    private int[] buffer = new int[BUFFER_REFERENCES];
    private int length;
    private boolean ended;
    private long references;
    private long writes;
    private volatile IOException failure;

    private TraceWriter(Path file, Path part, WritableByteChannel channel) {
        this.file = file;
        this.part = part;
        this.channel = channel;
    }

    /** Begins a trace; a file of that name is replaced in the end. */
    public static TraceWriter create(Path file) throws IOException {
        Path part = part(file);
        FileChannel channel = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        return to(file, part, channel);
    }

    /** Into any channel, which is closed in the end. */
    static TraceWriter to(Path file, Path part, WritableByteChannel channel) {
        TraceWriter writer = new TraceWriter(file, part, channel);
        writer.thread.setDaemon(true);
        writer.thread.start();
        return writer;
    }

    /** The name that a trace has until it is complete. */
    public static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    /**
     * Adds a reference, unless the trace has ended.
     *
     * @param page its number, not negative
     * @return false if the trace has ended
     */
    public synchronized boolean add(int page, boolean isWrite) {
        if (ended) {
            return false;
        }
        buffer[length++] = isWrite ? page | WRITE : page;
        references++;
        writes += isWrite ? 1 : 0;
        if (length == buffer.length) {
            int[] filled = buffer;
            buffer = new int[BUFFER_REFERENCES];
            length = 0;
            hand(filled);
        }
        return true;
    }

    /** Passes a buffer to the thread that writes. Not broken off by an interrupt, which is kept. */
    private void hand(int[] filled) {
        boolean interrupted = false;
        boolean handed = failure != null && filled.length > 0;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!handed) {
            try {
                handed = full.offer(filled, deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (!handed) {
                    fail(new IOException("nothing could be written for " + PATIENCE_SECONDS + " s"));
                    return;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void fail(IOException cause) {
        if (failure == null) {
            failure = new IOException("cannot record to " + file + ": " + cause.getMessage(), cause);
        }
    }

    /** Goes on to take buffers after a failure, so that nobody waits for it. */
    private void writeAll() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(BUFFER_REFERENCES * Integer.BYTES);
        try {
            for (int[] filled = full.take(); filled.length > 0; filled = full.take()) {
                if (failure == null) {
                    write(filled, bytes);
                }
            }
        } catch (InterruptedException e) {
            fail(new IOException("interrupted", e));
        }
    }

    private void write(int[] filled, ByteBuffer bytes) {
        bytes.clear();
        bytes.asIntBuffer().put(filled);
        bytes.limit(filled.length * Integer.BYTES);
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    /** Throws if something could not be written. */
    public void check() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    /** Writes the rest and gives the file its name. Throws if it is not complete; then there is none. */
    public void finish() throws IOException {
        end();
        check();
        if (channel instanceof FileChannel written) {
            written.force(true);
        }
        channel.close();
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private void end() throws IOException {
        synchronized (this) {
            if (!ended) {
                ended = true;
                if (length > 0) {
                    hand(Arrays.copyOf(buffer, length));
                }
                hand(END);
            }
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(new IOException("interrupted", e));
        }
        if (thread.isAlive()) {
            fail(new IOException("nothing could be written for " + PATIENCE_SECONDS + " s"));
        }
    }

    /** The references that were added. */
    public synchronized long references() {
        return references;
    }

    /** Those of them that are writes. */
    public synchronized long writes() {
        return writes;
    }

    /** Drops the trace, unless it is finished. */
    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            end();
            channel.close();
        }
        Files.deleteIfExists(part);
    }
}
