// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import io.clockhand.page.BufferPool;
import io.clockhand.page.PoolStats;
import io.clockhand.workbench.bpwrapper.driver.CountingLock.Counts;
import io.clockhand.workbench.bpwrapper.driver.RunAnswer.Counted;
import io.clockhand.workbench.pages.driver.Players;

/** The counts of the lock, the policy and the pool in an interval. For one thread, while others play. */
final class Tally implements Players.Interval {
    private final CountingLock lock;
    private final RecordedHits policy;
    private final BufferPool pool;
    private Counts locks;
    private long recorded;
    private PoolStats before;
    private PoolStats after;

    /** The pool counts from now on, not from the interval's begin, since code that begins to count is compiled anew. */
    Tally(CountingLock lock, RecordedHits policy, BufferPool pool) {
        this.lock = lock;
        this.policy = policy;
        this.pool = pool;
        pool.collectStats(true);
    }

    @Override
    public void begins() {
        locks = lock.counts();
        recorded = policy.count();
        before = pool.stats(); // scans all frames, which takes a while
    }

    @Override
    public void ends() {
        locks = lock.counts().since(locks);
        recorded = policy.count() - recorded;
        after = pool.stats();
    }

    /**
     * The counts, when the interval has ended.
     *
     * @param accesses that there were in it
     */
    Counted of(long accesses) {
        return new Counted(
                accesses,
                after.hits() - before.hits(),
                after.misses() - before.misses(),
                locks.acquisitions(),
                locks.contentions(),
                locks.failedTries(),
                recorded);
    }
}
