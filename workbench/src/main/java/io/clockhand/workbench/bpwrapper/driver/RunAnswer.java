// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

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
     * @param accesses to which the other figures belong
     * @param lockAcquisitions how often the policy's lock was taken
     * @param contentions how many requests for it had to wait
     * @param failedTries how often a try to take it failed
     * @param recordedHits that the policy recorded, those included that had been queued since the warm-up
     */
    public record Counted(
            long accesses,
            long hits,
            long misses,
            long lockAcquisitions,
            long contentions,
            long failedTries,
            long recordedHits) {}

    /** Whether every page that was read was the right one. */
    public boolean allHolds() {
        return wrongPages == 0;
    }
}
