// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

/** A pool of frames, whose pages have no content. Not thread-safe. */
interface SimulatedPool {

    /** Refers to a page, a number from 0; returns whether it was resident. */
    boolean reference(int page);

    /** Frames scanned in search of victims so far. */
    long framesScanned();
}
