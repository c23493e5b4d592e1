// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.experiment.Experiments;
import io.clockhand.workbench.lruc.LruC.ReadWrite;
import io.clockhand.workbench.lruc.LruC.Setting;
import io.clockhand.workbench.lruc.driver.WriteMix;
import io.clockhand.workbench.pages.device.DeviceProfile;
import io.clockhand.workbench.report.Cell;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingsTest {
    static LruC parse(String line) {
        return Experiments.parse(new LruC(), line);
    }

    @Test
    void defaultsAreThoseOfThePaper() {
        LruC experiment = parse("");

        assertThat(Experiments.plan(experiment))
                .hasSize(2)
                .allSatisfy(group -> assertThat(group).extracting(Cell::name).isEqualTo(Schemes.COMPARED));
        assertThat(experiment.pageBytes("ssd-a")).isEqualTo(512);
        assertThat(experiment.pageBytes("real")).isEqualTo(4096);
        assertThat(experiment.timeScale("ssd-a")).isEqualTo(10);
        assertThat(experiment.timeScale("real")).isOne();
        assertThat(LruC.frames(10, 163_840)).isEqualTo(16_384);
        assertThat(Experiments.options(experiment))
                .containsEntry("pages", 163_840)
                .containsEntry("baseline", "vanilla")
                .containsEntry("threads", List.of(32, 64))
                .containsEntry("seed", 1L);
    }

    @Test
    void schemesAlternateInEachRepeat() {
        assertThat(Experiments.plan(parse("--schemes clock-c,pool:lru --threads 8 --repeat 2")).stream()
                        .flatMap(List::stream)
                        .map(cell -> cell.name() + " " + cell.repeat()))
                .containsExactly("clock-c 1", "pool:lru 1", "clock-c 2", "pool:lru 2");
    }

    @Test
    void withoutVanillaTheFirstSchemeIsTheBaseline() {
        assertThat(parse("--schemes war,clock-c").times().baseline()).isEqualTo("war");
        assertThat(parse("--schemes war,clock-c --baseline clock-c").times().baseline())
                .isEqualTo("clock-c");
    }

    @Test
    void ratesOfVanillaFollowThePoolAndTheDevice() {
        assertThat(Schemes.rate("vanilla", 16_384, 1)).isEqualTo(1024);
        assertThat(Schemes.rate("vanilla", 8192, 10)).isEqualTo(51);
        assertThat(Schemes.rate("vanilla-8192", 16_384, 10)).isEqualTo(819);
        assertThat(Schemes.rate("vanilla:77", 16_384, 10)).isEqualTo(77);
        assertThat(Schemes.rate("clock-c", 16_384, 10)).isNull();
    }

    @Test
    void freeWritesTakeNoTimeAndReadsTheirs() {
        DeviceProfile free = Devices.profile("ssd-a", 10, 0, true);

        assertThat(free.writeNanos()).isZero();
        assertThat(free.readNanos()).isEqualTo(6_710_000);
        assertThat(Devices.profile("real", 10, 0, false)).isNull();
    }

    @Test
    void ratiosOfReadsToWritesAreMixes() {
        assertThat(ReadWrite.mix("2:1")).isEqualTo(WriteMix.TPCC);
        assertThat(ReadWrite.mix("4:2")).isEqualTo(WriteMix.TPCC);
        assertThat(ReadWrite.mix("1.5:1")).isEqualTo(WriteMix.ofRatio(1.5));
        assertThatThrownBy(() -> ReadWrite.mix("2")).hasMessageContaining("is no ratio of page reads");
    }

    @Test
    void traceHasItsOwnWrites() {
        Setting setting = parse("--workload trace:some.trace --schemes clock-c --threads 1")
                .settings()
                .get(0);

        assertThat(setting.readWrite()).isNull();
        assertThat(setting).hasToString("ssd-a, 1 thread, pool 10 %");
    }
}
