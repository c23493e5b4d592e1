// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

/**
 * About a second of the measured interval.
 *
 * @param second its end, since the interval began
 */
public record Moment(
        double second,
        double operationsPerSecond,
        double missesPerSecond,
        double readStallsPerSecond,
        double pagesWrittenPerSecond) {}
