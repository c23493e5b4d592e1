// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.pool.FramePool;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

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
    private final long[] keys = new long[MOST_PAGES];
    private final ByteBuffer[] targets = new ByteBuffer[MOST_PAGES];

    private long first;
    private int pages;
    private boolean keepsFirst;
    /** The bytes of the only page; null if it is read. */
    private ByteBuffer given;

    private BooleanSupplier isClosed;

    private int claimed;
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
        claimed = 0;
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
    void give(ByteBuffer bytes, BooleanSupplier poolIsClosed) {
        given = bytes;
        isClosed = poolIsClosed;
    }

    /** Throws if the pool is closed that is to have the bytes given. */
    void checkOpen() {
        if (isClosed.getAsBoolean()) {
            throw new IllegalStateException("the pool is closed");
        }
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

    /** Another frame is claimed for a page. */
    void claim(int frame) {
        frames[claimed] = frame;
        claimed++;
    }

    /** {@return how many frames were claimed, for the pages from the first on} */
    int claimed() {
        return claimed;
    }

    /** Orders the frames by their buffers. */
    void sort(PageBuffers buffers) {
        for (int i = 0; i < claimed; i++) {
            keys[i] = (long) buffers.reserved(frames[i]) << Integer.SIZE | frames[i];
        }
        Arrays.sort(keys, 0, claimed);
        for (int i = 0; i < claimed; i++) {
            frames[i] = (int) keys[i];
        }
    }

    /** The next page is mapped to its frame. */
    void countMapped() {
        mapped++;
    }

    /** {@return the frame of a page} */
    int frame(int index) {
        return frames[index];
    }

    void setTarget(int index, ByteBuffer target) {
        targets[index] = target;
    }

    /** {@return what the pages that were mapped are read into} */
    ByteBuffer[] targets() {
        return targets;
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
        isClosed = null;
        Arrays.fill(targets, 0, mapped, null);
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
