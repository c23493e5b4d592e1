// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Broken: a thread takes a token although another was first. */
public final class SharedRingWithoutOwner extends SharedRing {
    public SharedRingWithoutOwner() {
        super(thatIgnoresOtherTakers());
    }
}
