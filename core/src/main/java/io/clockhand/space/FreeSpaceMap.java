// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PagedFile;
import io.clockhand.page.SharedUpdatePage;
import io.clockhand.page.WritablePage;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A map of the data pages of an engine: which are allocated, and how full they are. It has one byte for each ({@link
 * PageSpace}), in the pages of a file of its own, each of which covers thousands of data pages (3,968, if it has 4,096
 * bytes). The first and the last 64 bytes of a map page are no rows: they have room for the LSN, at the offset that the
 * pool has for it, or else at 8, and for the checksum of a {@link io.clockhand.io.ChecksummedPageStore}, which must not
 * lie where the LSN does.
 *
 * <pre>{@code
 * FreeSpaceMap space = FreeSpaceMap.open(pool, pool.open(SPACE, path, FileOption.CREATE), spaceLog);
 *
 * long page = space.allocate();                      // the data page is the caller's now
 * space.setFullness(page, Fullness.of(used, size));  // under the latch of the data page
 * long room = space.findRoom(Fullness.UNDER_80);
 * }</pre>
 *
 * <p><b>Concurrency.</b> Where the pool allows {@linkplain io.clockhand.page.BufferPoolBuilder#sharedUpdates shared
 * updates} of the map's pages, threads change bytes of one map page at the same time; in other pools, one after the
 * other. Searches of several threads begin at several places of the map, so they hardly meet. The engine's lock or
 * latch of a data page makes sure that no two threads set the same bits of its byte at the same time; {@link #allocate}
 * needs no such lock. Thread-safe.
 *
 * <p><b>Logging.</b> Each change appends a record to the {@link SpaceLog} before it is made; a change that changes
 * nothing has none. After a crash the engine opens the map by {@link #recover}, and calls {@link #redo} and {@link
 * #redoCreation} for the records since its last checkpoint, in the order of the log.
 *
 * <p><b>Failures.</b> Every method but {@link #pages} and {@link #mapPages} fixes pages, and throws what that throws:
 * {@code IOException} if a page of the map cannot be read, {@link io.clockhand.WaitTimeoutException}, {@link
 * io.clockhand.PoolExhaustedException}, {@link io.clockhand.PoolFailedException}; and {@code IllegalStateException} if
 * the pool or the file is closed. The map is as before then.
 */
public final class FreeSpaceMap {
    /** Returned by {@link #findRoom} if no page has room. */
    public static final long NONE = -1;

    private final BufferPool pool;
    private final PagedFile file;
    private final SpaceLog log;
    private final int rows;
    private final int lsnOffset;
    private final boolean poolStoresLsn;

    private final ScanHints hints = new ScanHints();
    private final Reservations reservations = new Reservations();
    private final Cursors cursors;

    private final ReentrantLock growing = new ReentrantLock();
    /** The pages of the map whose creation is logged; changed under {@code growing}. */
    private volatile long mapPages;

    private FreeSpaceMap(BufferPool pool, PagedFile file, SpaceLog log) {
        this.pool = pool;
        this.file = file;
        this.log = new UninterruptedSpaceLog(Objects.requireNonNull(log));
        this.rows = pool.pageBytes() - RowScan.HEADER - RowScan.TRAILER;
        this.lsnOffset = pool.lsnOffset().orElse(Long.BYTES);
        this.poolStoresLsn = pool.lsnOffset().isPresent();
        if (lsnOffset > RowScan.HEADER - Long.BYTES) {
            throw new IllegalArgumentException(
                    "lsnOffset is " + lsnOffset + ", where a free-space map has rows; it must not be greater than "
                            + (RowScan.HEADER - Long.BYTES));
        }
        RowScan.checkApart(file, rows, lsnOffset);
        this.mapPages = file.pages();
        hints.ensure(mapPages);
        this.cursors = new Cursors(pages());
    }

    /**
     * Opens the map in a file that is new, or was closed without a crash.
     *
     * @param pool the pool
     * @param file a file of the pool that only this map changes
     * @param log takes the records of changes
     * @return the map
     * @throws IllegalArgumentException if the pool stores LSNs behind the first 64 bytes of a page
     */
    public static FreeSpaceMap open(BufferPool pool, PagedFile file, SpaceLog log) {
        return new FreeSpaceMap(pool, file, log);
    }

    /**
     * Opens the map in a file after a crash. Redo must follow.
     *
     * @param pool the pool
     * @param file a file of the pool that only this map changes
     * @param log takes the records of changes
     * @param mapPages what {@link #mapPages} returned after the last checkpoint; 0 if there was none. The file is
     *     truncated to these
     * @return the map
     * @throws IOException if the file could not be truncated
     * @throws IllegalArgumentException as {@link #open}
     */
    public static FreeSpaceMap recover(BufferPool pool, PagedFile file, SpaceLog log, long mapPages)
            throws IOException {
        file.truncate(Math.min(mapPages, file.pages())); // completes a truncation that has failed, too
        return new FreeSpaceMap(pool, file, log);
    }

    // --- reading -----------------------------------------------------------------------------------------------------

    /** {@return the number of data pages that the map has bytes for; those behind are not allocated} */
    public long pages() {
        return mapPages * rows;
    }

    /**
     * {@return the number of pages of the map} For {@link #recover}, an engine calls this after each checkpoint, makes
     * the log durable, and then stores the number with the position of the checkpoint.
     */
    public long mapPages() {
        return mapPages;
    }

    /**
     * Reads the byte of a data page.
     *
     * @param page the number of the data page, from 0
     * @return what the map knows of it
     * @throws IOException if the page of the map cannot be read
     * @throws IndexOutOfBoundsException if the number is negative
     */
    public PageSpace get(long page) throws IOException {
        Objects.checkIndex(page, Long.MAX_VALUE);
        if (page >= pages()) {
            return new PageSpace(0);
        }
        try (PageGuard map = pool.fix(mapPage(page))) {
            return new PageSpace(map.getUnsignedByte(at(page)));
        }
    }

    /** {@return the id of the map page with the row of a data page} */
    private long mapPage(long page) {
        return file.id(page / rows);
    }

    private int at(long page) {
        return RowScan.HEADER + (int) (page % rows);
    }

    // --- changes -----------------------------------------------------------------------------------------------------

    /**
     * Frees a data page.
     *
     * @param page an allocated data page
     * @throws IOException if the page of the map cannot be read, or the record not be appended
     * @throws IllegalStateException if the page is not allocated
     */
    public void free(long page) throws IOException {
        set(page, PageSpace.ALL, 0);
    }

    /**
     * Sets how full a data page is.
     *
     * @param page an allocated data page
     * @param fullness how full it is
     * @throws IOException as {@link #free}
     * @throws IllegalStateException as {@link #free}
     */
    public void setFullness(long page, Fullness fullness) throws IOException {
        set(page, PageSpace.FULLNESS, fullness.number() << PageSpace.FULLNESS_SHIFT);
    }

    /**
     * Sets whether a data page has rows that are deleted and not removed.
     *
     * @param page an allocated data page
     * @param has whether it has
     * @throws IOException as {@link #free}
     * @throws IllegalStateException as {@link #free}
     */
    public void setGhosts(long page, boolean has) throws IOException {
        set(page, PageSpace.GHOSTS, has ? PageSpace.GHOSTS : 0);
    }

    /**
     * Sets whether a data page may have old versions of rows.
     *
     * @param page an allocated data page
     * @param has whether it may
     * @throws IOException as {@link #free}
     * @throws IllegalStateException as {@link #free}
     */
    public void setVersions(long page, boolean has) throws IOException {
        set(page, PageSpace.VERSIONS, has ? PageSpace.VERSIONS : 0);
    }

    /**
     * Sets whether a data page belongs to an extent whose pages belong to several objects.
     *
     * @param page an allocated data page
     * @param is whether it does
     * @throws IOException as {@link #free}
     * @throws IllegalStateException as {@link #free}
     */
    public void setMixed(long page, boolean is) throws IOException {
        set(page, PageSpace.MIXED, is ? PageSpace.MIXED : 0);
    }

    /**
     * Sets whether a data page is itself the page of a map, such as one of the extents of an object; {@link #findRoom}
     * does not return it.
     *
     * @param page an allocated data page
     * @param is whether it is
     * @throws IOException as {@link #free}
     * @throws IllegalStateException as {@link #free}
     */
    public void setMapPage(long page, boolean is) throws IOException {
        set(page, PageSpace.MAP_PAGE, is ? PageSpace.MAP_PAGE : 0);
    }

    private void set(long page, int mask, int bits) throws IOException {
        if (page < 0 || page >= pages()) {
            throw new IllegalStateException("data page " + page + " is not allocated");
        }
        PageSpace now;
        try (SharedUpdatePage map = pool.fixForSharedUpdate(mapPage(page))) {
            int before = map.getUnsignedByte(at(page));
            if ((before & PageSpace.ALLOCATED) == 0) {
                throw new IllegalStateException("data page " + page + " is not allocated");
            }
            if ((before & mask) == bits) {
                return;
            }
            now = new PageSpace((change(map, page, mask, bits) & ~mask) | bits);
        }
        hints.open(page / rows, !now.isAllocated(), now.fullness());
    }

    /** {@return the byte before} */
    private int change(SharedUpdatePage map, long page, int mask, int bits) throws IOException {
        map.beginUpdate();
        long lsn = log.change(page, mask, bits);
        int before = map.putByteBits(at(page), mask, bits);
        if (!poolStoresLsn) {
            map.raisePageLsn(lsnOffset, lsn);
        }
        map.endUpdate(lsn);
        return before;
    }

    // --- searches ----------------------------------------------------------------------------------------------------

    /**
     * Allocates a data page: any that is free, or, if there is none but those that other threads are allocating, one
     * behind those that the map covers, which grows by a page then. The page is empty, and has no other marks.
     *
     * @return the number of the data page, which no other thread gets until it is freed; the engine's file may be
     *     shorter yet
     * @throws IOException if a page of the map cannot be read or created, or the record not be appended
     */
    public long allocate() throws IOException {
        for (; ; ) {
            long seen = mapPages;
            long page = search(ScanHints.FREE, seen);
            if (page != NONE) {
                return page;
            }
            grow(seen);
        }
    }

    /**
     * Searches for an allocated data page with room. Threads get different pages if they can; each gets its page again
     * until that is fuller.
     *
     * @param most how full it is at most
     * @return the number of a page that was so when it was found, and is no page of a map; or {@link #NONE}
     * @throws IOException if a page of the map cannot be read
     */
    public long findRoom(Fullness most) throws IOException {
        return search(ScanHints.room(most), mapPages);
    }

    private long search(int kind, long known) throws IOException {
        long begin = Math.min(cursors.get(kind), Math.max(0, known * rows - 1));
        long first = begin / rows;
        for (long i = 0; i <= known && known > 0; i++) { // the first page at last again, wholly
            long mapPage = (first + i) % known;
            long page = searchPage(mapPage, i == 0 ? (int) (begin % rows) : 0, kind);
            if (page != NONE) {
                cursors.set(kind, kind == ScanHints.FREE ? page + 1 : page);
                return page;
            }
        }
        return NONE;
    }

    private long searchPage(long mapPage, int from, int kind) throws IOException {
        if (hints.isNothing(mapPage, kind)) {
            return NONE;
        }
        boolean begun = from == 0 && hints.begin(mapPage, kind);
        boolean inVain = false;
        try {
            long found = kind == ScanHints.FREE ? allocate(mapPage, from) : findRoom(mapPage, from, kind);
            inVain = found == NONE;
            return found;
        } finally {
            if (begun) {
                hints.end(mapPage, kind, inVain);
            }
        }
    }

    private long findRoom(long mapPage, int from, int kind) throws IOException {
        try (PageGuard map = pool.fix(file.id(mapPage))) {
            int row = RowScan.next(map, from, rows, kind);
            return row < rows ? mapPage * rows + row : NONE;
        }
    }

    private long allocate(long mapPage, int from) throws IOException {
        long allocated = NONE;
        boolean mayBeFree = true; // if this fails, or leaves a page to another thread
        try (SharedUpdatePage map = pool.fixForSharedUpdate(file.id(mapPage))) {
            boolean passed = false;
            int row = RowScan.next(map, from, rows, ScanHints.FREE);
            while (row < rows && allocated == NONE) {
                if (tryAllocate(map, mapPage * rows + row)) {
                    allocated = mapPage * rows + row;
                } else {
                    passed = true;
                    row = RowScan.next(map, row + 1, rows, ScanHints.FREE);
                }
            }
            mayBeFree = passed;
        } finally {
            if (mayBeFree) {
                hints.open(mapPage, true, Fullness.EMPTY);
            }
        }
        if (allocated != NONE) {
            hints.open(mapPage, false, Fullness.EMPTY);
        }
        return allocated;
    }

    /** {@return whether the page is the caller's; if not, another thread is allocating it, or one with its hash} */
    private boolean tryAllocate(SharedUpdatePage map, long page) throws IOException {
        if (!reservations.tryReserve(page)) {
            return false;
        }
        try {
            boolean isFree = (map.getUnsignedByte(at(page)) & PageSpace.ALLOCATED) == 0;
            if (isFree) {
                change(map, page, PageSpace.ALL, PageSpace.ALLOCATED);
            }
            return isFree;
        } finally {
            reservations.release(page);
        }
    }

    // --- pages of the map --------------------------------------------------------------------------------------------

    private void grow(long seen) throws IOException {
        growing.lock();
        try {
            if (mapPages > seen) {
                return;
            }
            hints.ensure(seen + 1);
            file.truncate(seen); // of a creation that has failed after the page was there
            try (WritablePage map = file.create()) {
                map.beginUpdate();
                end(map, log.creation(seen));
                mapPages = seen + 1; // before a checkpoint can write the page, and count it
            }
        } finally {
            growing.unlock();
        }
    }

    private void end(WritablePage map, long lsn) {
        if (!poolStoresLsn) {
            map.putLong(lsnOffset, Math.max(lsn, map.getLong(lsnOffset)));
        }
        map.endUpdate(lsn);
    }

    /**
     * Repeats the creation of a page of the map, after a crash. One thread at a time, in the order of the log, before
     * the engine's first checkpoint.
     *
     * @param lsn the LSN of the record
     * @param mapPage as {@link SpaceLog#creation} got it
     * @throws IOException if the page could not be created
     */
    public void redoCreation(long lsn, long mapPage) throws IOException {
        growing.lock();
        try {
            hints.ensure(mapPage + 1);
            try (WritablePage map = file.redoCreation(lsn, mapPage)) {
                map.beginRedo(lsn);
                if (map.getLong(lsnOffset) < lsn) {
                    map.fill(RowScan.HEADER, rows, (byte) 0); // a truncation that was not forced may be undone
                }
                end(map, lsn);
            }
            mapPages = Math.max(mapPages, mapPage + 1);
        } finally {
            growing.unlock();
        }
    }

    /**
     * Repeats a change, after a crash, if the page of the map does not have it. One thread at a time for each page of
     * the map, in the order of the log, before the engine's first checkpoint.
     *
     * @param lsn the LSN of the record
     * @param page as {@link SpaceLog#change} got it
     * @param mask as {@link SpaceLog#change} got it
     * @param bits as {@link SpaceLog#change} got it
     * @throws IOException if the page of the map cannot be read
     * @throws IllegalStateException if the page of the map does not exist, and its creation was not repeated
     */
    public void redo(long lsn, long page, int mask, int bits) throws IOException {
        if (page < 0 || page >= pages()) {
            throw new IllegalStateException("data page " + page + " lies behind the " + pages()
                    + " pages that the map covers: redoCreation must come before, or recover had too few map pages");
        }
        try (WritablePage map = pool.fixExclusive(mapPage(page))) {
            map.beginRedo(lsn); // in any case: bytes that a failed force has lost are written again
            if (map.getLong(lsnOffset) < lsn) {
                map.putByte(at(page), (byte) ((map.getByte(at(page)) & ~mask) | bits));
            }
            end(map, lsn);
        }
        hints.open(page / rows, true, Fullness.EMPTY);
        hints.open(page / rows, false, Fullness.EMPTY);
    }
}
