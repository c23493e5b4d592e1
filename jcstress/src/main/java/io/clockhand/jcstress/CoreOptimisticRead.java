// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;

/** On a frame of core. */
final class CoreOptimisticRead extends OptimisticRead {
    private final FrameStates states = new FrameStates(1, true);
    private final Latches latches = new Latches(states, 1);

    CoreOptimisticRead() {
        states.tryTakeFree(0);
        states.setBuffer(0, BufferWord.reserved(0));
        load(A);
        states.unpin(0);
    }

    @Override
    long version() {
        return latches.version(0);
    }

    @Override
    boolean isLoaded(int page) {
        return BufferWord.isLoaded(states.buffer(0)) && states.identity(0) == page;
    }

    @Override
    boolean isUnchanged(long version) {
        return latches.isUnchanged(0, version);
    }

    @Override
    void renew() {
        states.tryClaim(0);
        states.setBuffer(0, BufferWord.reserved(0));
        latches.renew(0);
    }

    @Override
    void load(int page) {
        states.setIdentity(0, page);
        states.publishPinned(0, 1);
        states.casBuffer(0, BufferWord.reserved(0), BufferWord.loaded(0));
        states.ready(0);
    }
}
