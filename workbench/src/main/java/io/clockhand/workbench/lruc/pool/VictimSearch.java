// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

/** Chooses pages to evict and pages to write. Thread-safe. */
interface VictimSearch {
    /** All pages are in use or being written. */
    int NONE = Integer.MIN_VALUE;
    /** A slot of the temporary write buffer is needed. */
    int NO_SLOT = NONE + 1;

    /**
     * Searches for a victim of a miss.
     *
     * @param slot to which a dirty victim is copied; negative if there is none
     * @return a frame, evicted, which is the caller's; or the complement of a frame whose page the caller is to write,
     *     which is marked for that; or {@link #NONE}; or {@link #NO_SLOT}
     */
    int find(int slot);

    /**
     * Chooses pages for the flusher, from the tail. Clean frames among them are freed.
     *
     * @param most how many pages are chosen at most, clean ones included
     * @param batch gets the frames to be written, which are marked for that
     * @return how many these are
     */
    int collect(int most, int[] batch);
}
