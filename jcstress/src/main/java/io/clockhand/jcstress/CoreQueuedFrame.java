// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.pool.WriteBackQueue;

/** In the queue of core. */
final class CoreQueuedFrame extends QueuedFrame {
    private final WriteBackQueue queue = new WriteBackQueue(1);

    CoreQueuedFrame() {
        fill();
    }

    @Override
    void add() {
        queue.add(FRAME);
    }

    @Override
    boolean poll() {
        return queue.poll() == FRAME;
    }
}
