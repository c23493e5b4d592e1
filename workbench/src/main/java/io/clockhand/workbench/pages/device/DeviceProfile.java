// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import java.util.concurrent.TimeUnit;

/**
 * Channels and latencies of a simulated device. The channels work in parallel, and each serves one request of one page
 * at a time.
 *
 * @param channels how many there are, from 1
 * @param readNanos the mean time for which a read occupies its channel; 0 if reads take no time and never wait
 * @param writeNanos the same of a write
 * @param jitter the part of these times by which each is longer or shorter at most, from 0 to less than 1; uniform, so
 *     the mean stays the same
 */
public record DeviceProfile(int channels, double readNanos, double writeNanos, double jitter) {
    /** The part of a latency by which requests of the devices of a paper are longer or shorter at most. */
    public static final double JITTER = 0.1;

    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    /** A device with these rates while all its channels are busy. */
    public static DeviceProfile rated(int channels, double readsPerSecond, double writesPerSecond) {
        return new DeviceProfile(
                channels, channels * SECOND / readsPerSecond, channels * SECOND / writesPerSecond, JITTER);
    }

    /** A device whose reads take no time, and whose writes are done one after the other at this rate. */
    public static DeviceProfile writing(long pagesPerSecond) {
        return new DeviceProfile(1, 0, SECOND / pagesPerSecond, 0);
    }

    /** The same device, whose requests take {@code timeScale} times as long. */
    public DeviceProfile slowed(double timeScale) {
        return new DeviceProfile(channels, readNanos * timeScale, writeNanos * timeScale, jitter);
    }

    /** A device with the same rates and this number of channels, whose requests take longer if there are more. */
    public DeviceProfile withChannels(int count) {
        double factor = (double) count / channels;
        return new DeviceProfile(count, readNanos * factor, writeNanos * factor, jitter);
    }

    /** The most reads a second, with all channels busy. */
    public double readsPerSecond() {
        return channels * SECOND / readNanos;
    }

    /** The most writes a second, with all channels busy. */
    public double writesPerSecond() {
        return channels * SECOND / writeNanos;
    }
}
