// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.pages.device.DevicePreset;
import io.clockhand.workbench.pages.device.DeviceProfile;
import java.io.IOException;
import java.nio.file.Path;

/** The simulated devices, and the disk of this machine. */
enum Device {
    SSD_A(DevicePreset.SSD_A),
    SSD_C(DevicePreset.SSD_C),
    HDD(DevicePreset.HDD),
    REAL(null);

    private final DevicePreset preset;

    Device(DevicePreset preset) {
        this.preset = preset;
    }

    /** How much slower it writes than the one for which the rates of the schemes are stated; 1 for the disk. */
    double slowness(double timeScale) {
        return preset == null
                ? 1
                : timeScale
                        * DevicePreset.SSD_A.profile().writesPerSecond()
                        / preset.profile().writesPerSecond();
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
        DeviceProfile own = preset.profile();
        DeviceProfile slowed = (channels == null ? own : own.withChannels(channels)).slowed(timeScale);
        return freeWrites ? new DeviceProfile(slowed.channels(), slowed.readNanos(), 0, slowed.jitter()) : slowed;
    }

    /** Opens a file, as a test. */
    static void requireDirectIo(Path directory, int pages, int pageBytes) {
        Disk.require(directory, (long) pages * pageBytes, "the data file");
        try {
            FilePageStore.open(directory.resolve("probe.data"), pageBytes, FileOption.CREATE, FileOption.DIRECT)
                    .delete();
        } catch (IOException e) {
            throw new CommandFailure("--device real is not possible: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
