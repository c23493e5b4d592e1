// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

/**
 * LRU-C (B. Lee, M. An, S.-W. Lee, PVLDB 2023, section 4): the victim is the least recently used clean page. The
 * pointer of the paper is the tail of the list, since dirty frames that a search passes are set aside in a region of
 * their own; so none is passed twice. The flusher writes pages of the region only. A reader writes a page itself only
 * if there is no clean one at all.
 */
final class CleanPointer implements VictimSearch {
    private final Frames frames;
    private final FrameLists lists;
    private final Counters counters;
    private final Runnable onRegion;

    /**
     * Makes a search.
     *
     * @param onRegion is run when the region is not empty any more; under a mutex, so it must not wait
     */
    CleanPointer(Frames frames, FrameLists lists, Counters counters, Runnable onRegion) {
        this.frames = frames;
        this.lists = lists;
        this.counters = counters;
        this.onRegion = onRegion;
    }

    @Override
    public int find(int slot) {
        lists.mixedMutex.lock();
        try {
            int clean = findClean();
            return clean != NONE ? clean : findDirty();
        } finally {
            lists.mixedMutex.unlock();
        }
    }

    /** Passes pages that are in use or being written. */
    private int findClean() {
        int scanned = 0;
        int found = NONE;
        int frame = lists.mixed.tail();
        while (frame != LruList.NONE && found == NONE) {
            scanned++;
            int next = lists.mixed.towardsHead(frame);
            if (frames.words.isDirty(frame)) {
                if (lists.setAside(frame)) {
                    onRegion.run();
                }
            } else if (frames.words.isIdleClean(frame) && frames.evictClean(frame)) {
                lists.removeMixed(frame);
                found = frame;
            }
            frame = next;
        }
        counters.framesScanned.add(scanned);
        return found;
    }

    private int findDirty() {
        int scanned = 0;
        int found = NONE;
        lists.regionMutex.lock();
        try {
            int frame = lists.region.tail();
            while (frame != LruList.NONE && found == NONE) {
                scanned++;
                found = frames.words.tryBeginWrite(frame) ? ~frame : NONE;
                frame = lists.region.towardsHead(frame);
            }
        } finally {
            lists.regionMutex.unlock();
        }
        counters.framesScanned.add(scanned);
        return found;
    }

    @Override
    public int collect(int most, int[] batch) {
        int dirty = 0;
        lists.regionMutex.lock();
        try {
            int frame = lists.region.tail();
            while (frame != LruList.NONE && dirty < most) {
                if (frames.words.tryBeginWrite(frame)) {
                    batch[dirty++] = frame;
                }
                frame = lists.region.towardsHead(frame);
            }
        } finally {
            lists.regionMutex.unlock();
        }
        return dirty;
    }
}
