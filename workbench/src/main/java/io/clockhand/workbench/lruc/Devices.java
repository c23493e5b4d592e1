// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.device.DevicePreset;
import io.clockhand.workbench.device.DeviceProfile;
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

    /**
     * A simulated device; null for the disk.
     *
     * @param freeWrites whether writes take no time
     */
    static DeviceProfile profile(String name, double timeScale, boolean freeWrites) {
        if (isReal(name)) {
            return null;
        }
        DeviceProfile slowed = Arrays.stream(DevicePreset.values())
                .filter(preset -> preset.label().equals(name))
                .findFirst()
                .orElseThrow()
                .profile()
                .slowed(timeScale);
        return freeWrites ? new DeviceProfile(slowed.channels(), slowed.readNanos(), 0, slowed.jitter()) : slowed;
    }
}
