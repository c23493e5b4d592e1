// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Broken: a stale hit is recorded for the new content of the frame. */
public final class QueuedHitsWithoutGenerations extends QueuedHits {
    @Override
    public void load(int frame, int generation) {
        // all contents have the generation of the first
    }
}
