// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Broken: any number of threads own the queue. */
public final class QueuedHitsWithoutOwner extends QueuedHits {
    @Override
    public boolean tryOwn() {
        return true;
    }

    @Override
    public void disown() {
        // there is no owner
    }
}
