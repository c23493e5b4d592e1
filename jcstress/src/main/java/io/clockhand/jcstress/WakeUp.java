// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A waiter against the change that it waits for. The change comes after a random number of spins, so that it meets the
 * waiter spinning, queueing itself, or parked. A wake-up that is lost shows in the time that the waiter sleeps on.
 */
abstract class WakeUp {
    /** For twins, which do lose wake-ups; usually longer than a thread is descheduled. */
    static final Duration SHORT_WAIT = Duration.ofMillis(400);

    private static final int MOST_SPINS = 100;

    private final Signal signal;
    private final int spins = ThreadLocalRandom.current().nextInt(MOST_SPINS);
    private long calledAt;
    private long changedAt;
    private long returnedAt;

    WakeUp(Signal signal) {
        this.signal = signal;
    }

    /** Waits again where the time was up before the change came: that is no fault. */
    final String await() {
        do {
            calledAt = System.nanoTime();
            boolean seen = signal.await();
            returnedAt = System.nanoTime();
            if (seen) {
                return "seen";
            }
        } while (returnedAt - calledAt >= signal.waitNanos());
        return "gave up early";
    }

    final void change() {
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
        signal.change();
        changedAt = System.nanoTime();
    }

    final String end() {
        long slept = Math.min(returnedAt - changedAt, returnedAt - calledAt);
        return slept < signal.waitNanos() / 2 ? "in time" : "too late";
    }
}
