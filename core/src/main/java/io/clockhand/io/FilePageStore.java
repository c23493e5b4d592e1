// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Pages in a file, read and written at their positions.
 *
 * <p><b>Interrupts.</b> A few channels of the file, opened on demand, outlive interrupts: see {@link FileChannels}.
 *
 * <p><b>Direct I/O.</b> With {@link FileOption#DIRECT} pages bypass the operating system's cache: it holds no second
 * copy of a page, and the transfer makes none. That pays where the pool has the memory that this cache would have; an
 * evicted page is read from the device again. The page size must be a multiple of the block size of the file system
 * (4,096 bytes on most). Buffers whose address is a multiple of it are read and written in place, and those of a pool
 * are; any other costs a copy, through a buffer of the store. Direct I/O does not replace {@link #force}: the device
 * may have a cache of its own, and the file's length and place on it are written later. Other programs that use the
 * file through the operating system's cache see what is written, and the other way round, but both become slow.
 *
 * <p><b>Locks.</b> A lock on the file {@code NAME.lock} in the same folder excludes other stores and other processes.
 * It stays when the store is closed, and goes when the file is deleted (but not on Windows). It does not lie on the
 * file itself, since closing any descriptor of a file drops the locks that the process has on it. A read-only store
 * shares the lock with read-only stores of other processes. In a folder without write permission, where no lock file
 * can be created, it has none.
 *
 * <p>Thread-safe.
 */
public final class FilePageStore implements PageStore {
    /**
     * The bytes of direct memory that {@link #extend} needs: allocated by the first extension, once for all files.
     */
    public static final int EXTENSION_BYTES = StoreExtension.DIRECT_BYTES;

    /** The number of channels if none is given. */
    public static final int DEFAULT_CHANNELS = 4;

    private static final int LEAST_PAGE_BYTES = 512;
    private static final int GREATEST_PAGE_BYTES = 1 << 16;
    private static final int GREATEST_CHANNELS = 64;
    /** Of an operation on the whole file. */
    private static final long NO_PAGE = -1;

    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ);
    private static final Set<OpenOption> READ_WRITE = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

    private final Path path;
    private final int pageBytes;
    private final boolean readOnly;
    /** Null if the file is read-only, and no lock file can be opened. */
    private final FileChannel lockChannel;

    private final FileChannels channels;
    private final PageTransfer transfer;
    private final DirectExtension extension;
    private final AtomicBoolean owned = new AtomicBoolean();
    /** By this store: written and read by the one thread at a time that deletes it. */
    private volatile boolean deleted;

    private FilePageStore(
            Path path,
            int pageBytes,
            boolean readOnly,
            FileChannels channels,
            int blockBytes,
            FileChannel lockChannel) {
        this.path = path;
        this.pageBytes = pageBytes;
        this.readOnly = readOnly;
        this.lockChannel = lockChannel;
        this.channels = channels;
        this.transfer = new PageTransfer(pageBytes, blockBytes);
        this.extension =
                new DirectExtension(path, pageBytes, channels, blockBytes == 1); // otherwise each write is direct
    }

    /**
     * Opens a file with {@link #DEFAULT_CHANNELS}.
     *
     * @param file the file
     * @param pageBytes the size of a page: a power of two from 512 to 65,536; with {@link FileOption#DIRECT} also a
     *     multiple of the block size of the file system
     * @param options how it is opened; if none is given it must exist, and is read and written
     * @return the store
     * @throws NoSuchFileException if it does not exist, and is not to be created
     * @throws FileAlreadyExistsException if it exists, and must be new
     * @throws IOException if it cannot be opened, is in use by another store or process, or its length is not a
     *     multiple of the page size; with {@link FileOption#DIRECT} also if pages do not consist of whole blocks, the
     *     file system has no direct I/O, or the JVM has no module {@code jdk.unsupported}, which has the JDK's option
     *     for it
     * @throws IllegalArgumentException if the page size is not valid, or a file that is read-only is to be created
     */
    public static FilePageStore open(Path file, int pageBytes, FileOption... options) throws IOException {
        return open(file, pageBytes, DEFAULT_CHANNELS, options);
    }

    /**
     * Opens a file.
     *
     * @param file the file
     * @param pageBytes the size of a page; see {@link #open(Path, int, FileOption...)}
     * @param channels the greatest number of channels, 1 to 64; each is opened when a thread first uses it; {@link
     *     #extend} takes one more
     * @param options how it is opened
     * @return the store
     * @throws IOException as {@link #open(Path, int, FileOption...)}
     */
    public static FilePageStore open(Path file, int pageBytes, int channels, FileOption... options) throws IOException {
        checkPageBytes(pageBytes);
        if (channels < 1 || channels > GREATEST_CHANNELS) {
            throw new IllegalArgumentException(
                    "channels is " + channels + "; it must lie between 1 and " + GREATEST_CHANNELS);
        }
        Set<FileOption> chosen = EnumSet.noneOf(FileOption.class);
        chosen.addAll(List.of(options));
        boolean create = chosen.contains(FileOption.CREATE) || chosen.contains(FileOption.CREATE_NEW);
        if (create && chosen.contains(FileOption.READ_ONLY)) {
            throw new IllegalArgumentException("cannot open " + file
                    + ": a file that is opened with READ_ONLY cannot be" + " created; choose READ_ONLY or CREATE");
        }
        boolean interrupted = Thread.interrupted();
        try {
            boolean created = create && create(file, chosen.contains(FileOption.CREATE_NEW));
            return openExisting(file, pageBytes, channels, chosen, created);
        } finally {
            FileChannels.restore(interrupted);
        }
    }

    /** {@return whether the file was created; false if it exists} */
    private static boolean create(Path file, boolean mustBeNew) throws IOException {
        try {
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
                    .close();
        } catch (FileAlreadyExistsException e) {
            if (!mustBeNew) {
                return false;
            }
            FileAlreadyExistsException named = new FileAlreadyExistsException(
                    file.toString(), null, "the file exists; open it without FileOption.CREATE_NEW, or choose another");
            named.initCause(e);
            throw named;
        }
        FileChannels.forceDirectory(file.toRealPath().getParent());
        return true;
    }

    private static FilePageStore openExisting(
            Path file, int pageBytes, int channels, Set<FileOption> chosen, boolean created) throws IOException {
        Path real = realPath(file);
        boolean readOnly = chosen.contains(FileOption.READ_ONLY);
        boolean direct = chosen.contains(FileOption.DIRECT);
        FileChannel lockChannel = readOnly ? LockFile.lockToRead(real) : LockFile.lock(real);
        FileChannels all = null;
        boolean opened = false;
        try {
            int blockBytes = direct ? DirectIo.blockBytes(real, pageBytes) : 1;
            Set<OpenOption> modes = readOnly ? READ : READ_WRITE;
            all = direct ? openDirectly(real, modes, channels) : FileChannels.open(real, modes, channels);
            FilePageStore store = new FilePageStore(real, pageBytes, readOnly, all, blockBytes, lockChannel);
            store.checkLength();
            opened = true;
            return store;
        } finally {
            if (!opened) {
                undoOpen(real, created, all, lockChannel);
            }
        }
    }

    /** Deletes a file that was created, and releases the lock whatever fails: the caller throws why the open failed. */
    private static void undoOpen(Path real, boolean created, FileChannels opened, FileChannel lockChannel) {
        try {
            if (created && Files.size(real) == 0) { // the lock keeps others from writing to it
                Files.delete(real);
                if (lockChannel != null) {
                    LockFile.delete(real);
                }
            }
        } catch (IOException e) {
            // the file has vanished, or stays as an empty one
        } finally {
            IOException ignored = opened == null ? null : opened.close(null);
            FileChannels.close(lockChannel, ignored); // last, since others may open the file then
        }
    }

    private static Path realPath(Path file) throws IOException {
        try {
            return file.toRealPath();
        } catch (NoSuchFileException e) {
            NoSuchFileException named = new NoSuchFileException(
                    file.toString(), null, "there is no such file; open it with FileOption.CREATE to create it");
            named.initCause(e);
            throw named;
        }
    }

    private static FileChannels openDirectly(Path file, Set<OpenOption> modes, int count) throws IOException {
        Set<OpenOption> options = new HashSet<>(modes);
        options.add(DirectIo.option());
        try {
            return FileChannels.open(file, options, count);
        } catch (UnsupportedOperationException | IOException e) {
            FileChannels.open(file, modes, count).close(null); // fails if the cause is another one
            throw DirectIo.refused(file, e);
        }
    }

    private void checkLength() throws IOException {
        long length = length();
        if (length % pageBytes != 0) {
            throw new IOException(path + " has " + length + " bytes, which is not a multiple of the page size of "
                    + pageBytes
                    + ": either its pages have another size, or a crash has left its last page incomplete; in"
                    + " that case shorten it to " + (length - length % pageBytes) + " bytes");
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

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public int pageBytes() {
        return pageBytes;
    }

    @Override
    public boolean isReadOnly() {
        return readOnly;
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
        FileChannel own = channels.tryGet();
        if (own != null) {
            try {
                transfer.read(own, page * pageBytes, target, start);
                return;
            } catch (ClosedChannelException e) {
                // by an interrupt; so it is opened again
            } catch (IOException e) {
                throw failure(page, "read", e);
            }
        }
        apply(page, "read", channel -> transfer.read(channel, page * pageBytes, target, start));
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        checkTransfer(page, source, pageBytes, path);
        int start = source.position();
        apply(page, "write", channel -> transfer.write(channel, page * pageBytes, source, start));
    }

    /** In one call of the operating system, unless direct I/O needs a copy of the pages: then each by itself. */
    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        checkRun(first, source, pageBytes, path);
        int start = source.position();
        String what = source.remaining() == pageBytes ? "write" : "write the run that begins with";
        apply(first, what, channel -> transfer.write(channel, first * pageBytes, source, start));
    }

    /**
     * Extends the file by zeros, in writes of up to a quarter of a megabyte, past the operating system's cache where
     * the file system has direct I/O for this page size. File systems that choose the place of bytes
     * when they are forced reserve the space when they are written, so they report a full disk here as well; a network
     * file system may report it by {@link #force} only.
     */
    @Override
    public void extend(long pages) throws IOException {
        StoreExtension.extend(this, pages, StoreExtension.zeros(), (first, zeros) -> {
            if (!extension.tryWrite(first, zeros)) {
                writeRun(first, zeros);
            }
        });
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
        } catch (IOException e) {
            throw failure(page, what, e);
        }
    }

    private IOException failure(long page, String what, IOException cause) {
        if (cause instanceof EOFException) {
            EOFException failure = new EOFException(message(page, what, cause));
            failure.initCause(cause);
            return failure;
        }
        return new IOException(message(page, what, cause), cause);
    }

    private String message(long page, String what, IOException e) {
        String detail = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return "cannot " + what + (page < 0 ? " " : " page " + page + " of ") + path + ": " + detail;
    }

    @Override
    public void close() throws IOException {
        IOException failure = channels.close(extension.close(null));
        failure = FileChannels.close(lockChannel, failure); // last, since others may open the file then
        if (failure != null) {
            throw new IOException("cannot close " + path + ": " + failure.getMessage(), failure);
        }
    }

    /**
     * Deletes the file and the lock file next to it, forces their directory, and closes the store. If the file cannot
     * be deleted, or is not there under its name, the store stays open.
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
                if (lockChannel != null) {
                    LockFile.delete(path);
                }
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

    static void checkRun(long first, ByteBuffer bytes, int pageBytes, Object store) {
        if (first < 0) {
            throw new IllegalArgumentException("there is no page " + first + " of " + store);
        }
        if (!bytes.hasRemaining() || bytes.remaining() % pageBytes != 0) {
            throw new IllegalArgumentException(bytes.remaining() + " bytes remain in the buffer; a run of pages of "
                    + store + " has a multiple of " + pageBytes);
        }
    }

    static void checkPages(long pages, Object store) {
        if (pages < 0) {
            throw new IllegalArgumentException("cannot truncate " + store + " to " + pages + " pages");
        }
    }
}
