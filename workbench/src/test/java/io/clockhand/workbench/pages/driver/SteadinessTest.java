// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class SteadinessTest {
    private static Steadiness of(Double... rates) {
        return Steadiness.of(List.of(rates));
    }

    @Test
    void driftIsThatOfTheSecondHalfAgainstTheFirstWithoutTheSecondInTheMiddle() {
        assertThat(of(100.0, 100.0, 105.0, 115.0).driftPercent()).isEqualTo(10, within(1e-9));
        assertThat(of(100.0, 5000.0, 104.0).driftPercent()).isEqualTo(4, within(1e-9));
        assertThat(of(100.0, 100.0, 100.0, 110.0).stable()).isTrue();
        assertThat(of(100.0, 100.0, 90.0, 89.0).stable()).isFalse();
    }

    @Test
    void slowSecondsAreComparedWithTheMedian() {
        Steadiness steadiness = of(100.0, 20.0, 100.0, 50.0, 49.0, 120.0, 100.0, 100.0);

        assertThat(steadiness.lowestPercent()).isEqualTo(20, within(1e-9));
        assertThat(steadiness.steadyPercent()).isEqualTo(75, within(1e-9));
    }

    @Test
    void isNotKnownOfASingleSecondOrOfAnIdleStart() {
        assertThat(of(100.0)).isNull();
        assertThat(of()).isNull();
        assertThat(of(0.0, 100.0)).isNull();
        assertThat(Steadiness.steadyShare(List.of())).isNull();
    }
}
