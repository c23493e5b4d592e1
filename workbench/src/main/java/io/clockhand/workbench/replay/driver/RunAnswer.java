// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.workbench.pages.driver.Timed;

/**
 * The figures of a run.
 *
 * @param timed null if it was not timed
 * @param counted null if nothing was counted
 * @param wrongPages fixes, at any time of the run, that gave a page with the content of another
 * @param firstWrong one of them in words, or null
 */
public record RunAnswer(Timed timed, Counted counted, long wrongPages, String firstWrong) {

    /**
     * After the warm-up.
     *
     * @param framesScanned frames that the policy scanned in search of victims
     * @param freeAtStart frames that held nothing yet when the warm-up was over
     */
    public record Counted(
            long accesses, long hits, long misses, long reads, long wastedReads, long framesScanned, int freeAtStart) {}

    /** Whether every page that was read was the right one. */
    public boolean allHolds() {
        return wrongPages == 0;
    }
}
