// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

/** A pool of frames, whose pages have no content. Not thread-safe. */
interface SimulatedPool {

    /**
     * The work that the pool has done so far.
     *
     * @param framesScanned in search of victims
     * @param writes begun writes of dirty pages
     * @param readStalls misses that waited for a write, since no frame was clean
     */
    record Counts(long framesScanned, long writes, long readStalls) {
        Counts since(Counts earlier) {
            return new Counts(
                    framesScanned - earlier.framesScanned, writes - earlier.writes, readStalls - earlier.readStalls);
        }
    }

    /**
     * Refers to a page; returns whether it was resident.
     *
     * @param key a number from 0; or its complement, which is negative, of a write
     */
    boolean reference(int key);

    /** {@return all counts so far} */
    Counts counts();
}
