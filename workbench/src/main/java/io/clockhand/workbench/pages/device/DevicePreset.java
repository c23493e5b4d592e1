// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import java.util.Locale;

/**
 * Devices of B. Lee, M. An, S.-W. Lee, <i>LRU-C</i>, PVLDB 2023, Table 1, which states their random reads and writes of
 * 16 KiB per second. Channels and latencies are a model: the paper has none. While all channels are busy, the model
 * does the paper's number of reads, or of writes, per second.
 */
public enum DevicePreset {
    /** An NVMe SSD, 190,622 reads or 33,866 writes a second: 0.671 ms and 3.780 ms on each of 128 channels. */
    SSD_A(new DeviceProfile(128, 671_000, 3_780_000, 0)),
    /**
     * A SATA SSD, 39,860 reads or 3,830 writes a second: 0.803 ms and 8.355 ms on each of 32 channels, since the queue
     * of a SATA device holds 32 commands.
     */
    SSD_C(DeviceProfile.rated(32, 39_860, 3_830)),
    /** A hard disk, 280 reads or 216 writes a second: 3.571 ms and 4.630 ms, one after the other. */
    HDD(DeviceProfile.rated(1, 280, 216));

    /** The part of a latency by which requests are longer or shorter at most. */
    public static final double JITTER = 0.1;

    @SuppressWarnings("ImmutableEnumChecker") // a record of numbers, which the checker does not see
    private final DeviceProfile profile;

    DevicePreset(DeviceProfile profile) {
        this.profile = profile.withJitter(JITTER);
    }

    /** At the device's own speed, with {@link #JITTER}. */
    public DeviceProfile profile() {
        return profile;
    }

    /** As options name it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return label();
    }
}
