// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Pages in a file, read and written at their positions.
 *
 * <p><b>Interrupts.</b> A few channels of the same file are open, which outlive interrupts: see {@link FileChannels}.
 *
 * <p><b>Direct I/O.</b> A store that was opened by {@link #openDirect} moves pages between the device and the pool past the
 * operating system's cache: no second copy of a page is kept there, and none is made on the way. That pays where the pool has the memory
 * that this cache would have; pages that the pool throws out are read from the device then. The size of a page is a multiple of the size of a block
 * of the file system (4,096 bytes on most). Buffers whose address is a multiple of it, too, are read and written in place, and those of a pool are; any other costs
 * a copy, through a buffer of the store's. Direct I/O does not replace {@link #force}: the device may have a cache of its own, and
 * the file's length and place on it are written later. Other programs that use the file through the operating system's
 * cache see what is written, and the other way round, but make each other slow.
 *
 * <p><b>Another user of the file.</b> A lock on a file beside it ({@code NAME.lock}, which stays) keeps other stores and
 * other processes out. It does not lie on the file itself, since closing any descriptor of a file drops the locks that the
 * process has on it.
 *
 * <p>Thread-safe.
 */
public final class FilePageStore implements PageStore {
    /** So many channels are opened if no number is given. */
    public static final int DEFAULT_CHANNELS = 4;

    private static final int LEAST_PAGE_BYTES = 512;
    private static final int GREATEST_PAGE_BYTES = 1 << 16;
    private static final int GREATEST_CHANNELS = 64;
    /** Of an operation on the whole file. */
    private static final long NO_PAGE = -1;

    private static final Set<OpenOption> OPTIONS = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

    private final Path path;
    private final int pageBytes;
    private final FileChannel lockChannel;
    private final FileChannels channels;
    private final PageTransfer transfer;
    private final AtomicBoolean owned = new AtomicBoolean();
    /** By this store: written and read by the one thread at a time that deletes it. */
    private volatile boolean deleted;

    private FilePageStore(Path path, int pageBytes, FileChannels channels, int blockBytes, FileChannel lockChannel) {
        this.path = path;
        this.pageBytes = pageBytes;
        this.lockChannel = lockChannel;
        this.channels = channels;
        this.transfer = new PageTransfer(pageBytes, blockBytes);
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
        return open(file, pageBytes, channels, false);
    }

    /**
     * Opens a file for direct I/O; makes it, empty, if there is none.
     *
     * @param file the file
     * @param pageBytes the size of a page: a power of two from 512 to 65,536, and a multiple of the size of a block of the
     *     file system
     * @return the store
     * @throws IOException as {@link #open(Path, int)}; or if pages do not consist of whole blocks, the file system has no direct I/O,
     *     or the JVM has no module {@code jdk.unsupported}, where the JDK keeps the option for it
     */
    public static FilePageStore openDirect(Path file, int pageBytes) throws IOException {
        return openDirect(file, pageBytes, DEFAULT_CHANNELS);
    }

    /**
     * Opens a file for direct I/O; makes it, empty, if there is none.
     *
     * @param file the file
     * @param pageBytes the size of a page: a power of two from 512 to 65,536, and a multiple of the size of a block of the
     *     file system
     * @param channels how many channels are opened, 1 to 64
     * @return the store
     * @throws IOException as {@link #openDirect(Path, int)}
     */
    public static FilePageStore openDirect(Path file, int pageBytes, int channels) throws IOException {
        return open(file, pageBytes, channels, true);
    }

    private static FilePageStore open(Path file, int pageBytes, int channels, boolean direct) throws IOException {
        checkPageBytes(pageBytes);
        if (channels < 1 || channels > GREATEST_CHANNELS) {
            throw new IllegalArgumentException(
                    "channels is " + channels + "; it must lie between 1 and " + GREATEST_CHANNELS);
        }
        boolean interrupted = Thread.interrupted();
        try {
            return openUninterrupted(file, pageBytes, channels, direct);
        } finally {
            FileChannels.restore(interrupted);
        }
    }

    private static FilePageStore openUninterrupted(Path file, int pageBytes, int channels, boolean direct)
            throws IOException {
        boolean made = Files.notExists(file);
        if (made) {
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                    .close();
        }
        Path real = file.toRealPath();
        if (made) {
            FileChannels.forceDirectory(real.getParent());
        }
        FileChannel lockChannel = lock(real);
        FilePageStore store = null;
        boolean opened = false;
        try {
            int blockBytes = direct ? DirectIo.blockBytes(real, pageBytes) : 1;
            FileChannels all = direct ? openDirectly(real, channels) : FileChannels.open(real, OPTIONS, channels);
            store = new FilePageStore(real, pageBytes, all, blockBytes, lockChannel);
            store.checkLength();
            opened = true;
            return store;
        } finally {
            if (!opened) {
                if (made && Files.size(real) == 0) { // the lock keeps others from writing to it
                    Files.delete(real);
                }
                if (store != null) {
                    store.close();
                } else {
                    lockChannel.close();
                }
            }
        }
    }

    private static FileChannels openDirectly(Path file, int count) throws IOException {
        Set<OpenOption> options = new HashSet<>(OPTIONS);
        options.add(DirectIo.option());
        try {
            return FileChannels.open(file, options, count);
        } catch (UnsupportedOperationException | IOException e) {
            FileChannels.open(file, OPTIONS, count).close(null); // or something else is wrong, and said
            throw DirectIo.refused(file, e);
        }
    }

    private void checkLength() throws IOException {
        long length = length();
        if (length % pageBytes != 0) {
            throw new IOException(path + " has " + length + " bytes, which is not a multiple of the page size of "
                    + pageBytes
                    + ": either its pages have another size, or a crash has cut its last page off; in that case"
                    + " shorten it to " + (length - length % pageBytes) + " bytes");
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
        return apply(NO_PAGE, "measure", FileChannel::size);
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        checkTransfer(page, target, pageBytes, path);
        int start = target.position();
        apply(page, "read", channel -> transfer.read(channel, page * pageBytes, target, start));
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        checkTransfer(page, source, pageBytes, path);
        int start = source.position();
        apply(page, "write", channel -> transfer.write(channel, page * pageBytes, source, start));
    }

    @Override
    public void force() throws IOException {
        apply(NO_PAGE, "force", channel -> {
            channel.force(true);
            return 0;
        });
    }

    @Override
    public void truncate(long pages) throws IOException {
        checkPages(pages, path);
        apply(NO_PAGE, "truncate", channel -> {
            channel.truncate(pages * pageBytes);
            return 0;
        });
    }

    @Override
    public boolean tryOwn() {
        return owned.compareAndSet(false, true);
    }

    private long apply(long page, String what, FileChannels.Operation operation) throws IOException {
        try {
            return channels.apply(operation);
        } catch (EOFException e) {
            throw failure(new EOFException(message(page, what, e)), e);
        } catch (IOException e) {
            throw new IOException(message(page, what, e), e);
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

    @Override
    public void close() throws IOException {
        IOException failure = channels.close(null);
        failure = FileChannels.close(lockChannel, failure); // last, since others may open the file then
        if (failure != null) {
            throw new IOException("cannot close " + path + ": " + failure.getMessage(), failure);
        }
    }

    /**
     * Deletes the file, forces its directory, and closes the store. The lock file beside it stays. If the file cannot be deleted, or is not
     * there under its name, the store stays open.
     */
    @Override
    public void delete() throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            if (!deleted) {
                if (channels.isClosed()) {
                    throw new IOException("the store is closed");
                }
                if (!channels.isSameFile()) {
                    throw new IOException("another file has the name now");
                }
                Files.delete(path);
                deleted = true;
            }
            FileChannels.forceDirectory(path.getParent());
        } catch (IOException e) {
            String detail = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new IOException("cannot delete " + path + ": " + detail, e);
        } finally {
            FileChannels.restore(interrupted);
        }
        close();
    }

    /** As if a thread had been interrupted in each channel. */
    void closeChannelsForTest() throws IOException {
        channels.closeForTest();
    }

    static void checkTransfer(long page, ByteBuffer bytes, int pageBytes, Object store) {
        if (page < 0) {
            throw new IllegalArgumentException("there is no page " + page + " of " + store);
        }
        if (bytes.remaining() != pageBytes) {
            throw new IllegalArgumentException(
                    bytes.remaining() + " bytes remain in the buffer, but a page of " + store + " has " + pageBytes);
        }
    }

    static void checkPages(long pages, Object store) {
        if (pages < 0) {
            throw new IllegalArgumentException("cannot truncate " + store + " to " + pages + " pages");
        }
    }
}
