// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.LongWaitHandler;
import io.clockhand.internal.frame.FrameLine;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The steps of threads that wait for a frame. */
class FrameWaitTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    /** Longer than that by more than a thread is late. */
    private static final Duration SUSPENSION = Duration.ofMillis(700);
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final Duration LONG = Duration.ofHours(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final FrameLine line = new FrameStates(4, true).line();

    private static PoolOptions options(Duration exhaustedAfter) {
        return new PoolOptions(
                "",
                4,
                4,
                true,
                exhaustedAfter,
                "",
                IllegalStateException::new,
                LONG,
                LongWaitHandler.GIVE_UP::onLongWait);
    }

    /** It may have written nothing, since its time was over; then nothing else would wake the others. */
    @Test
    void threadWhoseTimeEndsDuringItsSweepLeavesTheSweepToTheNext() {
        FrameWait first = new FrameWait(line, options(SHORT));
        first.enter();
        assertThat(first.next()).as("the first step").isEqualTo(FrameWait.SWEEP);
        Worker<Integer> second = workers.start(() -> {
            FrameWait wait = new FrameWait(line, options(LONG));
            wait.enter();
            assertThat(wait.next()).as("the first step of the second thread").isEqualTo(FrameWait.WOKEN);
            int step = wait.next();
            wait.leave();
            return step;
        });
        second.awaitParked();
        while (!first.isOver()) {
            Thread.onSpinWait();
        }

        for (int step = FrameWait.SWEEP; step != FrameWait.OUT_OF_TIME; ) {
            step = first.next();
            while (step == FrameWait.SWEEP && !first.isOver()) { // again, if the process was suspended meanwhile
                Thread.onSpinWait();
            }
        }
        first.leave();

        assertThat(second.result()).as("the next step of the second thread").isEqualTo(FrameWait.SWEEP);
    }

    /** Nobody else would wake it: the sweep is its own. */
    @Test
    void threadThatWasSuspendedInItsSweepSweepsAgain() {
        FrameWait wait = new FrameWait(line, options(SHORT));
        wait.enter();
        assertThat(wait.next()).as("the first step").isEqualTo(FrameWait.SWEEP);
        while (wait.waited() < SUSPENSION.toNanos()) {
            Thread.onSpinWait();
        }

        assertThat(wait.next()).as("the step after the suspension").isEqualTo(FrameWait.WOKEN);
        assertThat(wait.next()).as("the next step").isEqualTo(FrameWait.SWEEP);
        while (!wait.isOver()) {
            Thread.onSpinWait();
        }
        assertThat(wait.next()).as("the step after one more second").isEqualTo(FrameWait.OUT_OF_TIME);
        wait.leave();

        Worker<Integer> second = workers.start(() -> {
            FrameWait other = new FrameWait(line, options(LONG));
            other.enter();
            assertThat(other.next()).as("the first step of the second thread").isEqualTo(FrameWait.SWEEP);
            int step = other.next();
            other.leave();
            return step;
        });
        second.awaitParked();
        line.sweep();
        assertThat(second.result()).as("the step of a thread that was woken").isEqualTo(FrameWait.WOKEN);
        assertThat(line.isEmpty()).as("the line is empty").isTrue();
    }
}
