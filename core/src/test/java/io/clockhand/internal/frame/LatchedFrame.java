// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Workers;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A frame with a page that no thread uses, for tests of its latch. Each test releases what it acquires. */
abstract class LatchedFrame {
    static final int FRAME = 3;
    static final long SHORT = TimeUnit.MILLISECONDS.toNanos(5);
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    static final long LONG = TimeUnit.HOURS.toNanos(1);

    final FrameStates states = new FrameStates(8, true);
    final Latches latches = new Latches(states, 8);

    @RegisterExtension
    final Workers workers = new Workers();

    @BeforeEach
    void loadPage() {
        states.tryTakeFree(FRAME);
        states.publishPinned(FRAME, 0);
        states.ready(FRAME);
        states.unpin(FRAME);
    }

    @AfterEach
    void nothingIsLeftInTheWord() {
        assertThat(states.latch(FRAME) & ~LatchWord.VERSION & ~LatchWord.WAITED).isZero();
    }
}
