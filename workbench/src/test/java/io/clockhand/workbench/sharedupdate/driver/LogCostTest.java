// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.sharedupdate.driver.Log.LogCost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogCostTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"cpu", "cpu:1", "cpu:us", "cpu:-1us", "wait:1ms", "file:1us", "cpu:1.us", "wait:0us", "disk", ""
            })
    void otherTextsAreNoCost(String typed) {
        assertThat(LogCost.parse(typed)).isNull();
    }

    @Test
    void costIsExact() {
        assertThat(LogCost.parse("cpu:0.4us").nanos()).isEqualTo(400);
        assertThat(LogCost.parse("wait:0.005us").nanos()).isEqualTo(5);
        assertThat(LogCost.parse("wait:20us").waits()).isTrue();
        assertThat(LogCost.parse("file").waits()).isFalse();
    }

    @Test
    void computingTakesLongerWithMoreSteps() {
        double steps = CpuLoop.stepsPerMicro();

        assertThat(steps).isBetween(10.0, 10_000.0);
        assertThat(CpuLoop.run(1_000, 5)).isNotZero().isNotEqualTo(CpuLoop.run(1_000, 7));
    }
}
