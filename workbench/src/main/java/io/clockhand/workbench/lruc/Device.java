// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.pages.device.DeviceProfile;

/**
 * Devices of B. Lee, M. An, S.-W. Lee, <i>LRU-C</i>, PVLDB 2023, Table 1, which states their random reads and writes of
 * 16 KiB per second, and the disk of this machine. Channels and latencies are a model: the paper has none. While all
 * channels are busy, the model does the paper's number of reads, or of writes, per second.
 */
enum Device {
    /** An NVMe SSD, 190,622 reads or 33,866 writes a second: 0.671 ms and 3.780 ms on each of 128 channels. */
    SSD_A(new DeviceProfile(128, 671_000, 3_780_000, DeviceProfile.JITTER)),
    /**
     * A SATA SSD, 39,860 reads or 3,830 writes a second: 0.803 ms and 8.355 ms on each of 32 channels, since the queue
     * of a SATA device holds 32 commands.
     */
    SSD_C(DeviceProfile.rated(32, 39_860, 3_830)),
    /** A hard disk, 280 reads or 216 writes a second: 3.571 ms and 4.630 ms, one after the other. */
    HDD(DeviceProfile.rated(1, 280, 216)),
    REAL(null);

    @SuppressWarnings("ImmutableEnumChecker") // a record of numbers, which the checker does not see
    private final DeviceProfile preset;

    Device(DeviceProfile preset) {
        this.preset = preset;
    }

    /** How much slower it writes than the one for which the rates of the schemes are stated; 1 for the disk. */
    double slowness(double timeScale) {
        return preset == null ? 1 : timeScale * SSD_A.preset.writesPerSecond() / preset.writesPerSecond();
    }

    /**
     * The latencies as they are simulated; null for the disk.
     *
     * @param channels null for those of the preset
     */
    DeviceProfile profile(Integer channels, double timeScale, boolean freeWrites) {
        if (preset == null) {
            return null;
        }
        DeviceProfile slowed = (channels == null ? preset : preset.withChannels(channels)).slowed(timeScale);
        return freeWrites ? new DeviceProfile(slowed.channels(), slowed.readNanos(), 0, slowed.jitter()) : slowed;
    }

    int pageBytes() {
        return this == REAL ? 4096 : 512;
    }

    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
