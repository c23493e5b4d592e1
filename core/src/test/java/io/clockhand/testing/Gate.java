// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Stops a thread at a chosen place until the test lets it go on. Both sides give up after a long time. */
public final class Gate {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    /** Called at the chosen place: notifies the test and waits for it. */
    public void pass() {
        reached.countDown();
        await(open, "the test did not open the gate");
    }

    /** Called by the test: waits until a thread stands at the gate. */
    public void awaitReached() {
        await(reached, "no thread came to the gate");
    }

    /** Lets all threads pass, now and later. */
    public void open() {
        open.countDown();
    }

    /** {@return whether a thread has come to the gate} */
    public boolean isReached() {
        return reached.getCount() == 0;
    }

    private static void await(CountDownLatch latch, String failure) {
        try {
            if (!latch.await(Workers.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError(failure + " within " + Workers.LIMIT.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted at the gate", e);
        }
    }
}
