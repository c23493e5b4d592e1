// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.PoolOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PageBuffersTest {
    private static final int FRAMES = 4;

    private final PageBuffers buffers = new PageBuffers(
            new FrameStates(FRAMES, true),
            new PoolOptions(
                    "",
                    true,
                    FRAMES,
                    FRAMES,
                    true,
                    Duration.ofSeconds(1),
                    "",
                    IllegalStateException::new,
                    Duration.ofMillis(5),
                    (what, waited) -> {
                        throw new IllegalStateException(what);
                    }),
            1024);

    @Test
    void concurrentReaderWithoutABufferTakesNoPlace() {
        int first = buffers.takeSpare();
        assertThat(buffers.takeSpare()).isNotEqualTo(FrameMemory.NONE);
        for (int i = 0; i < 5; i++) {
            assertThat(buffers.takeSpare()).isEqualTo(FrameMemory.NONE);
        }

        buffers.memory().offer(first);
        buffers.endSpare();

        assertThat(buffers.takeSpare()).isNotEqualTo(FrameMemory.NONE);
    }

    @Test
    void waitForABufferIsBoundedAndNamesThePage() {
        while (buffers.memory().poll() != FrameMemory.NONE) {
            assertThat(buffers.memory().free()).isNotNegative();
        }

        assertThatThrownBy(() -> buffers.reserve(0, () -> "page 7")).hasMessageContaining("a buffer for page 7");
    }

    @Test
    void interruptedWaitForABufferStaysInterruptedAndGetsTheBuffer() {
        int taken = buffers.memory().poll();
        while (buffers.memory().poll() != FrameMemory.NONE) {
            assertThat(buffers.memory().free()).isNotNegative();
        }
        buffers.memory().offer(taken);
        Thread.currentThread().interrupt();

        buffers.reserve(2, () -> "page 7");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(buffers.reserved(2)).isEqualTo(taken);
    }
}
