// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.Latches;

/**
 * The latches of pages that are copied, to be written. A share keeps writers out. A page whose rows are updated under
 * shares is latched exclusively, so that the copy has every record up to its pageLSN and no other: updates that have
 * begun end before, and others begin after. It is released without a new version, since its bytes stay what they are.
 *
 * <p>Thread-safe.
 */
final class CopyLatches {
    private final Latches latches;
    private final SharedUpdates sharedUpdates;

    CopyLatches(Latches latches, SharedUpdates sharedUpdates) {
        this.latches = latches;
        this.sharedUpdates = sharedUpdates;
    }

    /** {@return whether a page must be latched exclusively} */
    boolean isExclusive(long id) {
        return sharedUpdates.allows(id);
    }

    boolean tryAcquire(int frame, boolean exclusive) {
        return exclusive ? latches.tryExclusive(frame) : latches.tryShared(frame);
    }

    boolean acquire(int frame, boolean exclusive, long nanos) {
        return exclusive ? latches.acquireExclusive(frame, nanos) : latches.acquireShared(frame, nanos);
    }

    void release(int frame, boolean exclusive) {
        if (exclusive) {
            latches.releaseUnchanged(frame);
        } else {
            latches.releaseShared(frame);
        }
    }

    String describe(int frame) {
        return latches.describe(frame);
    }
}
