// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

/** The outcome of a sweep for one frame. */
public enum FrameOutcome {
    /** Claimed by the caller. */
    CLAIMED,
    /** One weight was taken off. */
    AGED,
    /** Nothing: it is pinned, shared, claimed, free, queued for write-back or not loaded. */
    SKIPPED,
    /** Nothing: it is unused, has no weight above one, and was not to be claimed. */
    SPENT
}
