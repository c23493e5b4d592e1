// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.pages.device.DevicePreset;
import io.clockhand.workbench.pages.device.DeviceProfile;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The devices by name: simulated ones, and the disk of this machine. */
final class Devices {
    static final String REAL = "real";

    private Devices() {}

    static List<String> names() {
        return Stream.concat(Arrays.stream(DevicePreset.values()).map(DevicePreset::label), Stream.of(REAL))
                .toList();
    }

    static boolean isReal(String name) {
        return name.equals(REAL);
    }

    /** How much slower it writes than {@link DevicePreset#SSD_A} at its own speed; 1 for the disk. */
    static double slowness(String name, double timeScale) {
        return isReal(name)
                ? 1
                : timeScale
                        * DevicePreset.SSD_A.profile().writesPerSecond()
                        / preset(name).profile().writesPerSecond();
    }

    private static DevicePreset preset(String name) {
        return Arrays.stream(DevicePreset.values())
                .filter(preset -> preset.label().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /**
     * A simulated device; null for the disk.
     *
     * @param channels instead of those of the preset, with the same rates; 0 for those of the preset
     * @param freeWrites whether writes take no time
     */
    static DeviceProfile profile(String name, double timeScale, int channels, boolean freeWrites) {
        if (isReal(name)) {
            return null;
        }
        DeviceProfile preset = preset(name).profile();
        DeviceProfile slowed = (channels == 0 ? preset : preset.withChannels(channels)).slowed(timeScale);
        return freeWrites ? new DeviceProfile(slowed.channels(), slowed.readNanos(), 0, slowed.jitter()) : slowed;
    }
}
