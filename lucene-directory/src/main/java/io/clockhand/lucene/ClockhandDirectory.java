// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.ClockhandException;
import io.clockhand.io.EncryptedPageStore;
import io.clockhand.io.EncryptionKeys;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.page.FileStats;
import io.clockhand.page.PagedFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.LockFactory;

/**
 * A directory of files that are read through a {@link DirectoryPool}, and written straight to the file system. The
 * files are those of any other directory of Lucene's: nothing is added to them, or lies beside them.
 *
 * <p>A file stays in the pool from the first {@link #openInput} until it is deleted or this is closed, and takes one
 * file descriptor meanwhile. If another program or directory deletes it, this notices when the last input of the file
 * is closed, or with the next {@link #listAll}. Reads pin nothing between two calls, so clones and slices need no
 * close, and threads may pass inputs on. A file may be deleted while it is read. Reads after a close of the pool fail
 * with an {@code AlreadyClosedException}.
 *
 * <p>Thread-safe. Files of different names are opened and created concurrently; a file that several threads open at the
 * same time is opened once.
 */
public final class ClockhandDirectory extends FSDirectory {
    private static final FileOption[] READ = {FileOption.READ_ONLY, FileOption.NO_LOCK, FileOption.ANY_LENGTH};
    private static final FileOption[] CREATE = {FileOption.CREATE_NEW, FileOption.NO_LOCK, FileOption.ANY_LENGTH};

    private final DirectoryPool pool;
    /** Null if nothing is encrypted. */
    private final EncryptionKeys keys;

    private final AtomicLong temporary = new AtomicLong();
    private final OpenFiles files = new OpenFiles();

    /**
     * Opens a directory with Lucene's default locks.
     *
     * @param path the folder; created if there is none
     * @param pool has the memory; stays open longer than this
     * @throws IOException if the folder cannot be created
     */
    public ClockhandDirectory(Path path, DirectoryPool pool) throws IOException {
        this(path, FSLockFactory.getDefault(), pool);
    }

    /**
     * Opens a directory.
     *
     * @param path the folder; created if there is none
     * @param locks makes the locks of index writers
     * @param pool has the memory; stays open longer than this
     * @throws IOException if the folder cannot be created
     */
    public ClockhandDirectory(Path path, LockFactory locks, DirectoryPool pool) throws IOException {
        super(path, locks);
        this.pool = Objects.requireNonNull(pool, "pool");
        this.keys = null;
        pool.add(this);
    }

    /**
     * Opens a directory whose files are encrypted: their pages, as an {@link EncryptedPageStore} says, not their names.
     * All files of the folder must have been written by such a directory, with pages of the same size. Lengths and
     * positions are those of the data. A thread that waits for a key delays only threads that want the same file. A
     * copy by hard links (Lucene's {@code HardlinkCopyDirectoryWrapper}) copies what is encrypted, so do not make one
     * between a directory that is encrypted and one that is not.
     *
     * <p>A file is not bound to its name, since Lucene renames files when it commits. Somebody who can write to the
     * folder can therefore exchange files that have the same master key, bring earlier versions of files back, and
     * delete files. The header of each file of an index, which is authenticated, has the id of its segment and the kind
     * of file, and that of {@code segments_N} its number, so Lucene refuses files of other segments or kinds when it
     * opens them. It cannot tell if the whole index is an earlier one, or if the newest commit was deleted.
     *
     * @param path the folder; created if there is none
     * @param locks makes the locks of index writers
     * @param pool has the memory, in which pages are not encrypted; stays open longer than this
     * @param keys the newest is that of files that are written
     * @throws IOException if the folder cannot be created
     */
    public ClockhandDirectory(Path path, LockFactory locks, DirectoryPool pool, EncryptionKeys keys)
            throws IOException {
        super(path, locks);
        this.pool = Objects.requireNonNull(pool, "pool");
        this.keys = Objects.requireNonNull(keys, "keys");
        pool.add(this);
    }

    /**
     * {@return figures of the files that are open in the pool, by kind: {@code vec}, {@code doc} and so on, the ending
     * of the name; {@code segments} for the lists of segments} Scans all pages of the pool. Files that were deleted are
     * not among them.
     */
    public SortedMap<String, KindStats> stats() {
        return stats(pool.pool().fileStats());
    }

    /** {@return the same, from figures of all files of the pool} */
    SortedMap<String, KindStats> stats(Map<PagedFile, FileStats> figures) {
        SortedMap<String, KindStats> kinds = new TreeMap<>();
        files.forEach((name, file) -> {
            FileStats ofFile = figures.get(file.pages);
            if (ofFile != null) { // null if it was opened since
                kinds.merge(kind(name), KindStats.NONE.plus(ofFile, pool.pageBytes()), KindStats::plus);
            }
        });
        return kinds;
    }

    private static String kind(String name) {
        String ending = IndexFileNames.getExtension(name);
        return ending != null ? ending : name.startsWith(IndexFileNames.SEGMENTS) ? IndexFileNames.SEGMENTS : name;
    }

    /** {@return the folder, also of a directory that is closed} */
    Path path() {
        return directory;
    }

