// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/**
 * A single-threaded policy whose hits can be prefetched by {@linkplain Policies#batched BP-Wrapper}: optional, for a
 * policy of one's own that is to be wrapped. {@link Batching} says when it pays.
 *
 * <p>Source: BP-Wrapper (see {@link Policies}), section III.B.
 */
public interface PrefetchablePolicy extends ReplacementPolicy {
    /**
     * Reads what {@link #onHit} would change, and changes nothing. A thread that does so before it waits for the
     * policy's lock has the cache lines at hand once it has the lock.
     *
     * <p>Called without the lock, by any thread, while another one may change the policy: what is read may be stale, so
     * the method checks every index, and neither throws nor loops.
     *
     * @param frame the frame
     * @return a meaningless number computed from all that was read, without which the compiler could drop the reads
     */
    int prefetch(int frame);
}
