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
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

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
 * <p><b>One owner.</b> A file belongs to one store, whatever its names: hard links, symbolic links and renamed files
 * are the same file. Within a JVM a table of the open files sees to that, also between class loaders. Other processes
 * are excluded by a lock on the file, on its last possible byte; a read-only store shares it with those of other
 * processes. Nothing is created for it, so nothing is left behind. {@link FileOption#NO_LOCK} leaves it out.
 *
 * <p><em>The lock breaks</em> on Linux and macOS if a part of the same JVM that opens the file by itself, to copy it
 * for a backup perhaps: the lock goes when it closes the file. So a backup reads the pages through the store, or runs
 * in a process of its own. File systems without locks, as some in networks, refuse them.
 *
 * <p><b>Names.</b> A file may be renamed while it is open, and so may its folder. If it is deleted, or another file
 * takes its name, {@link #force} and {@link #close} throw, since nobody can find the written pages any more.
 *
 * <p><b>Descriptors.</b> One for each channel that is in use, one more for a channel that an interrupt has closed, and
 * one for {@link #extend}; at least one.
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
    /** The last bytes that a file can have are not those of a page: one of them is locked. */
    private static final long GREATEST_BYTES = Long.MAX_VALUE - (1 << 17);
    /** Of an operation on the whole file. */
    private static final long NO_PAGE = -1;

    private final Path path;
    private final int pageBytes;
    private final boolean readOnly;
    private final boolean anyLength;
    /**
     * The length when the file was opened, or a smaller one to which this store has cut it since: lowered, by threads
     * that do so, before they do. So it is never too great, and a shorter file was cut by another program.
     */
    private final AtomicLong leastLength = new AtomicLong();

    private final boolean direct;
    private final boolean isNew;
    private final FileChannels channels;
    private final PageTransfer transfer;
    private final DirectExtension extension;
    private final AtomicBoolean owned = new AtomicBoolean();
    /** By this store: written and read by the one thread at a time that deletes it. */
    private volatile boolean deleted;
    /** Where the file was; likewise. */
    private Path folder;

    /** Whether anything was. Set by the threads that write, never cleared. */
    private volatile boolean written;

    private FilePageStore(FileOpening.Opened opened, int pageBytes, Set<FileOption> options) {
        this.channels = opened.channels();
        this.path = channels.path();
        this.pageBytes = pageBytes;
        this.readOnly = options.contains(FileOption.READ_ONLY);
        this.anyLength = options.contains(FileOption.ANY_LENGTH);
        this.leastLength.set(opened.length());
        this.direct = options.contains(FileOption.DIRECT);
        this.isNew = opened.created();
        this.transfer = new PageTransfer(pageBytes, opened.blockBytes(), anyLength ? leastLength::get : null);
        this.extension =
                new DirectExtension(pageBytes, channels, opened.blockBytes() == 1); // otherwise each write is direct
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
     * @throws IllegalArgumentException if the page size is not valid, or a file that is read-only is to be created or
     *     shortened
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
        if (chosen.contains(FileOption.CUT_INCOMPLETE_PAGE) && chosen.contains(FileOption.READ_ONLY)) {
            throw new IllegalArgumentException(
                    "cannot open " + file + ": a file that is opened with READ_ONLY cannot be"
                            + " shortened; choose READ_ONLY or CUT_INCOMPLETE_PAGE");
        }
        boolean interrupted = Thread.interrupted();
        try {
            FileOpening.Opened opened = FileOpening.open(file, pageBytes, chosen, channels);
            FilePageStore store = new FilePageStore(opened, pageBytes, chosen);
            if (!store.anyLength && opened.length() % pageBytes != 0) {
                store.endWithAPage(opened.length(), chosen.contains(FileOption.CUT_INCOMPLETE_PAGE));
            }
            return store;
        } finally {
            FileChannels.restore(interrupted);
        }
    }

    /** Cuts an incomplete page off, by the length that the file has now: without a lock it may have become longer. */
    private void endWithAPage(long length, boolean cuts) throws IOException {
        boolean cut = false;
        try {
            if (!cuts) {
                throw new IOException(path + " has " + length + " bytes, which is not a multiple of the page size of "
                        + pageBytes
                        + ": either its pages have another size, or a crash has left its last page incomplete; in"
                        + " that case open it with FileOption.CUT_INCOMPLETE_PAGE, which shortens it to "
                        + (length - length % pageBytes)
                        + " bytes; a file whose last page may be incomplete is opened with FileOption.ANY_LENGTH");
            }
            channels.apply(channel -> {
                long now = channel.size();
                return channel.truncate(now - now % pageBytes).size();
            });
            cut = true;
        } finally {
            if (!cut) {
                channels.close();
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
    public boolean isNew() {
        return isNew;
    }

    @Override
    public long pages() throws IOException {
        return (lengthBytes() + pageBytes - 1) / pageBytes;
    }

    @Override
    public boolean hasAnyLength() {
        return anyLength;
    }

    @Override
    public long lengthBytes() throws IOException {
        return apply(NO_PAGE, "measure", FileChannel::size);
    }

    /** A file that becomes longer gets its last page written as a whole first, past the system's cache or not. */
    @Override
    public void setLengthBytes(long bytes) throws IOException {
        if (!anyLength) {
            PageStore.super.setLengthBytes(bytes);
        }
        if (readOnly) {
            throw new IOException("cannot set the length of " + path + ": it is open read-only");
        }
        long length = lengthBytes();
        long pages = (length + pageBytes - 1) / pageBytes;
        if (bytes < 0 || (bytes + pageBytes - 1) / pageBytes != pages) {
            throw new IllegalArgumentException("cannot set the length of " + path + " to " + bytes + " bytes: it has "
                    + length + ", on " + pages + " pages");
        }
        if (bytes > length) {
            ByteBuffer last = ByteBuffer.allocate(pageBytes);
            read(pages - 1, last);
            write(pages - 1, last.flip());
        }
        noteWrite(NO_PAGE, "set the length of");
        leastLength.set(Math.min(length, bytes));
        truncateTo(bytes, "set the length of");
    }

    private void truncateTo(long bytes, String what) throws IOException {
        apply(NO_PAGE, what, channel -> {
            synchronized (channel) { // it may move the position
                channel.truncate(bytes);
            }
            return 0;
        });
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

    /** {@return true} */
    @Override
    public boolean readsRuns() {
        return true;
    }

    /** {@return whether the operating system's cache is used} */
    @Override
    public boolean systemReadsAhead() {
        return !direct;
    }

    /**
     * By one call of the operating system, straight into the targets; with several targets and direct I/O by one call
     * for each, or by one call and a copy if the targets are small. With several targets and without direct I/O, one
     * thread at a time in each channel.
     */
    @Override
    public void readRun(long first, ByteBuffer[] targets, int count) throws IOException {
        int pages = PageBatch.checkTargets(first, targets, count, pageBytes, path);
        for (int i = 0; i < count; i++) {
            targets[i].mark();
        }
        String what = pages == 1 ? "read" : "read the run that begins with";
        apply(first, what, channel -> transfer.readRun(channel, first * pageBytes, targets, count));
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        checkTransfer(page, source, pageBytes, path);
        int start = source.position();
        noteWrite(page, "write");
        apply(page, "write", channel -> transfer.write(channel, page * pageBytes, source, start));
    }

    /** In one call of the operating system, unless direct I/O needs a copy of the pages: then each by itself. */
    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        checkRun(first, source, pageBytes, path);
        int start = source.position();
        String what = source.remaining() == pageBytes ? "write" : "write the run that begins with";
        noteWrite(first, what);
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
        if (readOnly && pages > pages()) {
            noteWrite(NO_PAGE, "extend"); // throws, before anything is to be taken back
        }
        StoreExtension.extend(this, pages, StoreExtension.zeros(), (first, zeros) -> {
            noteWrite(first, "write");
            if (!extension.tryWrite(first, zeros)) {
                writeRun(first, zeros);
            }
        });
    }

    @Override
    public void force() throws IOException {
        try {
            channels.force();
        } catch (IOException e) {
            throw failure(NO_PAGE, "force", e);
        }
        checkNamed("force");
    }

    private void noteWrite(long page, String what) throws IOException {
        if (readOnly) { // the channel would throw an exception without a message
            throw failure(page, what, new IOException("it is open read-only"));
        }
        if (!written) { // a shared word, written once
            written = true;
        }
    }

    /** Throws if the file was written to, and has been deleted or replaced since it was opened. */
    private void checkNamed(String what) throws IOException {
        if (written && !deleted) {
            try {
                channels.checkNamed();
            } catch (IOException e) {
                throw failure(NO_PAGE, what, e);
            }
        }
    }

    @Override
    public void truncate(long pages) throws IOException {
        checkPages(pages, pageBytes, path);
        noteWrite(NO_PAGE, "truncate");
        leastLength.accumulateAndGet(pages * pageBytes, Math::min);
        truncateTo(pages * pageBytes, "truncate");
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

    /**
     * Closes the store, and releases the lock of the file.
     *
     * @throws IOException if that failed; or if the file was written to, and was deleted or replaced while it was open:
     *     the store is closed nevertheless
     */
    @Override
    public void close() throws IOException {
        extension.end();
        IOException failure = channels.isClosed() ? null : failureOf(() -> checkNamed("close"));
        IOException failed = channels.close();
        if (failure != null) {
            throw failure;
        }
        if (failed != null) {
            throw failure(NO_PAGE, "close", failed);
        }
    }

    private interface Check {
        void run() throws IOException;
    }

    private static IOException failureOf(Check check) {
        try {
            check.run();
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    /**
     * Deletes the file, forces its directory, and closes the store. If the file cannot be deleted, or is not there
     * under its name, the store stays open.
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
                Path real = path.toRealPath(); // not a link to it
                folder = real.getParent();
                Files.delete(real);
                deleted = true;
            }
            FileChannels.forceDirectory(folder);
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
        checkPosition(page, 1, pageBytes, store);
        if (bytes.remaining() != pageBytes) {
            throw new IllegalArgumentException(
                    bytes.remaining() + " bytes remain in the buffer, but a page of " + store + " has " + pageBytes);
        }
    }

    static void checkRun(long first, ByteBuffer bytes, int pageBytes, Object store) {
        checkPosition(first, bytes.remaining() / pageBytes, pageBytes, store);
        if (!bytes.hasRemaining() || bytes.remaining() % pageBytes != 0) {
            throw new IllegalArgumentException(bytes.remaining() + " bytes remain in the buffer; a run of pages of "
                    + store + " has a multiple of " + pageBytes);
        }
    }

    /** Throws if one of some adjacent pages has a number that is negative, or past the last of any file. */
    static void checkPosition(long first, long count, int pageBytes, Object store) {
        if (first < 0 || first > mostPages(pageBytes) - count) {
            throw new IllegalArgumentException("there is no page " + (first < 0 ? first : first + count - 1) + " of "
                    + store + ": the number of a page lies between 0 and " + (mostPages(pageBytes) - 1));
        }
    }

    static long mostPages(int pageBytes) {
        return GREATEST_BYTES / pageBytes;
    }

    static void checkPages(long pages, int pageBytes, Object store) {
        if (pages < 0 || pages > mostPages(pageBytes)) {
            throw new IllegalArgumentException("cannot truncate " + store + " to " + pages + " pages");
        }
    }
}