    /** {@return the pool that has its pages} */
    public DirectoryPool pool() {
        return pool;
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
        ensureOpen();
        ensureCanRead(name);
        Path path = directory.resolve(name);
        OpenFile file = files.use(name, path, this::open);
        IndexInput input = null;
        try {
            if (!file.pages.isOpen()) {
                throw poolIsClosed(path, null);
            }
            input = new PageInput("Clockhand(path=\"" + path + "\")", new InputSource(files, file), context);
            return input;
        } finally {
            if (input == null) {
                files.release(file);
            }
        }
    }

    private OpenFile open(Path path, BasicFileAttributes found) throws IOException {
        PageStore store = openStore(path);
        PagedFile pages = null;
        try {
            pages = pool.pool().open(store);
        } catch (IllegalStateException | ClockhandException e) {
            if (pool.pool().isClosed()) {
                throw poolIsClosed(path, e);
            }
            throw new IOException("cannot open " + path + ": " + e.getMessage(), e);
        } finally {
            if (pages == null) {
                store.close();
            }
        }
        return new OpenFile(path, pool, pages, found);
    }

    private static AlreadyClosedException poolIsClosed(Path path, RuntimeException cause) {
        return new AlreadyClosedException("cannot open " + path + ": the pool of its directory is closed", cause);
    }

    private PageStore openStore(Path path) throws IOException {
        PageStore plain = openPlain(path, READ);
        if (keys == null) {
            return plain;
        }
        try {
            return EncryptedPageStore.open(plain, keys);
        } catch (IOException | RuntimeException | Error e) {
            undo(plain, e);
            throw e;
        }
    }

    /** Takes a step back after a failure, which stays the one that is thrown. */
    private static void undo(Closeable step, Throwable failure) {
        try {
            step.close();
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private PageStore openPlain(Path path, FileOption... options) throws IOException {
        Set<FileOption> all = EnumSet.copyOf(List.of(options));
        if (pool.usesDirectIo()) {
            all.add(FileOption.DIRECT);
        }
        return FilePageStore.open(path, pool.pageBytes(), 1, all.toArray(FileOption[]::new));
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
        if (keys == null) {
            IndexOutput output = super.createOutput(name, context);
            files.forget(name); // on a file system without keys the former one could be taken for this one
            return output;
        }
        ensureOpen();
        deletePendingFiles();
        Path path = directory.resolve(name);
        return files.alone(name, () -> createEncrypted(name, path)); // nobody opens it before it has a header
    }

    private IndexOutput createEncrypted(String name, Path path) throws IOException {
        PageStore plain = openPlain(path, CREATE);
        try {
            Object key = fileKey(path);
            PageStore store = EncryptedPageStore.create(plain, keys);
            return new PageOutput(
                    "Clockhand(path=\"" + path + "\")",
                    name,
                    store,
                    PageLayout.of(pool.pageBytes(), store.ownBytes()),
                    () -> Objects.equals(key, fileKey(path)),
                    () -> files.forget(name));
        } catch (IOException | RuntimeException | Error e) {
            undo(plain::delete, e); // Lucene does not know its name
            throw e;
        }
    }

    private static Object fileKey(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) throws IOException {
        if (keys == null) {
            IndexOutput output = super.createTempOutput(prefix, suffix, context);
            files.forget(output.getName());
            return output;
        }
        ensureOpen();
        Set<String> pending = getPendingDeletions();
        while (true) {
            String name = getTempFileName(prefix, suffix, temporary.getAndIncrement());
            if (pending.contains(name)) {
                continue; // the system may refuse the name with any exception
            }
            try {
                return createOutput(name, context);
            } catch (FileAlreadyExistsException e) {
                // another number
            }
        }
    }

    @Override
    public long fileLength(String name) throws IOException {
        if (keys == null) {
            return super.fileLength(name);
        }
        ensureOpen();
        ensureCanRead(name);
        Path path = directory.resolve(name);
        OpenFile file = files.find(name);
        if (file != null) {
            return file.length;
        }
        return files.alone(name, () -> lengthOf(path));
    }

    private long lengthOf(Path path) throws IOException {
        if (Files.size(path) == 0) { // the lock of a writer, which listAll has; or a file without a header yet
            return 0;
        }
        try (PageStore store = openStore(path)) {
            return PageLayout.of(pool.pageBytes(), store.ownBytes()).length(store.lengthBytes());
        }
    }

    @Override
    public String[] listAll() throws IOException {
        String[] names = super.listAll();
        files.keepOnly(new HashSet<>(Arrays.asList(names))); // a file system may name a file twice
        return names;
    }

    @Override
    public void deleteFile(String name) throws IOException {
        super.deleteFile(name);
        files.forget(name);
    }

    @Override
    public void rename(String source, String dest) throws IOException {
        super.rename(source, dest);
        files.forget(source);
        files.forget(dest);
    }

    /**
     * Closes the directory. Inputs that are open can be used still.
     *
     * @throws DirectoryBusyException if a file could not be closed since another thread reads it; this can be called
     *     again
     */
    @Override
    public synchronized void close() throws IOException {
        isOpen = false;
        pool.remove(this);
        try {
            files.close();
        } finally {
            super.close();
        }
    }
}
