// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import io.clockhand.PoolFailedException;
import io.clockhand.cache.HolderCache;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.derby.iapi.services.cache.Cacheable;
import org.apache.derby.iapi.services.context.ContextManager;
import org.apache.derby.iapi.services.daemon.DaemonService;
import org.apache.derby.iapi.services.daemon.Serviceable;
import org.apache.derby.shared.common.error.StandardException;

/**
 * Processes the cleaning queue of a cache on Derby's daemon, a few objects at a time, because the daemon also writes
 * checkpoints and does the work after commits.
 *
 * <p>The first thread that asks for service sets {@code requested}. The daemon clears it before it reads the queue, so
 * an object that is queued later causes another request.
 */
final class DaemonCleaner implements Serviceable {
    private static final int BATCH = 8;

    private final AtomicBoolean requested = new AtomicBoolean();
    private final HolderCache<Object, Cacheable, StandardException> cache;
    private final DaemonService daemon;
    private final int subscription;

    DaemonCleaner(HolderCache<Object, Cacheable, StandardException> cache, DaemonService daemon) {
        this.cache = cache;
        this.daemon = daemon;
        this.subscription = daemon.subscribe(this, true);
    }

    void request() {
        if (!requested.get() && requested.compareAndSet(false, true)) {
            try {
                daemon.serviceNow(subscription);
            } catch (Throwable failure) {
                requested.set(false);
                throw failure;
            }
        }
    }

    void unsubscribe() {
        daemon.unsubscribe(subscription);
    }

    @Override
    public int performWork(ContextManager context) throws StandardException {
        requested.set(false);
        boolean more = true;
        try {
            more = cache.cleanQueued(BATCH);
        } catch (PoolFailedException e) {
            more = false; // the daemon, which only reports it, would never rest
            throw e;
        } finally {
            if (more) {
                request();
            }
        }
        return Serviceable.DONE;
    }

    @Override
    public boolean serviceASAP() {
        return true;
    }

    @Override
    public boolean serviceImmediately() {
        return false;
    }
}
