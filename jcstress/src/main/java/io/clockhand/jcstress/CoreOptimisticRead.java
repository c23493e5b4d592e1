// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;

/** On a frame of core. */
final class CoreOptimisticRead extends OptimisticRead {
    private final FrameStates states = new FrameStates(1, true);
    private final Latches latches = new Latches(states, 1);
    private final FrameRef read = new FrameRef(states, latches);

    CoreOptimisticRead() {
        states.tryTakeFree(0);
        states.setBuffer(0, BufferWord.reserved(0));
        load(A);
    }

    @Override
    boolean begin(int page) {
        return read.begin(0, page);
    }

    @Override
    boolean isUnchanged() {
        return read.isUnchanged();
    }

    @Override
    void latch() {
        latches.tryExclusive(0);
    }

    @Override
    void unlatch() {
        latches.releaseExclusive(0);
    }

    @Override
    boolean tryShare() {
        return read.tryShare();
    }

    @Override
    void endShare() {
        read.endShare();
    }

    @Override
    boolean tryClose() {
        if (!states.tryClaim(0)) {
            return false;
        }
        states.setBuffer(0, BufferWord.reserved(0));
        return true;
    }

    @Override
    void load(int page) {
        states.setIdentity(0, page);
        states.publishPinned(0, 1);
        states.casBuffer(0, BufferWord.reserved(0), BufferWord.loaded(0));
        states.ready(0);
        states.unpin(0);
    }
}
