// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.locks.Lock;

/**
 * A single-threaded policy under one lock, whose hits {@linkplain PrefetchablePolicy#prefetch read} what they will
 * change before they wait for the lock: BP-Wrapper's prefetching without its queues.
 *
 * <p>Source: X. Ding, S. Jiang, X. Zhang, BP-Wrapper, ICDE 2009, section III.B.
 */
final class Prefetching extends Locked {
    private final PrefetchablePolicy policy;

    Prefetching(PrefetchablePolicy policy, Lock lock) {
        super(policy, lock);
        this.policy = policy;
    }

    @Override
    public void onHit(int frame) {
        use(policy.prefetch(frame));
        super.onHit(frame);
    }
}
