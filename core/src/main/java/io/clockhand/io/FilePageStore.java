// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Pages in a file, read and written at their positions.
 *
 * <p><b>Channels.</b> A {@link FileChannel} keeps books about the threads inside it under a monitor, on which threads that
 * read at the same time meet. So a store opens a few channels of the same file, and a thread uses the one that its id chooses.
 *
 * <p><b>Interrupts.</b> An interrupt of a thread that is inside a channel, or enters it, closes the channel for every thread. So
 * the flag is cleared before a call and set again after it; a thread that finds its channel closed nevertheless opens
 * another in its place, checks that it is the same file still, and tries again.
 *
 * <p><b>Another user of the file.</b> A lock on a file beside it ({@code NAME.lock}, which stays) keeps other stores and
 * other processes out. It does not lie on the file itself, since closing any descriptor of a file drops the locks that the
 * process has on it.
 *
 * <p>Thread-safe. {@code channels} is read with volatile order by everybody, and written under the lock.
 */
public final class FilePageStore implements PageStore {
    /** So many channels are opened if no number is given. */
    public static final int DEFAULT_CHANNELS = 4;

    private static final int LEAST_PAGE_BYTES = 512;
    private static final int GREATEST_PAGE_BYTES = 1 << 16;
    private static final int GREATEST_CHANNELS = 64;
    /** A thread whose channel was closed under it so many times within one call gives up. */
    private static final int GREATEST_REOPENS = 1_000;

    /** Of an operation on the whole file. */
    private static final long NO_PAGE = -1;

    private static final Set<OpenOption> OPTIONS = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

    private final Path path;
    private final int pageBytes;
    private final FileChannel lockChannel;
    /** Never used, so never closed by an interrupt: as long as it is open no other file can be taken for this one. */
    private final FileChannel anchor;

    private final Object fileKey;
    private final AtomicReferenceArray<FileChannel> channels;
    private final ReentrantLock reopening = new ReentrantLock();
    private final AtomicBoolean owned = new AtomicBoolean();
    private boolean closed;

    private FilePageStore(Path path, int pageBytes, int channels, FileChannel lockChannel) throws IOException {
        this.path = path;
        this.pageBytes = pageBytes;
        this.lockChannel = lockChannel;
        this.channels = new AtomicReferenceArray<>(channels);
        this.fileKey = keyOf(path);
        this.anchor = FileChannel.open(path, StandardOpenOption.READ); // last: nobody would close it
    }

    /**
     * Opens a file; makes it, empty, if there is none.
     *
     * @param file the file
     * @param pageBytes the size of a page: a power of two from 512 to 65,536
     * @return the store
     * @throws IOException if it cannot be opened, is in use by another store or process, or its length is not a multiple
     *     of the page size
     */
    public static FilePageStore open(Path file, int pageBytes) throws IOException {
        return open(file, pageBytes, DEFAULT_CHANNELS);
    }

    /**
     * Opens a file; makes it, empty, if there is none.
     *
     * @param file the file
     * @param pageBytes the size of a page: a power of two from 512 to 65,536
     * @param channels how many channels are opened, 1 to 64
     * @return the store
     * @throws IOException if it cannot be opened, is in use by another store or process, or its length is not a multiple
     *     of the page size
     */
    public static FilePageStore open(Path file, int pageBytes, int channels) throws IOException {
        checkPageBytes(pageBytes);
        if (channels < 1 || channels > GREATEST_CHANNELS) {
            throw new IllegalArgumentException(
                    "channels is " + channels + "; it must lie between 1 and " + GREATEST_CHANNELS);
        }
        boolean interrupted = Thread.interrupted();
        try {
            return openUninterrupted(file, pageBytes, channels);
        } finally {
            restore(interrupted);
        }
    }

