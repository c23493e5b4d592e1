// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.experiment.Timed.Percentiles;

/**
 * The figures of a run.
 *
 * @param latencyMicros of the searches; null if none lay within one slice
 * @param readBytes from the disk for each search; null where the system does not count them, and with a merge
 * @param mergedBytes written by the merge while searches were played; null without one
 * @param memoryBytes of the memory group in the end; null without one
 * @param wrongResults of all searches, warm-up included
 * @param firstWrong one of them in words, or null
 */
record RunAnswer(
        Percentiles latencyMicros,
        Double readBytes,
        Long mergedBytes,
        Long memoryBytes,
        long wrongResults,
        String firstWrong) {}
