// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

/** What became of a frame that a sweep came by. */
public enum Sweep {
    /** Claimed by the caller. */
    CLAIMED,
    /** One weight taken off. */
    AGED,
    /** Left alone: pinned, claimed, free, queued for cleaning or not loaded. */
    SKIPPED
}