    private static FilePageStore openUninterrupted(Path file, int pageBytes, int channels) throws IOException {
        boolean made = Files.notExists(file);
        if (made) {
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                    .close();
        }
        Path real = file.toRealPath();
        if (made) {
            forceDirectory(real.getParent());
        }
        FileChannel lockChannel = lock(real);
        FilePageStore store = null;
        boolean opened = false;
        try {
            store = new FilePageStore(real, pageBytes, channels, lockChannel);
            for (int i = 0; i < channels; i++) {
                store.channels.set(i, FileChannel.open(real, OPTIONS));
            }
            long length = store.length();
            if (length % pageBytes != 0) {
                throw new IOException(real + " has " + length + " bytes, which is not a multiple of the page size of "
                        + pageBytes
                        + ": either its pages have another size, or a crash has cut its last page off; in that case"
                        + " shorten it to " + (length - length % pageBytes) + " bytes");
            }
            opened = true;
            return store;
        } finally {
            if (!opened) {
                if (store != null) {
                    store.close();
                } else {
                    lockChannel.close();
                }
            }
        }
    }

    /**
     * Checks a page size.
     *
     * @param pageBytes the size of a page in bytes
     * @throws IllegalArgumentException if it is none
     */
    public static void checkPageBytes(int pageBytes) {
        if (pageBytes < LEAST_PAGE_BYTES || pageBytes > GREATEST_PAGE_BYTES || Integer.bitCount(pageBytes) != 1) {
            throw new IllegalArgumentException("the page size is " + pageBytes
                    + " bytes; it must be a power of two from " + LEAST_PAGE_BYTES + " to " + GREATEST_PAGE_BYTES);
        }
    }

