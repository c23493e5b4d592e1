// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.pages.driver.Timed;

/**
 * The figures of a run.
 *
 * @param timed null if it was not timed
 * @param counted null if nothing was counted
 * @param wrongPages fixes, at any time of the run, that gave a page with the content of another
 * @param firstWrong one of them in words, or null
 */
public record RunAnswer(Timed timed, Counted counted, long wrongPages, String firstWrong) implements Answer {

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
            long recordedHits) {
        public double hitRatio() {
            return (double) hits / (hits + misses);
        }
    }

    @Override
    public String wrong() {
        return wrongPages == 0 ? null : wrongPages + " of its fixes gave a wrong page: " + firstWrong;
    }

    @Override
    public long operations() {
        return timed == null ? 0 : timed.accesses();
    }

    @Override
    public Double operationsPerSecond() {
        return timed == null ? null : Double.valueOf(timed.operationsPerSecond());
    }
}
