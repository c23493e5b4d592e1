// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.table.ArrayPageTable;
import io.clockhand.internal.table.PageTable;

/** On a frame and a table of core. The finder tries each way to use a page. */
final class CoreUnmappedPage extends UnmappedPage {
    private static final int WEIGHT_CAP = 3;

    private final FrameStates states = new FrameStates(1, true);
    private final Latches latches = new Latches(states, 1);
    private final FrameRef read = new FrameRef(states, latches);
    private final PageTable table = new ArrayPageTable(1, states::identity, 1 << 20, 1, 0);

    CoreUnmappedPage() {
        states.tryTakeFree(0);
        states.setBuffer(0, BufferWord.reserved(0));
        states.setIdentity(0, A);
        states.publishPinned(0, 1);
        table.putIfAbsent(A, 0);
        states.casBuffer(0, BufferWord.reserved(0), BufferWord.loaded(0));
        states.ready(0);
    }

    @Override
    boolean isMapped() {
        return table.find(A) == 0;
    }

    @Override
    boolean tryUse() {
        boolean used = false;
        if (states.tryPinReady(0, A, WEIGHT_CAP)) {
            states.unpin(0);
            used = true;
        }
        if (read.acquireShare(0, A, WEIGHT_CAP) >= 0) {
            read.endShare();
            used = true;
        }
        return read.begin(0, A, WEIGHT_CAP) || used;
    }

    @Override
    void pin() {
        states.tryPin(0, 0);
    }

    @Override
    void unmap() {
        states.markUnmapped(0);
        table.remove(A, 0);
    }

    @Override
    void unpin() {
        states.unpin(0);
    }

    @Override
    int pins() {
        return FrameState.pins(states.state(0));
    }
}
