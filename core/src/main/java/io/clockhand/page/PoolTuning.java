// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.policy.ClockHand;
import java.util.Objects;

/** Settings of a {@link BufferPool} that few programs need; see {@link BufferPoolBuilder#tuning}. Not thread-safe. */
public final class PoolTuning {
    private static final int MOST_PREFETCH_THREADS = 256;

    ClockHand hand = ClockHand.DEFAULT;
    PageTableKind table = PageTableKind.DEFAULT;
    PageIn pageIn = PageIn.DEFAULT;
    int prefetchThreads = 4;

    PoolTuning() {}

    /**
     * Sets how policies of the clock family move their hand; {@link ClockHand#DEFAULT} if not set.
     *
     * @param clockHand the kind of hand
     * @return this
     */
    public PoolTuning hand(ClockHand clockHand) {
        hand = Objects.requireNonNull(clockHand, "hand");
        return this;
    }

    /**
     * Sets the table in which pages are looked up; {@link PageTableKind#DEFAULT} if not set.
     *
     * @param kind the kind of table
     * @return this
     */
    public PoolTuning table(PageTableKind kind) {
        table = Objects.requireNonNull(kind, "table");
        return this;
    }

    /**
     * Sets what a thread does that needs a page which another thread reads; {@link PageIn#DEFAULT} if not set.
     *
     * @param way what it does
     * @return this
     */
    public PoolTuning pageIn(PageIn way) {
        pageIn = Objects.requireNonNull(way, "pageIn");
        return this;
    }

    /**
     * Sets how many threads {@linkplain PagedFile#prefetch prefetch}, which is the number of such reads at a time; 4 if
     * not set. They are started when they are needed, and end when they are idle.
     *
     * @param count 0, for no prefetch, to 256
     * @return this
     */
    public PoolTuning prefetchThreads(int count) {
        if (count < 0 || count > MOST_PREFETCH_THREADS) {
            throw new IllegalArgumentException(
                    "prefetchThreads is " + count + "; it must lie between 0 and " + MOST_PREFETCH_THREADS);
        }
        prefetchThreads = count;
        return this;
    }
}
