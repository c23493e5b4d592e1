// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.pages.device.SimulatedSsd.EarlyRelease;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class EarlyReleaseTest {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;

    private long now = Long.MAX_VALUE - 10 * MILLI;

    /** The mean of how late waits of 1 ms end, after some that are not counted. */
    private double meanLateness(LongUnaryOperator lateness, int waits) {
        EarlyRelease release = new EarlyRelease(() -> now, nanos -> now += nanos + lateness.applyAsLong(nanos));
        long sum = 0;
        int uncounted = 500;
        for (int i = 0; i < uncounted + waits; i++) {
            long due = now + MILLI;
            release.awaitMoment(due);
            sum += i < uncounted ? 0 : now - due;
        }
        return (double) sum / waits;
    }

    @Test
    void waitsEndInTimeInTheMean() {
        SplittableRandom random = new SplittableRandom(1);

        assertThat(meanLateness(nanos -> random.nextLong(200 * MICRO), 20_000)).isBetween(-2.0 * MICRO, 2.0 * MICRO);
    }

    @Test
    void longPauseIsNotMadeUpFor() {
        EarlyRelease release = new EarlyRelease(() -> now, nanos -> now += nanos);
        EarlyRelease paused = new EarlyRelease(() -> now, nanos -> now += nanos + 1_000 * MILLI);
        paused.awaitMoment(now + MILLI);
        release.awaitMoment(now + MILLI);
        long due = now + 20 * MILLI;
        paused.awaitMoment(due);

        assertThat(now - due).isBetween(999 * MILLI, 1_000 * MILLI);
    }

    @Test
    void wakeUpWithoutAReasonDoesNotEndAWait() {
        EarlyRelease release = new EarlyRelease(() -> now, nanos -> now += (nanos + 1) / 2);
        long due = now + MILLI;
        release.awaitMoment(due);

        assertThat(now).isEqualTo(due);
    }
}
