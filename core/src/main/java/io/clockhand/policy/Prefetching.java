// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.locks.Lock;

/**
 * A single-threaded policy under one lock, where a hit {@linkplain ReplacementPolicy#touch reads} what it will change before it asks for the
 * lock: BP-Wrapper's prefetching without its queues.
 *
 * <p>Source: X. Ding, S. Jiang, X. Zhang, BP-Wrapper, ICDE 2009, section III.B.
 */
final class Prefetching extends Locked {

    Prefetching(ReplacementPolicy policy, Lock lock) {
        super(policy, lock);
    }

    @Override
    public void onHit(int frame) {
        use(policy().touch(frame));
        super.onHit(frame);
    }
}
