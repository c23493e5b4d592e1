// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A channel that no interrupt closes: an {@link AsynchronousFileChannel} whose tasks run in the calling thread. It
 * reads and writes at positions only. A call takes some 100 ns longer than that of a {@link FileChannel}, and allocates
 * some 100 bytes. Thread-safe. Not for Windows, where the JDK's channel passes its tasks to threads of its own.
 */
final class Uninterruptible extends FileChannel {
    private static final CallingThread CALLING_THREAD = new CallingThread();

    private final AsynchronousFileChannel channel;

    private static final class CallingThread extends AbstractExecutorService {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {
            // has no threads
        }

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return false;
        }
    }

    private Uninterruptible(AsynchronousFileChannel channel) {
        this.channel = channel;
    }

    /**
     * Opens a channel.
     *
     * @param file the file
     * @param options how; neither APPEND nor any that the file system does not have for asynchronous channels
     * @return the channel
     * @throws IOException if that failed
     */
    static Uninterruptible open(Path file, Set<OpenOption> options) throws IOException {
        return new Uninterruptible(AsynchronousFileChannel.open(file, options, CALLING_THREAD));
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return result(channel.read(target, position));
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        return result(channel.write(source, position));
    }

    private static int result(Future<Integer> done) throws IOException {
        try {
            return done.get(); // does not wait, so no interrupt ends it
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError("a task in the calling thread is not done", e);
        }
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        channel.truncate(size);
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        channel.force(metaData);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return channel.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        channel.close();
    }

    // --- not at a position -------------------------------------------------------------------------------------------

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("this channel reads and writes whole pages at their positions only");
    }

    @Override
    public int read(ByteBuffer target) {
        throw unsupported();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw unsupported();
    }

    @Override
    public int write(ByteBuffer source) {
        throw unsupported();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw unsupported();
    }

    @Override
    public long position() {
        throw unsupported();
    }

    @Override
    public FileChannel position(long position) {
        throw unsupported();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw unsupported();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw unsupported();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw unsupported();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw unsupported();
    }
}
