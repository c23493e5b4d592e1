// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameLine;
import io.clockhand.internal.frame.FrameStates;
import java.util.concurrent.TimeUnit;

/** A pinned frame that is unpinned, and a thread that waits for any frame. */
final class CoreHandOver implements Signal {
    private final FrameStates states = Frames.loaded(1);
    private final FrameLine line = states.line();

    CoreHandOver() {
        states.tryPin(0, 3);
    }

    @Override
    public long waitNanos() {
        return TimeUnit.SECONDS.toNanos(5);
    }

    @Override
    public boolean await() {
        long deadline = System.nanoTime() + waitNanos();
        FrameLine.Place place = new FrameLine.Place();
        line.enter(place);
        try {
            for (; ; ) {
                if (tryClaim(place)) {
                    return true;
                }
                if (!line.await(place, deadline)) {
                    return states.tryClaim(0);
                }
                line.enterAgain(place);
            }
        } finally {
            line.leave(place);
        }
    }

    private boolean tryClaim(FrameLine.Place place) {
        for (int hint = line.poll(); hint != FrameLine.NONE; hint = line.poll()) {
            if (states.tryClaim(hint)) {
                return true;
            }
        }
        if (!line.beginSweep(place)) {
            return false;
        }
        if (states.tryClaim(0)) {
            return true;
        }
        line.endSweep(place);
        return false;
    }

    @Override
    public void change() {
        long before = states.unpin(0);
        if (states.concernsOthers(before)) {
            line.offer(0);
        }
    }
}
