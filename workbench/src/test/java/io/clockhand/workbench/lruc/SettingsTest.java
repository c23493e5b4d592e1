// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.experiment.report.Cell;
import io.clockhand.workbench.lruc.Sweep.Point;
import io.clockhand.workbench.pages.device.DeviceProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Options, schemes by name, and the sweep. */
class SettingsTest {
    static LruC parse(String line) {
        return Experiments.parse(new LruC(), line);
    }

    @Test
    void defaultsAreThoseOfThePaper() {
        LruC experiment = parse("");

        assertThat(Experiments.plan(experiment))
                .hasSize(2)
                .allSatisfy(group -> assertThat(group).extracting(Cell::name).isEqualTo(Scheme.COMPARED));
        assertThat(experiment.devices().pageBytes(Device.SSD_A)).isEqualTo(512);
        assertThat(experiment.devices().pageBytes(Device.REAL)).isEqualTo(4096);
        assertThat(experiment.devices().timeScale(Device.SSD_A)).isEqualTo(10);
        assertThat(experiment.devices().timeScale(Device.REAL)).isNull();
        assertThat(Experiments.options(experiment))
                .containsEntry("pages", 163_840)
                .containsEntry("device", List.of("ssd-a"))
                .containsEntry("baseline", "vanilla")
                .containsEntry("threads", List.of(32, 64))
                .containsEntry("seed", 1L);
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
        LruC experiment = parse("--free-writes");
        DeviceProfile free = experiment.devices().profile(Device.SSD_A);

        assertThat(free.writeNanos()).isZero();
        assertThat(free.readNanos()).isEqualTo(6_710_000);
        assertThat(experiment.devices().profile(Device.REAL)).isNull();
    }

    @Test
    void traceHasItsOwnWrites() {
        Setting setting = parse("--workload trace:some.trace --schemes clock-c --threads 1")
                .settings()
                .get(0);

        assertThat(setting.readWrite()).isNull();
        assertThat(setting).hasToString("ssd-a, 1 thread, pool 10 %");
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
    void variantsDifferInOneEffect() {
        Scheme vanilla = Scheme.of("vanilla", 1000, 1);
        assertThat(vanilla.serialFlush()).isFalse();
        assertThat(vanilla.scanDepth()).isEqualTo(100);
        assertThat(Scheme.of("vanilla-serial", 1000, 1).serialFlush()).isTrue();
        assertThat(Scheme.of("vanilla-no-stall", 1000, 1).scanDepth()).isEqualTo(1000);
        assertThat(Scheme.of("cf-lru", 1000, 1).scanDepth()).isEqualTo(250);
        assertThat(Scheme.of("lru-c-full", 1000, 1).twoMutexes()).isTrue();
        assertThat(Scheme.of("lru-c-batch", 1000, 1).twoMutexes()).isFalse();
        assertThat(Scheme.of("lru-c-full", 100, 10).periodNanos()).isEqualTo(10_000_000);
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
        return Sweep.of(new Setting(Device.SSD_A, 32, 10, "2:1"), List.of(points))
                .bestPagesPerSecond();
    }

    @Test
    void sweepDoublesTheRateOfVanillaAndTakesAQuarterOfTheTime() {
        assertThat(Sweep.rates(102)).containsExactly(102L, 204L, 408L, 816L, 1632L, 3264L, 6528L);
        assertThat(Sweep.count()).isEqualTo(7);
        assertThat(Sweep.seconds(40)).isEqualTo(10);
        assertThat(Sweep.seconds(2)).isOne();
    }
}
