// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.ThreadLocalRandom;

/**
 * A waiter against the change that it waits for. The change comes after a random number of spins, so that it meets the
 * waiter spinning, queueing itself, or parked. A wake-up that is lost shows in the time that the waiter sleeps on.
 */
abstract class WakeUp {
    private static final int MOST_SPINS = 100;

    private final Signal signal;
    private final int spins = ThreadLocalRandom.current().nextInt(MOST_SPINS);
    private long calledAt;
    private long changedAt;
    private long returnedAt;

    WakeUp(Signal signal) {
        this.signal = signal;
    }

    final String await() {
        calledAt = System.nanoTime();
        boolean seen = signal.await();
        returnedAt = System.nanoTime();
        return String.valueOf(seen);
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
