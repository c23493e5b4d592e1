// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DevicePresetTest {
    @ParameterizedTest
    @CsvSource({"ssd-a, 190622, 33866", "ssd-c, 39860, 3830", "hdd, 280, 216"})
    void busyDeviceDoesTheRequestsOfThePaper(String label, double reads, double writes) {
        DevicePreset preset = null;
        for (DevicePreset each : DevicePreset.values()) {
            preset = each.label().equals(label) ? each : preset;
        }

        assertThat(preset.profile().readsPerSecond()).isEqualTo(reads, within(reads / 1000));
        assertThat(preset.profile().writesPerSecond()).isEqualTo(writes, within(writes / 1000));
    }

    @Test
    void timeScaleMultipliesLatenciesOnly() {
        DeviceProfile slow = DevicePreset.SSD_A.profile().slowed(10);

        assertThat(slow).isEqualTo(new DeviceProfile(128, 6_710_000, 37_800_000, DevicePreset.JITTER));
    }

    @Test
    void impossibleDeviceIsRefused() {
        assertThatThrownBy(() -> new DeviceProfile(0, 1, 1, 0)).hasMessageContaining("0 channels");
        assertThatThrownBy(() -> new DeviceProfile(1, -1, 1, 0)).hasMessageContaining("-1.0 ns a read");
        assertThatThrownBy(() -> new DeviceProfile(1, 1, Double.NaN, 0)).hasMessageContaining("NaN ns a write");
        assertThatThrownBy(() -> new DeviceProfile(1, 1, 1, 1)).hasMessageContaining("jitter 1.0");
    }
}
