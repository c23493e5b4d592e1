// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.io.PageStore;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongArray;

/** A store that keeps its first page, as it was written, and as the last force has brought it to the device. */
final class OnePageStore implements PageStore {
    private static final int LONGS = StressPool.PAGE_BYTES / Long.BYTES;

    private final int pages;
    /** Whether both rows are always the same. */
    private final boolean same;

    private final StressPool.Log log;
    private final AtomicLongArray file = new AtomicLongArray(LONGS);
    private final AtomicLongArray device = new AtomicLongArray(LONGS);
    /** The fault of an image that was written; null if there was none. */
    volatile String fault;

    OnePageStore(int pages, boolean same, StressPool.Log log) {
        this.pages = pages;
        this.same = same;
        this.log = log;
    }

    long file(int offset) {
        return file.get(offset / Long.BYTES);
    }

    long device(int offset) {
        return device.get(offset / Long.BYTES);
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public int pageBytes() {
        return StressPool.PAGE_BYTES;
    }

    @Override
    public long pages() {
        return pages;
    }

    @Override
    public void read(long page, ByteBuffer target) {
        for (int i = 0; i < LONGS; i++) {
            target.putLong(file.get(i));
        }
    }

    @Override
    public void write(long page, ByteBuffer source) {
        if (pages == 0) {
            source.position(source.limit());
            return;
        }
        for (int i = 0; i < LONGS; i++) {
            file.set(i, source.getLong());
        }
        long last = Math.max(file(StressPool.LEFT), file(StressPool.RIGHT));
        if (last > log.durable) {
            fault = "beyond the durable log";
        } else if (last > file(0)) {
            fault = "beyond its LSN";
        } else if (same && file(StressPool.LEFT) != file(StressPool.RIGHT)) {
            fault = "torn";
        }
    }

    @Override
    public void extend(long count) {
        // it reads any page
    }

    @Override
    public void truncate(long count) {
        // it reads any page
    }

    @Override
    public boolean tryOwn() {
        return true;
    }

    @Override
    public void force() {
        for (int i = 0; i < LONGS; i++) {
            device.set(i, file.get(i));
        }
    }

    @Override
    public void close() {
        // it has nothing open
    }
}
