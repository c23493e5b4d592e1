// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

import io.clockhand.workbench.lruc.pool.ComparedPool;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Closes a pool in a thread of its own, so that the wait for it has a bound. */
final class BackgroundClose {
    private final FutureTask<Void> close;

    BackgroundClose(ComparedPool pool) {
        close = new FutureTask<>(() -> {
            pool.close();
            return null;
        });
        Thread closer = new Thread(close, "close of the pool");
        closer.setDaemon(true);
        closer.start();
    }

    /** {@return whether the pool is closed within this time} Throws what has prevented that. */
    boolean endsWithin(long nanos) throws Exception {
        try {
            close.get(nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
