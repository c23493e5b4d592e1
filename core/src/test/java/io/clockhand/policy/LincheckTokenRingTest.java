// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;

/** Two threads that exchange tokens of a ring, in every interleaving of a few steps: each token is taken once. */
class LincheckTokenRingTest {
    private static final int INVOCATIONS = 500;

    private static void exchange(TokenRing ring) {
        AtomicLong sum = new AtomicLong(1);
        ring.offer(1);
        Thread other = new Thread(() -> exchange(ring, 10, sum));
        other.start();
        exchange(ring, 100, sum);
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        for (long token = ring.poll(); token != TokenRing.NONE; token = ring.poll()) {
            sum.addAndGet(-token);
        }
        if (sum.get() != 0) {
            throw new IllegalStateException("the tokens that were added less those that were taken: " + sum);
        }
    }

    private static void exchange(TokenRing ring, long token, AtomicLong sum) {
        if (ring.offer(token) != TokenRing.NONE) {
            sum.addAndGet(token);
        }
        long taken = ring.poll();
        if (taken != TokenRing.NONE) {
            sum.addAndGet(-taken);
        }
    }

    @Test
    void tokensAreTakenOnce() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> exchange(new TokenRing(2)));
    }

    @Test
    void lincheckFindsARingThatIgnoresOtherTakers() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(
                        INVOCATIONS,
                        () -> exchange(new TokenRing(2) {
                            @Override
                            boolean take(long position) {
                                super.take(position);
                                return true;
                            }
                        })))
                .hasMessageContaining("the tokens that were added");
    }
}
