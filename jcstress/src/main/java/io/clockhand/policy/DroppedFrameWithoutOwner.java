// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Broken: the search moves the frame, although its owner has ended the listing. */
public final class DroppedFrameWithoutOwner extends DroppedFrame {
    public DroppedFrameWithoutOwner() {
        super(thatIgnoreOwners());
    }
}