    private static FileChannel lock(Path file) throws IOException {
        Path beside = file.resolveSibling(file.getFileName() + ".lock");
        FileChannel channel = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            locked = channel.tryLock() != null;
            if (!locked) {
                throw new IOException(file + " is in use by another process, which holds a lock on " + beside);
            }
        } catch (OverlappingFileLockException e) {
            throw new IOException(file + " is open already in this JVM: one store, in one pool, may use a file", e);
        } finally {
            if (!locked) {
                channel.close();
            }
        }
        return channel;
    }

    private static void forceDirectory(Path directory) throws IOException {
        if (System.getProperty("os.name").startsWith("Windows")) {
            return; // which opens no directories, and needs no force of one
        }
        boolean interrupted = false;
        try {
            for (int tries = 0; ; tries++) {
                try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                    channel.force(true);
                    return;
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    if (tries == GREATEST_REOPENS) {
                        throw e;
                    }
                }
            }
        } finally {
            restore(interrupted);
        }
    }

    private static Object keyOf(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public int pageBytes() {
        return pageBytes;
    }

    @Override
    public long pages() throws IOException {
        return length() / pageBytes;
    }

    private long length() throws IOException {
        return transfer(NO_PAGE, "measure", null, (channel, at) -> channel.size());
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        checkTransfer(page, target);
        transfer(page, "read", target, (channel, at) -> readFully(channel, at, target));
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        checkTransfer(page, source);
        transfer(page, "write", source, (channel, at) -> writeFully(channel, at, source));
    }

    @Override
    public void force() throws IOException {
        transfer(NO_PAGE, "force", null, (channel, at) -> {
            channel.force(true);
            return 0;
        });
    }

    @Override
    public void truncate(long pages) throws IOException {
        transfer(NO_PAGE, "truncate", null, (channel, at) -> {
            channel.truncate(pages * pageBytes);
            return 0;
        });
    }

    @Override
    public boolean tryOwn() {
        return owned.compareAndSet(false, true);
    }

    private long readFully(FileChannel channel, long at, ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            int missing = target.remaining();
            if (channel.read(target, at + pageBytes - missing) < 0) {
                throw new EOFException(
                        "the file ends after " + (pageBytes - missing) + " of " + pageBytes + " bytes of the page");
            }
        }
        return 0;
    }

    private long writeFully(FileChannel channel, long at, ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            channel.write(source, at + pageBytes - source.remaining());
        }
        return 0;
    }

    /** What is done with a channel. */
    private interface Operation {
        long apply(FileChannel channel, long at) throws IOException;
    }

    private long transfer(long page, String what, ByteBuffer bytes, Operation operation) throws IOException {
        boolean interrupted = Thread.interrupted(); // or the channel would be closed before anything is done
        int start = bytes == null ? 0 : bytes.position();
        int stripe = (int) (Thread.currentThread().getId() % channels.length());
        try {
            for (int reopens = 0; ; reopens++) {
                FileChannel channel = channels.get(stripe);
                try {
                    return operation.apply(channel, page * pageBytes);
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    if (reopens == GREATEST_REOPENS) {
                        throw e;
                    }
                    reopen(stripe, channel);
                    if (bytes != null) {
                        bytes.position(start);
                    }
                }
            }
        } catch (EOFException e) {
            throw failure(new EOFException(message(page, what, e)), e);
        } catch (IOException e) {
            throw new IOException(message(page, what, e), e);
        } finally {
            restore(interrupted);
        }
    }

    private static EOFException failure(EOFException failure, IOException cause) {
        failure.initCause(cause);
        return failure;
    }

    private String message(long page, String what, IOException e) {
        String detail = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return "cannot " + what + (page < 0 ? " " : " page " + page + " of ") + path + ": " + detail;
    }

    @SuppressWarnings("ReferenceEquality") // the very channel
    private void reopen(int stripe, FileChannel found) throws IOException {
        reopening.lock();
        try {
            if (closed) {
                throw new IOException("the store is closed");
            }
            if (channels.get(stripe) == found) {
                FileChannel opened = FileChannel.open(path, OPTIONS);
                boolean same = false;
                try {
                    same = isSameFile();
                } finally {
                    if (!same) {
                        opened.close();
                    }
                }
                if (!same) {
                    throw new IOException("the channel was closed by an interrupt, and another file has the name now");
                }
                channels.set(stripe, opened);
            }
        } finally {
            reopening.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        reopening.lock();
        try {
            closed = true;
            IOException failure = null;
            for (int i = 0; i < channels.length(); i++) {
                failure = close(channels.get(i), failure);
            }
            failure = close(anchor, failure);
            failure = close(lockChannel, failure); // last, since others may open the file then
            if (failure != null) {
                throw new IOException("cannot close " + path + ": " + failure.getMessage(), failure);
            }
        } finally {
            reopening.unlock();
        }
    }

    /**
     * Deletes the file, forces its directory, and closes the store. The lock file beside it stays. If the file cannot be deleted the store
     * stays open.
     */
    @Override
    public void delete() throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            if (Files.exists(path)) { // or it was deleted, but its directory not forced
                if (!isSameFile()) {
                    throw new IOException("another file has the name now");
                }
                Files.delete(path);
            }
            forceDirectory(path.getParent());
        } catch (IOException e) {
            String detail = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new IOException("cannot delete " + path + ": " + detail, e);
        } finally {
            restore(interrupted);
        }
        close();
    }

    private boolean isSameFile() throws IOException {
        return fileKey == null || fileKey.equals(keyOf(path));
    }

    private static IOException close(FileChannel channel, IOException before) {
        try {
            if (channel != null) {
                channel.close();
            }
            return before;
        } catch (IOException e) {
            return before == null ? e : before;
        }
    }

    /** As if a thread had been interrupted in each channel. */
    void closeChannelsForTest() throws IOException {
        for (int i = 0; i < channels.length(); i++) {
            channels.get(i).close();
        }
    }

    private void checkTransfer(long page, ByteBuffer bytes) {
        if (page < 0) {
            throw new IllegalArgumentException("there is no page " + page + " of " + path);
        }
        if (bytes.remaining() != pageBytes) {
            throw new IllegalArgumentException(
                    bytes.remaining() + " bytes remain in the buffer, but a page of " + path + " has " + pageBytes);
        }
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
