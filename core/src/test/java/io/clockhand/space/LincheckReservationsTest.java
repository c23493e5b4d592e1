// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;

/** Two threads that reserve the same data page, in every interleaving of their steps. */
class LincheckReservationsTest {
    private static final int INVOCATIONS = 50;

    private static final class Race {
        private final Reservations reservations = new Reservations();
        /** Plain, since a page belongs to the thread that has reserved it. */
        private int owners;

        private String failure = "";

        private void reserve() {
            if (!reservations.tryReserve(7)) {
                return;
            }
            int before = owners;
            owners = before + 1;
            if (owners != 1) {
                failure = "two threads have reserved the page";
            }
            owners--;
            reservations.release(7);
        }

        private void run() {
            Thread other = new Thread(this::reserve);
            other.start();
            reserve();
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (!failure.isEmpty() || !reservations.tryReserve(7)) {
                throw new AssertionError(failure.isEmpty() ? "the page stays reserved" : failure);
            }
        }
    }

    @Test
    void pageIsReservedByOneThread() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> new Race().run());
    }
}
