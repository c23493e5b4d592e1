// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;

/** On a frame of core. */
final class CoreShortcut extends Shortcut {
    private final FrameStates states = new FrameStates(1);

    CoreShortcut() {
        states.tryTakeFree(0);
        publish(A);
        ready();
    }

    @Override
    boolean tryPin(int identity) {
        return states.tryPinReady(0, identity, 3);
    }

    @Override
    void unpin() {
        states.unpin(0);
    }

    @Override
    boolean tryClaim() {
        return states.tryClaim(0);
    }

    @Override
    void publish(int identity) {
        states.setIdentity(0, identity);
        states.publishPinned(0, 1);
    }

    @Override
    void ready() {
        states.ready(0);
        states.unpin(0);
    }

    @Override
    int pins() {
        return FrameState.pins(states.state(0));
    }
}
