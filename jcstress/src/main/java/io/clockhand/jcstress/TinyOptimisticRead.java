// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The protocol in its smallest form: a version, and the page that is loaded. */
class TinyOptimisticRead extends OptimisticRead {
    final AtomicLong versions = new AtomicLong();
    private long seen;
    final AtomicInteger loaded = new AtomicInteger(A);

    @Override
    final boolean begin(int page) {
        seen = versions.getAcquire();
        return (seen & 1) == 0 && loaded.getAcquire() == page;
    }

    @Override
    final boolean isUnchanged() {
        VarHandle.acquireFence();
        return versions.getAcquire() == seen;
    }

    /** Makes the version odd. */
    @Override
    void latch() {
        versions.getAndAdd(1);
        VarHandle.storeStoreFence();
    }

    @Override
    void unlatch() {
        versions.getAndAdd(1);
    }

    @Override
    void renew() {
        loaded.setRelease(0);
        versions.setRelease(versions.getPlain() + 2);
        VarHandle.storeStoreFence();
    }

    @Override
    final void load(int page) {
        loaded.setRelease(page);
    }
}
