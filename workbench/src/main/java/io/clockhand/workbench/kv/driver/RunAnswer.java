// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.pages.driver.Timed.Percentiles;

/**
 * The figures of a run, its warm-up included. An operation is a get, an entry that is put, or one that is scanned.
 *
 * @param latencyMicros of single gets and puts, of transactions of a load, and of whole scans, sampled; null if none
 *     lay within one slice
 * @param processorMicros of all threads of the process, for each operation
 * @param allocatedBytes on the heap by the threads that play, for each operation
 * @param storeBytes of the files in the end
 * @param wrongResults of all operations
 * @param firstWrong one of them in words, or null
 */
public record RunAnswer(
        Percentiles latencyMicros,
        Double processorMicros,
        Double allocatedBytes,
        long storeBytes,
        long wrongResults,
        String firstWrong) {
    /** Whether all that was read was right. */
    public boolean allHolds() {
        return wrongResults == 0;
    }
}
