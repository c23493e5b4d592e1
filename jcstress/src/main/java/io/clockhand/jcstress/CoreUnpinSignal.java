// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.FrameWaiters;
import java.util.concurrent.TimeUnit;

/** A frame that loses its last pin but one. */
final class CoreUnpinSignal implements Signal {
    private final FrameStates states = Frames.loaded(1);
    private final FrameWaiters waiters = states.waiters();

    CoreUnpinSignal() {
        states.tryPin(0, 3);
        states.tryPin(0, 3);
    }

    @Override
    public long waitNanos() {
        return TimeUnit.SECONDS.toNanos(5);
    }

    @Override
    public boolean await() {
        return waiters.await(0, state -> FrameState.pins(state) == 1, waitNanos());
    }

    @Override
    public void change() {
        long before = states.unpin(0);
        if (states.concernsOthers(before)) {
            waiters.wake(0, states.completeUnpin(0, before));
        }
    }
}
