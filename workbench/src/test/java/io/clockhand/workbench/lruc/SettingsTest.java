// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.lruc.LruC.Setting;
import io.clockhand.workbench.lruc.Sweep.Point;
import io.clockhand.workbench.pages.device.DeviceProfile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options, devices and schemes by name, and the sweep. */
class SettingsTest {
    static LruC parse(String line) {
        return Experiments.parse(new LruC(), line);
    }

    @Test
    void commaBetweenParametersOfAPolicyEndsNoScheme() {
        assertThat(parse("--schemes pool:2q(in=0.3,out=0.6),clock-c --threads 1")
                        .contenders())
                .containsExactly("pool:2q(in=0.3,out=0.6)", "clock-c");
    }

    @Test
    void withoutVanillaTheFirstSchemeIsTheBaseline() {
        assertThat(parse("--schemes war,clock-c").times().baseline()).isEqualTo("war");
        assertThat(parse("--schemes war,clock-c --baseline clock-c").times().baseline())
                .isEqualTo("clock-c");
    }

    @Test
    void freeWritesTakeNoTimeAndReadsTheirs() {
        assertThat(parse("--free-writes").profile())
                .isEqualTo(new DeviceProfile(128, 6_710_000, 0, DeviceProfile.JITTER));
        assertThat(parse("--device real").profile()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"SSD_A, 190622, 33866", "SSD_C, 39860, 3830", "HDD, 280, 216"})
    void busyDeviceDoesTheRequestsOfThePaper(Device device, double reads, double writes) {
        DeviceProfile profile = device.profile(null, 1, false);

        assertThat(profile.readsPerSecond()).isEqualTo(reads, within(reads / 1000));
        assertThat(profile.writesPerSecond()).isEqualTo(writes, within(writes / 1000));
        DeviceProfile other = device.profile(7, 10, false);
        assertThat(other.writesPerSecond()).isEqualTo(profile.writesPerSecond() / 10, within(writes / 1000));
    }

    @Test
    void ratesFollowThePoolAndTheDeviceUnlessTheNameStatesThem() {
        assertThat(Scheme.rate("vanilla", 16_384, 1)).isEqualTo(1024);
        assertThat(Scheme.rate("vanilla", 8192, 10)).isEqualTo(51);
        assertThat(Scheme.rate("vanilla-8192", 16_384, 10)).isEqualTo(819);
        assertThat(Scheme.rate("war", 10, 10)).isOne();
        assertThat(Scheme.rate("vanilla:77", 16_384, 10)).isEqualTo(77);
        assertThat(Scheme.rate("lru-c:300", 10, 10)).isEqualTo(300);
        assertThat(Scheme.of("lru-c:300", 10, 10).periodNanos()).isEqualTo(100_000_000);
        assertThat(Scheme.rate("lru-c-full", 16_384, 10)).isNull();
        assertThat(Scheme.rate("clock-c", 16_384, 10)).isNull();
    }

    @Test
    void wrongRatesAreRefused() {
        for (String number : new String[] {"", "0", "-5", "NaN", "x", "12345678"}) {
            assertThatThrownBy(() -> Scheme.check("vanilla:" + number))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("from 1 to 9999999, not '" + number + "'");
        }
        assertThatThrownBy(() -> Scheme.check("lru-c-full:10")).hasMessageContaining("no rate");
        assertThatThrownBy(() -> Scheme.check("clock:5")).hasMessageContaining("no scheme clock:5; there are");
    }

    @Test
    void bestRateHasTheGreatestThroughputAndIsTheLeastOfEqualOnes() {
        assertThat(best(new Point(102, 900), new Point(204, 1500), new Point(408, 1400)))
                .isEqualTo(204);
        assertThat(best(new Point(102, 900), new Point(408, 1500), new Point(204, 1500)))
                .isEqualTo(204);
        assertThat(best()).isNull();
    }

    private static Long best(Point... points) {
        return Sweep.of(new Setting(32, 10, "2:1"), List.of(points)).bestPagesPerSecond();
    }

    @Test
    void sweepDoublesTheRateOfVanillaAndTakesAQuarterOfTheTime() {
        assertThat(Sweep.rates(102)).containsExactly(102L, 204L, 408L, 816L, 1632L, 3264L, 6528L);
        assertThat(Sweep.count()).isEqualTo(7);
        assertThat(Sweep.seconds(40)).isEqualTo(10);
        assertThat(Sweep.seconds(2)).isOne();
    }
}
