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
    @ValueSource(strings = {"cpu:1us", "cpu:0.4us", "wait:20us", "file", "cpu:0us", "wait:0.005us", "cpu:100us"})
    void costIsShownAsTyped(String typed) {
        assertThat(LogCost.parse(typed)).hasToString(typed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "cpu:1", "cpu:us", "cpu:-1us", "wait:1ms", "file:1us", "cpu:1.us", "disk", ""})
    void otherTextsAreNoCost(String typed) {
        assertThat(LogCost.parse(typed)).isNull();
    }

    @Test
    void costIsExact() {
        assertThat(LogCost.parse("cpu:0.4us").nanos()).isEqualTo(400);
        assertThat(LogCost.parse("wait:20us").nanos()).isEqualTo(20_000);
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
