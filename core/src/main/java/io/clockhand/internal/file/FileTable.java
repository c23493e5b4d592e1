// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.PageId;
import io.clockhand.internal.frame.DirectMemory;
import io.clockhand.internal.page.PageSource;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The files of a pool by number. The array grows by copying, under the lock, and is read with volatile order; numbers are never used again,
 * and a file that has left keeps its place, for messages.
 */
public final class FileTable implements PageSource {
    private final String pool;
    private final int pageBytes;
    private final long waitNanos;
    private final ByteBuffer zeros;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;
    private volatile PageFile[] files = new PageFile[0];

    public FileTable(String pool, int pageBytes, long waitNanos) {
        this.pool = pool;
        this.pageBytes = pageBytes;
        this.waitNanos = waitNanos;
        this.zeros = DirectMemory.allocate(pageBytes, pageBytes).asReadOnlyBuffer();
    }

    /** {@return how many bytes of direct memory the zeros take that new pages are written with} */
    public static long directBytes(int pageBytes) {
        return 2L * pageBytes - 1;
    }

    public int add(PageStore store) throws IOException {
        if (store.pageBytes() != pageBytes) {
            throw new IllegalArgumentException(store.name() + " has pages of " + store.pageBytes()
                    + " bytes, but those of this pool have " + pageBytes);
        }
        PageFile file = new PageFile(pool, store, waitNanos);
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the pool is closed");
            }
            PageFile[] old = files;
            if (old.length > PageId.GREATEST_FILE) {
                throw new IllegalStateException("a pool can have " + old.length + " files, and has them");
            }
            if (!store.tryOwn()) {
                throw new IllegalArgumentException(store.name() + " is in a pool already, this one or another");
            }
            PageFile[] grown = Arrays.copyOf(old, old.length + 1);
            grown[old.length] = file;
            files = grown;
            return old.length;
        } finally {
            lock.unlock();
        }
    }

    private PageFile file(int number) {
        PageFile[] all = files;
        if (number < 0 || number >= all.length) {
            throw new IllegalArgumentException("there is no file " + number + " in this pool; it has " + all.length);
        }
        return all[number];
    }

    public long pages(int number) {
        return file(number).pages();
    }

    /** {@return the pages of each file that is there, by its name, or by that and its number if another has it, too} */
    public Map<String, Long> pagesByName() {
        Map<String, Long> byName = new LinkedHashMap<>();
        PageFile[] all = files;
        for (int number = 0; number < all.length; number++) {
            PageFile file = all[number];
            if (!file.isRemoved()) {
                byName.put(
                        byName.containsKey(file.name()) ? file.name() + " (file " + number + ")" : file.name(),
                        file.pages());
            }
        }
        return byName;
    }

    /**
     * Writes a page of zeros behind the last one, and then says that it exists; the caller says {@link #arrived} when it is mapped. {@return
     * its id}
     */
    public long append(int number) throws IOException {
        return PageId.of(number, file(number).append(zeros.duplicate()));
    }

    public void arrived(int number) {
        file(number).arrived();
    }

    /**
     * Leaves the first pages of a file only.
     *
     * @param invalidate throws the other ones out of the pool, and waits for those who use them
     */
    public void truncate(int number, long keep, Invalidation invalidate) throws IOException {
        PageFile file = file(number);
        file.truncate(keep, () -> {
            invalidate.from(PageId.of(number, keep), PageId.of(number, PageId.GREATEST_PAGE));
            file.store().truncate(keep);
        });
    }

    /**
     * Takes a file out of the pool.
     *
     * @param invalidate throws its pages out, and waits for those who use them
     */
    public void remove(int number, Removal removal, Invalidation invalidate) throws IOException {
        PageFile file = file(number);
        file.remove(removal, () -> {
            invalidate.from(PageId.of(number, 0), PageId.of(number, PageId.GREATEST_PAGE));
            if (removal == Removal.DROP) {
                file.store().delete();
            } else {
                file.closeStore(false);
            }
        });
    }

    /** Throws pages out of the pool. */
    public interface Invalidation {
        /** All from the first id to the last. */
        void from(long first, long last);
    }

    @Override
    public void check(long id) {
        if (id < 0) {
            throw new IllegalArgumentException(id + " is not the id of a page, which is never negative");
        }
        file(PageId.file(id)).check(PageId.page(id));
    }

    @Override
    public void read(long id, ByteBuffer target) throws IOException {
        PageStore store = file(PageId.file(id)).store();
        store.read(PageId.page(id), target);
        if (target.hasRemaining()) {
            throw new IOException(describe(id) + " was read short: " + target.remaining() + " of " + pageBytes
                    + " bytes are missing");
        }
    }

    @Override
    public String file(long id) {
        PageFile[] all = files;
        int number = PageId.file(id);
        return id >= 0 && number < all.length ? all[number].name() : "file " + number;
    }

    @Override
    public long page(long id) {
        return PageId.page(id);
    }

    @Override
    public String describe(long id) {
        return "page " + page(id) + " of " + file(id);
    }

    /** Waits for creations and cuts, and lets none begin; if a wait takes too long, they may. */
    public void shut() {
        boolean all = false;
        try {
            for (PageFile file : files) {
                file.shut();
            }
            all = true;
        } finally {
            if (!all) {
                reopen();
            }
        }
    }

    /** The pool stays open after all. */
    public void reopen() {
        for (PageFile file : files) {
            file.reopen();
        }
    }

    /** Closes every store, even if one fails. */
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        IOException failure = null;
        for (PageFile file : files) {
            try {
                file.closeStore(true);
            } catch (IOException | RuntimeException e) {
                IOException named =
                        e instanceof IOException io ? io : new IOException("cannot close " + file.name(), e);
                if (failure == null) {
                    failure = named;
                } else {
                    failure.addSuppressed(named);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
