// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.FrameWaiters;
import java.util.concurrent.TimeUnit;

/** A frame that becomes ready. */
final class CoreSignal implements Signal {
    private final FrameStates states = Frames.arriving(1);
    private final FrameWaiters waiters = states.waiters();

    CoreSignal() {
        states.tryPin(0, 3);
    }

    @Override
    public long waitNanos() {
        return TimeUnit.SECONDS.toNanos(5);
    }

    @Override
    public boolean await() {
        return waiters.await(0, state -> FrameState.content(state) == FrameState.READY, waitNanos());
    }

    @Override
    public void change() {
        waiters.wake(0, states.ready(0));
    }
}
