// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorTimesTest {
    @Test
    void waitsForADiskAreIdleAndGuestsAreNotCountedTwice() {
        ProcessorTimes before = ProcessorTimes.parse("cpu  10 0 10 70 10 0 0 0 10 0");
        ProcessorTimes after = ProcessorTimes.parse("cpu  40 0 20 100 40 0 0 0 40 0");

        assertThat(before).isEqualTo(new ProcessorTimes(80, 100));
        assertThat(ProcessorTimes.idlePercent(before, after)).isEqualTo(60);
    }

    @Test
    void nothingIsKnownWhereTheSystemDoesNotTell() {
        ProcessorTimes some = new ProcessorTimes(1, 2);

        assertThat(ProcessorTimes.parse("")).isNull();
        assertThat(ProcessorTimes.parse("cpu0 1 2 3 4 5 6 7 8")).isNull();
        assertThat(ProcessorTimes.idlePercent(null, some)).isNull();
        assertThat(ProcessorTimes.idlePercent(some, some)).isNull();
    }
}
