// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.lruc.Sweep.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepTest {
    private static Long best(Point... points) {
        return new Sweep(new LruC.Setting("ssd-a", 32, 10, "2:1"), List.of(points)).best();
    }

    @Test
    void bestRateHasTheGreatestThroughput() {
        assertThat(best(new Point(102, 900), new Point(204, 1500), new Point(408, 1400)))
                .isEqualTo(204);
    }

    @Test
    void ofEqualRatesTheLeastIsTheBest() {
        assertThat(best(new Point(102, 900), new Point(408, 1500), new Point(204, 1500)))
                .isEqualTo(204);
    }

    @Test
    void withoutAnyRunThereIsNoBest() {
        assertThat(best()).isNull();
    }

    @Test
    void sweepDoublesTheRateOfVanillaAndTakesAQuarterOfTheTime() {
        assertThat(Sweep.rates(Schemes.vanillaRate(16_384, 10)))
                .containsExactly(102L, 204L, 408L, 816L, 1632L, 3264L, 6528L);
        assertThat(Sweep.runs()).isEqualTo(7);
        assertThat(Sweep.seconds(40)).isEqualTo(10);
        assertThat(Sweep.seconds(2)).isOne();
    }
}
