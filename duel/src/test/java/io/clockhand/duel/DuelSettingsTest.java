// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DuelSettingsTest {
    @Test
    void ownTimeIsSharedByTheProcessesAndRoundedUpToSlices() {
        DuelSettings settings = settings(150, 1000, 400, 3, Map.of());
        assertThat(settings.rounds()).isEqualTo(3);
        assertThat(settings.warmUpRounds()).isEqualTo(3);
        assertThat(settings(150, 24_000, 0, 1, Map.of()).rounds()).isEqualTo(160);
    }

    @Test
    void settingsThatMeasureNothingAreRefused() {
        assertThatThrownBy(() -> settings(0, 1000, 0, 1, Map.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings(100, 300, 0, 4, Map.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings(100, 300, 0, 0, Map.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings(100, 300, 0, 1, Map.of("a", 1.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a cannot be slowed");
    }

    private static DuelSettings settings(
            int sliceMillis, int ownMillis, int warmUpMillis, int processes, Map<String, Double> slowed) {
        return new DuelSettings(
                Duration.ofMillis(sliceMillis),
                Duration.ofMillis(ownMillis),
                Duration.ofMillis(warmUpMillis),
                processes,
                1,
                slowed,
                true);
    }
}
