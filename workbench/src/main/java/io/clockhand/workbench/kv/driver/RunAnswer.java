// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Timed.Percentiles;

/**
 * The figures of a run. An operation is a get, an entry that is put, or one that is scanned.
 *
 * @param wrong the first result that was wrong, in words; null if there was none
 * @param operations measured, without the warm-up; 0 in a duel
 * @param operationsPerSecond null in a duel
 * @param latencyMicros of single gets and puts, of transactions of a load, and of whole scans, sampled; null if none
 *     lay within one slice
 * @param processorMicros of all threads of the process, for each operation, warm-up included
 * @param allocatedBytes on the heap by the threads that play, for each operation, warm-up included
 * @param storeBytes of the files in the end
 */
public record RunAnswer(
        String wrong,
        long operations,
        Double operationsPerSecond,
        Percentiles latencyMicros,
        Double processorMicros,
        Double allocatedBytes,
        long storeBytes)
        implements Answer {}
