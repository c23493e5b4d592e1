// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.flush.UpdateContext;
import io.clockhand.internal.flush.UpdateContexts;
import io.clockhand.wal.WriteAheadLog;
import java.util.concurrent.atomic.AtomicLong;

/** The first updates of a page, in its dirty page context; a broken variant overrides one step. */
class FirstUpdates {
    private final UpdateContexts contexts = new UpdateContexts(1);
    private final AtomicLong logEnd = new AtomicLong(1);

    final void update() {
        UpdateContext context = install();
        boolean counted = context.tryCount();
        long lsn = logEnd.getAndIncrement();
        if (counted) {
            context.end(lsn);
        }
    }

    UpdateContext install() {
        return contexts.install(0, WriteAheadLog.NONE);
    }

    UpdateContext find() {
        return contexts.find(0);
    }

    /** {@return the first LSN of both} */
    final long oldest() {
        return find().oldest();
    }
}
