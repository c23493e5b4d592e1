// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        assertThatThrownBy(() -> LogCost.parse(typed)).hasMessageStartingWith("'" + typed + "' is no log");
    }

    @Test
    void costIsExact() {
        assertThat(LogCost.parse("cpu:0.4us").nanos()).isEqualTo(400);
        assertThat(LogCost.parse("wait:0.005us").nanos()).isEqualTo(5);
        for (String name : new String[] {"cpu:0.4us", "wait:20us", "file"}) {
            assertThat(LogCost.parse(name)).hasToString(name);
        }
        assertThat(LogCost.parse("wait:20us").waits()).isTrue();
        assertThat(LogCost.parse("file").waits()).isFalse();
    }
}
