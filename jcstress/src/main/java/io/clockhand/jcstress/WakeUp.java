// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A waiter against the change that it waits for. The change comes after a random number of spins, so that it meets the
 * waiter spinning, queueing itself, or parked. A waiter tests its condition once more when its time is over, so a
 * wake-up that is lost shows in the time that it sleeps on.
 */
abstract class WakeUp {
    /** When a test has failed, so that it ends before jcstress ends it. */
    static final Duration SHORT_WAIT = Duration.ofMillis(400);

    private static final int MOST_SPINS = 100;

    /** As long as possible, so that only a wait that has no end reaches it: jcstress gives a test half a minute. */
    private static volatile Duration longWait = Duration.ofSeconds(25);

    private final Signal signal;
    private final int spins = ThreadLocalRandom.current().nextInt(MOST_SPINS);
    private long calledAt;
    private long changedAt;
    private long returnedAt;

    WakeUp(Signal signal) {
        this.signal = signal;
    }

    /** {@return the longest time that a thread waits in a test; short when a wake-up was lost in this JVM} */
    static Duration longWait() {
        return longWait;
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
        if (slept < signal.waitNanos() / 5 * 4) {
            return "in time";
        }
        longWait = SHORT_WAIT;
        return "too late";
    }
}
