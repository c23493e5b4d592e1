// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

/** The figures of one run. */
public interface Answer {
    /** What was wrong at the end of the run, in words; null if every check held. */
    String wrong();

    /** Measured operations; 0 if no time was measured, or if a referee counted. */
    long operations();

    /** Throughput; null if no time was measured. */
    Double operationsPerSecond();

    default boolean allHolds() {
        return wrong() == null;
    }
}
