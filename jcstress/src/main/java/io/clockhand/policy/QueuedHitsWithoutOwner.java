// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Broken: whoever comes may use the queue. */
public final class QueuedHitsWithoutOwner extends QueuedHits {
    @Override
    public boolean tryOwn() {
        return true;
    }

    @Override
    public void disown() {
        // it had no owner
    }
}
