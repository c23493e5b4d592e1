// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

/**
 * The work of a simulated device in some interval. Times are as they passed, so they contain the time scale.
 *
 * @param seconds the length of the interval
 * @param utilisation the busy time of the channels as a part of all their time, from 0 to 1
 * @param inFlight the mean number of requests at the device, waiting or being served
 * @param queued the mean number of requests that wait for a channel
 * @param lateMicros how much later than due calls returned in the mean; negative if earlier
 */
public record DeviceFigures(
        double seconds,
        Requests reads,
        Requests writes,
        double utilisation,
        double inFlight,
        double queued,
        double lateMicros) {

    /**
     * The requests of one kind, each of one page, that ended in the interval.
     *
     * @param meanMicros the latency from the call on, waits for a channel included; 0 if there was no request
     * @param p95Micros which 95 % of the latencies do not exceed, to one in a hundred
     */
    public record Requests(long count, double perSecond, double meanMicros, double p95Micros) {}
}
