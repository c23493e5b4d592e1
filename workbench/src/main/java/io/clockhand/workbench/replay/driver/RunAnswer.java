// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.report.Estimated;
import java.util.List;

/**
 * The figures of a run.
 *
 * @param timed null if it was not timed
 * @param counted null if nothing was counted
 * @param written null if all references were reads
 * @param wrongPages fixes, at any time of the run, that gave a page with the content of another
 * @param firstWrong one of them in words, or null
 */
public record RunAnswer(Timed timed, Counted counted, Written written, long wrongPages, String firstWrong)
        implements Answer {

    /**
     * After the warm-up.
     *
     * @param framesScanned frames that the policy scanned in search of victims
     * @param freeAtStart frames that held nothing yet when the warm-up was over
     * @param changes that threads have made
     * @param writes null if all references were reads
     * @param estimates of the pool; null if it made none
     */
    public record Counted(
            long accesses,
            long hits,
            long misses,
            long reads,
            long wastedReads,
            long framesScanned,
            int freeAtStart,
            long changes,
            Written.Writes writes,
            List<Estimated> estimates) {
        public double hitRatio() {
            return (double) hits / (hits + misses);
        }

        /** Null without a miss. */
        public Double framesScannedPerMiss() {
            return misses == 0 ? null : Double.valueOf((double) framesScanned / misses);
        }
    }

    @Override
    public String wrong() {
        if (wrongPages > 0) {
            return wrongPages + " of its fixes gave a wrong page: " + firstWrong;
        }
        return written == null || written.lost() == 0
                ? null
                : "it made " + written.changes() + " changes, but its pages have " + written.found();
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
