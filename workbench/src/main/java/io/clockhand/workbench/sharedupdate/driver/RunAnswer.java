// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.workbench.experiment.Answer;

/**
 * The figures of a run.
 *
 * @param operations in the measured interval; 0 in a duel, whose referee counts
 * @param seconds of that interval
 * @param cpuPercent of the processors' time that this JVM used in it; null in a duel
 * @param counted null if the throughput was measured
 * @param contextBytes memory of a page because its rows are updated at the same time; null if they are not, or it was
 *     not measured
 * @param wrong what was wrong with the page in the end, in words, or null
 */
public record RunAnswer(
        long operations, double seconds, Double cpuPercent, Counted counted, Double contextBytes, String wrong)
        implements Answer {

    /**
     * From the begin of the run to its end, warm-up included.
     *
     * @param operations to which the other figures belong
     * @param latchWaits how often a thread could not have the page at once
     * @param logMicros the median of the latest appends of each thread
     * @param waitingThreads how many threads waited for a latch on average; null if that was not measured
     */
    public record Counted(long operations, long latchWaits, Double logMicros, Double waitingThreads) {
        public Double waitsPerMillion() {
            return operations == 0 ? null : Double.valueOf(1e6 * latchWaits / operations);
        }
    }

    @Override
    public Double operationsPerSecond() {
        return operations / seconds;
    }
}
