// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The protocol in its smallest form: the page that is loaded, and a word with sharers, a bit that keeps readers out,
 * and a version.
 */
class TinyOptimisticRead extends OptimisticRead {
    static final long SHARERS = 0xFFFF;
    static final long SHUT = 1 << 16;
    static final long VERSION_ONE = 1 << 17;

    final AtomicLong word = new AtomicLong();
    final AtomicInteger loaded = new AtomicInteger(A);
    private long seen;

    @Override
    final boolean begin(int page) {
        seen = word.getAcquire();
        return (seen & SHUT) == 0 && loaded.getAcquire() == page;
    }

    @Override
    final boolean isUnchanged() {
        VarHandle.acquireFence();
        return word.getAcquire() == seen;
    }

    @Override
    boolean tryShare() {
        return word.compareAndSet(seen, seen + 1);
    }

    @Override
    final void endShare() {
        word.getAndAdd(-1);
    }

    @Override
    void latch() {
        word.getAndAdd(SHUT);
        VarHandle.storeStoreFence();
    }

    @Override
    void unlatch() {
        word.getAndAdd(VERSION_ONE - SHUT);
    }

    @Override
    boolean tryClose() {
        long open = word.getAcquire();
        if ((open & SHARERS) != 0 || !word.compareAndSet(open, open + VERSION_ONE + SHUT)) {
            return false;
        }
        loaded.setRelease(0);
        VarHandle.storeStoreFence();
        return true;
    }

    @Override
    void load(int page) {
        loaded.setRelease(page);
        word.setRelease(word.getPlain() - SHUT);
    }
}
