// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.frame.Latches;

/** Under a latch of core. */
final class CoreLatchedPair extends LatchedPair {
    private final Latches latches = new Latches(Frames.loadedPage(), 1);

    @Override
    boolean tryExclusive() {
        return latches.tryExclusive(0);
    }

    @Override
    void releaseExclusive() {
        latches.releaseExclusive(0);
    }

    @Override
    boolean tryShared() {
        return latches.tryShared(0);
    }

    @Override
    void releaseShared() {
        latches.releaseShared(0);
    }
}
