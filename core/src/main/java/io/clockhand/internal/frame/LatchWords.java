// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static io.clockhand.internal.frame.LatchWord.EXCLUSIVE;
import static io.clockhand.internal.frame.LatchWord.UPGRADABLE;
import static io.clockhand.internal.frame.LatchWord.WAITED;

/** The latches of frames, as words whose changes threads wait for. */
final class LatchWords implements FrameWaiters.WaitedWord {
    private final FrameStates states;

    LatchWords(FrameStates states) {
        this.states = states;
    }

    @Override
    public long read(int frame) {
        return states.latch(frame);
    }

    @Override
    public boolean trySetWaited(int frame, long seen) {
        return states.casLatch(frame, seen, seen | WAITED);
    }

    @Override
    public boolean isWaited(long seen) {
        return (seen & WAITED) != 0;
    }

    @Override
    public long after(int kind, long seen) {
        return switch (kind) {
            case FrameWaiters.TOGETHER -> seen + 1; // its condition held, so there is room
            case FrameWaiters.UPGRADABLE -> seen | UPGRADABLE;
            case FrameWaiters.PROMISED -> seen; // it has the mark of the promise, which keeps the others out
            default -> (seen & ~UPGRADABLE) | EXCLUSIVE;
        };
    }
}
