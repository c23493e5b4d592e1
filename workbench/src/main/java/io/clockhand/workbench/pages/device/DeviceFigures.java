// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

/**
 * The work of a simulated device in some interval. Times are as they passed, so they contain the time scale.
 *
 * @param seconds the length of the interval
 * @param reads requests of a page each that ended in the interval
 * @param writes the same
 * @param utilisation the busy time of the channels as a part of all their time, from 0 to 1
 * @param lateMicros how much later than due calls returned in the mean; negative if earlier
 */
public record DeviceFigures(double seconds, long reads, long writes, double utilisation, double lateMicros) {
    public double readsPerSecond() {
        return reads / seconds;
    }

    public double writesPerSecond() {
        return writes / seconds;
    }
}
