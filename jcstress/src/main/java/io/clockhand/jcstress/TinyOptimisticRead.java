// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The protocol in its smallest form: a version, and the page that is loaded. */
class TinyOptimisticRead extends OptimisticRead {
    final AtomicLong versions = new AtomicLong();
    final AtomicInteger loaded = new AtomicInteger(A);

    @Override
    final long version() {
        return versions.getAcquire();
    }

    @Override
    final boolean isLoaded(int page) {
        return loaded.getAcquire() == page;
    }

    @Override
    boolean isUnchanged(long version) {
        VarHandle.acquireFence();
        return versions.getAcquire() == version;
    }

    @Override
    void renew() {
        loaded.setRelease(0);
        versions.setRelease(versions.getPlain() + 1);
        VarHandle.storeStoreFence();
    }

    @Override
    final void load(int page) {
        loaded.setRelease(page);
    }
}
