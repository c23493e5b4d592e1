// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.io.EncryptedPageStore;
import io.clockhand.io.EncryptionKeys;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.page.FileStats;
import io.clockhand.page.PagedFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexFileNames;
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
 * <p>A file stays in the pool from the first {@link #openInput} until it is deleted, or this is closed; each takes one
 * file descriptor. Reads pin nothing between two calls, so clones and slices need no close, and threads may pass inputs
 * on. A file may be deleted while it is read.
 *
 * <p>Thread-safe.
 */
public final class ClockhandDirectory extends FSDirectory {
    private static final FileOption[] READ = {FileOption.READ_ONLY, FileOption.NO_LOCK, FileOption.ANY_LENGTH};
    private static final FileOption[] CREATE = {FileOption.CREATE_NEW, FileOption.NO_LOCK, FileOption.ANY_LENGTH};

    private final DirectoryPool pool;
    /** Null if nothing is encrypted. */
    private final EncryptionKeys keys;

    private final AtomicLong temporary = new AtomicLong();
    /** By name. Guards itself and the users of the files. */
    private final Map<String, OpenFile> files = new HashMap<>();

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
    }

    /**
     * Opens a directory whose files are encrypted: their pages, as an {@link EncryptedPageStore} says, not their names.
     * All files of the directory have been written so, with pages of the same size. The lengths that this and its
     * inputs tell are those of the data.
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
    }

    /**
     * {@return figures of the files that are open in the pool, by kind: {@code vec}, {@code doc} and so on, the ending
     * of the name; {@code segments} for the lists of segments} Scans all pages of the pool. Files that were deleted are
     * not among them.
     */
    public SortedMap<String, KindStats> stats() {
        Map<PagedFile, FileStats> figures = pool.pool().fileStats();
        SortedMap<String, KindStats> kinds = new TreeMap<>();
        synchronized (files) {
            files.forEach((name, file) -> {
                FileStats ofFile = figures.get(file.pages);
                if (ofFile != null) { // null if it was opened since
                    kinds.merge(kind(name), KindStats.NONE.plus(ofFile, pool.pageBytes()), KindStats::plus);
                }
            });
        }
        return kinds;
    }

    private static String kind(String name) {
        String ending = IndexFileNames.getExtension(name);
        return ending != null ? ending : name.startsWith(IndexFileNames.SEGMENTS) ? IndexFileNames.SEGMENTS : name;
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
        OpenFile former = null;
        OpenFile file;
        synchronized (files) {
            BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
            file = files.get(name);
            if (file != null && !file.isSame(found)) {
                // another program has replaced it, or it was opened while it was being written
                former = file.leave() ? file : null;
                file = null;
            }
            if (file == null) {
                file = open(path, found);
                files.put(name, file);
            }
            file.use();
        }
        if (former != null) {
            former.close();
        }
        return new PageInput("Clockhand(path=\"" + path + "\")", new InputSource(this, file), context);
    }

    private OpenFile open(Path path, BasicFileAttributes found) throws IOException {
        PageStore store = openStore(path);
        PagedFile pages = null;
        try {
            pages = pool.pool().open(store);
        } finally {
            if (pages == null) {
                store.close();
            }
        }
        return new OpenFile(pool.pool(), pages, found);
    }

    private PageStore openStore(Path path) throws IOException {
        return decorate(openPlain(path, READ), plain -> EncryptedPageStore.open(plain, keys));
    }

    private PageStore openPlain(Path path, FileOption... options) throws IOException {
        Set<FileOption> all = EnumSet.copyOf(List.of(options));
        if (pool.usesDirectIo()) {
            all.add(FileOption.DIRECT);
        }
        return FilePageStore.open(path, pool.pageBytes(), 1, all.toArray(FileOption[]::new));
    }

    /** Puts another store in front of one. */
    private interface Decoration {
        PageStore of(PageStore plain) throws IOException;
    }

    private PageStore decorate(PageStore plain, Decoration encryption) throws IOException {
        if (keys == null) {
            return plain;
        }
        PageStore made = null;
        try {
            made = encryption.of(plain);
            return made;
        } finally {
            if (made == null) {
                plain.close();
            }
        }
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
        if (keys == null) {
            return super.createOutput(name, context);
        }
        ensureOpen();
        deletePendingFiles();
        Path path = directory.resolve(name);
        PageStore store;
        synchronized (files) { // so that nobody opens it before it has a header
            store = decorate(openPlain(path, CREATE), plain -> EncryptedPageStore.create(plain, keys));
        }
        return new PageOutput(
                "Clockhand(path=\"" + path + "\")", name, store, PageLayout.of(pool.pageBytes(), store.ownBytes()));
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) throws IOException {
        if (keys == null) {
            return super.createTempOutput(prefix, suffix, context);
        }
        while (true) {
            try {
                return createOutput(getTempFileName(prefix, suffix, temporary.getAndIncrement()), context);
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
        synchronized (files) {
            OpenFile file = files.get(name);
            if (file != null && file.isSame(Files.readAttributes(path, BasicFileAttributes.class))) {
                return file.length;
            }
            try (PageStore store = openStore(path)) {
                return PageLayout.of(pool.pageBytes(), store.ownBytes()).length(store.bytes());
            }
        }
    }

    /** The last reader of a file that was deleted closes it. */
    void release(OpenFile file) throws IOException {
        boolean leaves;
        synchronized (files) {
            leaves = file.release();
        }
        if (leaves) {
            file.close();
        }
    }

    /** The file leaves the pool as soon as nobody reads it. */
    private void remove(String name) throws IOException {
        boolean leaves;
        OpenFile file;
        synchronized (files) {
            file = files.remove(name);
            leaves = file != null && file.leave();
        }
        if (leaves) {
            file.close();
        }
    }

    @Override
    public void deleteFile(String name) throws IOException {
        super.deleteFile(name);
        remove(name);
    }

    @Override
    public void rename(String source, String dest) throws IOException {
        super.rename(source, dest);
        remove(source);
        remove(dest);
    }

    @Override
    public synchronized void close() throws IOException {
        List<OpenFile> leaving = new ArrayList<>();
        synchronized (files) {
            isOpen = false;
            for (OpenFile file : files.values()) {
                if (file.leave()) {
                    leaving.add(file);
                }
            }
            files.clear();
        }
        IOException failure = null;
        for (OpenFile file : leaving) {
            try {
                file.close();
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        try {
            super.close();
        } catch (IOException e) {
            if (failure != null) {
                e.addSuppressed(failure);
            }
            throw e;
        }
        if (failure != null) {
            throw failure;
        }
    }
}
