// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MemoryTest {
    @Test
    void poolLargerThanTheMemoryIsRefused() {
        assertThat(Memory.of(4096, 4096, 64, 0, 1, 8L << 30).jvmFlags()).contains("-XX:MaxDirectMemorySize=84m");
        assertThatThrownBy(() -> Memory.of(4096, 4096, 64, 0, 1, 100_000_000))
                .hasMessageContaining("4096 frames takes")
                .hasMessageEndingWith("so lower --frames");
    }

    @Test
    void memoryOfAllContendersMustFitIntoTheMachine() {
        assertThat(Memory.of(4096, 4096, 64, 0, 2, 2L << 30).directBytes()).isPositive();
        assertThatThrownBy(() -> Memory.of(4096, 4096, 64, 0, 5, 2L << 30))
                .hasMessageStartingWith("5 contenders live at once, and a run of 4096 frames takes ")
                .hasMessageEndingWith("so lower --frames, or compare fewer contenders");
    }
}
