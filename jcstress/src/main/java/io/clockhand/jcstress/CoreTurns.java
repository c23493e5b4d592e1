// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.Latches;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The latch of a page. */
final class CoreTurns extends Turns {
    private static final int MOST_NANOS = 20_000;

    private final Latches latches = new Latches(Frames.loadedPage(), 1);

    CoreTurns() {
        latches.tryExclusive(0);
    }

    @Override
    public long waitNanos() {
        return TimeUnit.SECONDS.toNanos(5);
    }

    @Override
    boolean acquire() {
        return latches.acquireExclusive(0, waitNanos());
    }

    @Override
    void acquireForAMoment() {
        if (latches.acquireExclusive(0, ThreadLocalRandom.current().nextInt(MOST_NANOS))) {
            latches.releaseExclusive(0);
        }
    }

    /** Barges in behind the release, so that the thread that was chosen may come in vain. */
    @Override
    void release() {
        latches.releaseExclusive(0);
        if (latches.tryExclusive(0)) {
            latches.releaseExclusive(0);
        }
    }
}
