// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

/**
 * The frames of a pool: their states, bytes and latches, the free list, and the table that leads to them. A frame that
 * is evicted here is unmapped and belongs to the caller, who uses it or adds it to the free list.
 */
final class Frames {
    final int count;
    final FrameWords words;
    final PageTable table;
    final PageBuffers buffers;
    final Latches latches;
    final FreeFrames free;

    /**
     * Makes free frames.
     *
     * @param slots of the temporary write buffer, whose numbers follow those of the frames
     */
    Frames(int pageBytes, int count, int slots) {
        this.count = count;
        this.words = new FrameWords(count);
        this.table = new PageTable(count + slots);
        this.buffers = new PageBuffers(pageBytes, count + slots);
        this.latches = new Latches(count);
        this.free = new FreeFrames(count);
    }

    /** Evicts a clean page unless it is in use. The caller excludes that the frame gets another page meanwhile. */
    boolean evictClean(int frame) {
        synchronized (table.lockOf(table.pageOf(frame))) {
            if (!words.tryFreeClean(frame)) {
                return false;
            }
            table.remove(frame);
            return true;
        }
    }

    /** The same, but only if the page was not used since it was marked. */
    boolean evictMarked(int frame) {
        synchronized (table.lockOf(table.pageOf(frame))) {
            if (!words.tryFreeMarked(frame)) {
                return false;
            }
            table.remove(frame);
            return true;
        }
    }

    /** Unpins a frame, and frees it if its page could not be read and nobody else waits for that. */
    void unpin(int frame) {
        if (words.unpin(frame)) {
            free.add(frame);
        }
    }
}
