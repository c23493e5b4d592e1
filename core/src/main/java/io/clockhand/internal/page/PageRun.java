// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.pool.FramePool;
import java.nio.ByteBuffer;

/**
 * Adjacent pages that one call of the store reads, and what has become of them. Used by one thread at a time, again and
 * again; a run allocates nothing.
 */
public final class PageRun {
    /** The greatest number of pages. */
    public static final int MOST_PAGES = 64;
    /** The greatest number of bytes: more in a call of the operating system is hardly faster. */
    private static final int MOST_BYTES = 1 << 18;

    private final int[] frames = new int[MOST_PAGES];
    private final ByteBuffer[] targets = new ByteBuffer[MOST_PAGES];
    /** Of a scan: the places of the pages among those that scans have read in last. */
    private final int[] places = new int[MOST_PAGES];

    private long first;
    private int pages;
    private boolean keepsFirst;
    /** The bytes of the only page; null if it is read. */
    private ByteBuffer given;

    private int mapped;
    private int read;
    private int failed;
    private boolean lacksFrame;
    private int kept;

    /** {@return the greatest number of pages of a size in a run} */
    static int most(int pageBytes) {
        return Math.max(1, Math.min(MOST_PAGES, MOST_BYTES / pageBytes));
    }

    /**
     * Begins with adjacent pages to be read, none of which is to stay pinned.
     *
     * @param id the first page
     * @param count the number of pages, at most {@link #MOST_PAGES}
     */
    void begin(long id, int count) {
        first = id;
        pages = count;
        keepsFirst = false;
        given = null;
        mapped = 0;
        read = 0;
        failed = 0;
        lacksFrame = false;
        kept = FramePool.LOST;
    }

    /** The caller gets a pin or a share of the first page, for which it has missed. */
    void keepFirst() {
        keepsFirst = true;
    }

    boolean keepsFirst() {
        return keepsFirst;
    }

    /** The only page is not read, but has these bytes. */
    void give(ByteBuffer bytes) {
        given = bytes;
    }

    ByteBuffer given() {
        return given;
    }

    /** {@return a page} */
    long id(int index) {
        return first + index;
    }

    /** {@return the number of pages to be read} */
    int pages() {
        return pages;
    }

    /** The next page is mapped to a frame. */
    void add(int frame, ByteBuffer target) {
        frames[mapped] = frame;
        targets[mapped] = target;
        mapped++;
    }

    /** {@return the frame of a page that was mapped} */
    int frame(int index) {
        return frames[index];
    }

    /** {@return the buffers of the pages that were mapped; to be read only} */
    ByteBuffer[] targets() {
        return targets;
    }

    void setPlace(int index, int place) {
        places[index] = place;
    }

    int place(int index) {
        return places[index];
    }

    /** There was no frame for the next page. */
    void lackFrame() {
        lacksFrame = true;
    }

    void countRead() {
        read++;
    }

    void countFailed() {
        failed++;
    }

    /** The caller has the first page. */
    void keep(int frameOrShared) {
        kept = frameOrShared;
    }

    /** Forgets the buffers, so that they can be collected when the pool is. */
    void end() {
        given = null;
        for (int i = 0; i < mapped; i++) {
            targets[i] = null;
        }
    }

    /**
     * {@return the number of pages that were mapped, from the first on} The next one was mapped already, or there was
     * no frame for it.
     */
    public int mapped() {
        return mapped;
    }

    /** {@return the number of pages that were read} */
    public int read() {
        return read;
    }

    /** {@return the number of pages that exist and could not be read} */
    public int failed() {
        return failed;
    }

    /** {@return whether there was no frame for a page} */
    public boolean lacksFrame() {
        return lacksFrame;
    }

    /** {@return the frame of the first page, pinned; {@link Residency#SHARED}; or LOST, so it must be looked up} */
    int kept() {
        return kept;
    }
}
