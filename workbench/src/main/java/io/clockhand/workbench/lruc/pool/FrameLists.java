// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The lists of the frames that have a page: the LRU list, whose tail is the oldest clean page or is found from there,
 * and the dirty region of LRU-C, which is the part behind its pointer.
 *
 * <p>The mutex of the list (LRU-M) and that of the region (LRU-D) are the same unless the scheme has two. Shared words:
 *
 * <ul>
 *   <li>The links of {@code mixed}, and {@code scanFailed}: under LRU-M. The links of {@code region}: under LRU-D.
 *   <li>{@code where}, for each frame: from <i>nowhere</i> to <i>mixed</i> under LRU-M, from <i>region</i> to
 *       <i>nowhere</i> under LRU-D, from <i>mixed</i> to <i>nowhere</i> under LRU-M, from <i>mixed</i> to <i>region</i>
 *       under both. It is read without a mutex to find out which one to take, and again under it.
 * </ul>
 *
 * <p>Order: LRU-M before LRU-D. Under either, the lock of a page in {@link PageTable}; under that, the mutex of the
 * free list or the lock of the write buffer, which are the last. No mutex is held during I/O or while waiting for a
 * latch. A frame from the region goes nowhere first and to the list then, so that LRU-M is not taken under LRU-D; it
 * is pinned meanwhile or clean, and nobody else moves it.
 */
final class FrameLists {
    private static final int NOWHERE = 0;
    private static final int MIXED = 1;
    private static final int REGION = 2;

    final CountedMutex mixedMutex = new CountedMutex();
    final CountedMutex regionMutex;
    final LruList mixed;
    final LruList region;
    private final Frames frames;
    private final AtomicIntegerArray where;
    private boolean scanFailed;

    FrameLists(Frames frames, boolean twoMutexes) {
        this.frames = frames;
        this.regionMutex = twoMutexes ? new CountedMutex() : mixedMutex;
        this.mixed = new LruList(frames.count);
        this.region = new LruList(frames.count);
        this.where = new AtomicIntegerArray(frames.count);
    }

    /** Adds a frame that has got its page. */
    void add(int frame) {
        mixedMutex.lock();
        try {
            mixed.addHead(frame);
            where.set(frame, MIXED);
        } finally {
            mixedMutex.unlock();
        }
    }

    /**
     * Moves a frame to the head. The caller has pinned it, or writes it. Does nothing if it is in no list: it is being
     * read, or another thread moves it.
     */
    void moveToHead(int frame) {
        boolean done = false;
        while (!done) {
            int list = where.get(frame);
            done = list == NOWHERE || (list == MIXED ? moveInMixed(frame) : moveFromRegion(frame));
        }
    }

    private boolean moveInMixed(int frame) {
        mixedMutex.lock();
        try {
            if (where.get(frame) != MIXED) {
                return false;
            }
            mixed.moveToHead(frame);
            frames.words.unmark(frame);
            return true;
        } finally {
            mixedMutex.unlock();
        }
    }

    private boolean moveFromRegion(int frame) {
        regionMutex.lock();
        try {
            if (where.get(frame) != REGION) {
                return false;
            }
            region.remove(frame);
            where.set(frame, NOWHERE);
            frames.words.unmark(frame);
        } finally {
            regionMutex.unlock();
        }
        add(frame);
        return true;
    }

    /** Removes a frame of the list that was evicted. Under LRU-M. */
    void removeMixed(int frame) {
        mixed.remove(frame);
        where.set(frame, NOWHERE);
    }

    /** {@return whether the region was empty} Moves a dirty frame of the list there, to its head. Under LRU-M. */
    boolean setAside(int frame) {
        regionMutex.lock();
        try {
            boolean wasEmpty = region.size() == 0;
            mixed.remove(frame);
            region.addHead(frame);
            where.set(frame, REGION);
            return wasEmpty;
        } finally {
            regionMutex.unlock();
        }
    }

    /**
     * Evicts a frame whose page was written for that, unless it was used since then or is dirty again.
     *
     * @param byFlusher whether the flusher wrote it: then misses may scan again
     * @return whether the frame is the caller's
     */
    boolean evictWritten(int frame, boolean byFlusher) {
        while (true) {
            int list = where.get(frame);
            if (list == NOWHERE) {
                return false;
            }
            CountedMutex mutex = list == MIXED ? mixedMutex : regionMutex;
            mutex.lock();
            boolean toMixed;
            try {
                if (where.get(frame) != list) {
                    continue;
                }
                if (list == MIXED && byFlusher) {
                    scanFailed = false;
                }
                boolean evicted = frames.evictMarked(frame);
                toMixed = !evicted && list == REGION && !frames.words.isDirty(frame);
                if (evicted || toMixed) {
                    (list == MIXED ? mixed : region).remove(frame);
                    where.set(frame, NOWHERE);
                }
                if (!toMixed) {
                    return evicted;
                }
            } finally {
                mutex.unlock();
            }
            addTail(frame);
            return false;
        }
    }

    /** Adds a page of the region that is in use, but clean now. */
    private void addTail(int frame) {
        mixedMutex.lock();
        try {
            mixed.addTail(frame);
            where.set(frame, MIXED);
        } finally {
            mixedMutex.unlock();
        }
    }

    boolean isRegionEmpty() {
        regionMutex.lock();
        try {
            return region.size() == 0;
        } finally {
            regionMutex.unlock();
        }
    }

    /** Whether a scan has failed since the flusher has cleaned or freed a page. Under LRU-M. */
    boolean hasScanFailed() {
        return scanFailed;
    }

    /** Under LRU-M. */
    void setScanFailed(boolean failed) {
        scanFailed = failed;
    }
}
