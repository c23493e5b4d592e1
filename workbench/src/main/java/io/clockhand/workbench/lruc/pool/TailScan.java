// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

/**
 * Victims from the tail of one LRU list, as in InnoDB. A miss scans some frames from the tail for a clean one. If
 * there is none, it takes the first that is neither in use nor being written: a dirty one is written by the reader
 * itself, or goes to the temporary write buffer.
 */
final class TailScan implements VictimSearch {
    private final Frames frames;
    private final FrameLists lists;
    private final Scheme scheme;
    private final Counters counters;
    /** Null if there is none. */
    private final WriteBuffer buffer;

    TailScan(Frames frames, FrameLists lists, Scheme scheme, Counters counters, WriteBuffer buffer) {
        this.frames = frames;
        this.lists = lists;
        this.scheme = scheme;
        this.counters = counters;
        this.buffer = buffer;
    }

    @Override
    public int find(int slot) {
        lists.mixedMutex.lock();
        try {
            int clean = scheme.remembersFailedScan() && lists.hasScanFailed() ? NONE : findClean();
            return clean != NONE ? clean : findAny(slot);
        } finally {
            lists.mixedMutex.unlock();
        }
    }

    private int findClean() {
        int scanned = 0;
        int frame = lists.mixed.tail();
        while (frame != LruList.NONE && scanned < scheme.scanDepth()) {
            scanned++;
            if (tryEvict(frame)) {
                counters.framesScanned.add(scanned);
                return frame;
            }
            frame = lists.mixed.towardsHead(frame);
        }
        counters.framesScanned.add(scanned);
        lists.setScanFailed(true);
        return NONE;
    }

    private boolean tryEvict(int frame) {
        boolean evicted = frames.words.isIdleClean(frame) && frames.evictClean(frame);
        if (evicted) {
            lists.removeMixed(frame);
        }
        return evicted;
    }

    private int findAny(int slot) {
        int scanned = 0;
        int found = NONE;
        int frame = lists.mixed.tail();
        while (frame != LruList.NONE && found == NONE) {
            scanned++;
            int next = lists.mixed.towardsHead(frame);
            found = tryTake(frame, slot);
            frame = next;
        }
        counters.framesScanned.add(scanned);
        return found;
    }

    private int tryTake(int frame, int slot) {
        if (tryEvict(frame)) {
            return frame;
        }
        if (buffer == null) {
            return frames.words.tryBeginWrite(frame) ? ~frame : NONE;
        }
        if (!frames.words.isIdleDirty(frame)) {
            return NONE;
        }
        if (slot < 0) {
            return NO_SLOT;
        }
        if (!buffer.fill(slot, frame)) {
            return NONE;
        }
        lists.removeMixed(frame);
        return frame;
    }

    @Override
    public int collect(int most, int[] batch) {
        int chosen = 0;
        int dirty = 0;
        lists.mixedMutex.lock();
        try {
            int frame = lists.mixed.tail();
            while (frame != LruList.NONE && chosen < most) {
                int next = lists.mixed.towardsHead(frame);
                if (tryEvict(frame)) {
                    frames.free.add(frame);
                    lists.setScanFailed(false);
                    chosen++;
                } else if (frames.words.tryBeginWrite(frame)) {
                    batch[dirty++] = frame;
                    chosen++;
                }
                frame = next;
            }
        } finally {
            lists.mixedMutex.unlock();
        }
        return dirty;
    }
}
