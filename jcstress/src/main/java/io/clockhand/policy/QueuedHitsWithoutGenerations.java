// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/** Broken: a hit is replayed on whatever content the frame holds by then. */
public final class QueuedHitsWithoutGenerations extends QueuedHits {
    @Override
    public void load(int frame, int generation) {
        // every content has the same generation
    }
}
