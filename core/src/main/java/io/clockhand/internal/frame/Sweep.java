// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

/** What a sweep did with a frame. */
public enum Sweep {
    /** Claimed by the caller. */
    CLAIMED,
    /** One weight was taken off. */
    AGED,
    /** Nothing: it is pinned, shared, claimed, free, queued for write-back or not loaded. */
    SKIPPED
}
