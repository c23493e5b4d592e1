// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.function.IntConsumer;

/**
 * GCLOCK as it was before {@link NbGclock}: a hand advances from frame to frame, takes one off the weight of each
 * frame that is neither pinned nor claimed, and stops at the first whose weight is used up. A page starts with weight
 * 1 and gains one with each hit, up to a cap; with a cap of 2 this is CLOCK with a reference bit that is clear after
 * the load.
 *
 * <p>A dirty frame is passed like a pinned one. A search that no hit disturbs takes at most as many revolutions as the
 * greatest weight is: each one ages every unused frame, and the first one that ages none is the last.
 *
 * <p>Single-threaded: {@link Locked} makes it thread-safe, and acquires its lock on every hit, as the baseline of the
 * Nb-GCLOCK paper does. The weights are in the state words of the frames.
 *
 * <p>Source: V. F. Nicola, A. Dan, D. M. Dias, Analysis of the generalized clock buffer replacement scheme for database
 * transaction processing, SIGMETRICS 1992.
 */
final class Gclock implements ReplacementPolicy {
    private final int weightCap;
    private int frames;
    private int hand;

    Gclock(int frames, int weightCap) {
        this.frames = frames;
        this.weightCap = weightCap;
    }

    @Override
    public int weightCap() {
        return weightCap;
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        // the pool has published the frame with weight 1
    }

    @Override
    public void onHit(int frame) {
        // The pin has added the weight. Accesses are tracked nevertheless, so that each hit acquires the lock, as in
        // the
        // baseline of the Nb-GCLOCK paper.
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        for (int skipped = 0; skipped < frames; ) {
            int frame = hand;
            hand = frame + 1 == frames ? 0 : frame + 1;
            switch (claims.ageOrClaim(frame)) {
                case CLAIMED -> {
                    return frame;
                }
                case AGED -> skipped = 0;
                default -> skipped++; // in use, or dirty
            }
        }
        return NONE;
    }

    @Override
    public void onCapacity(int count) {
        frames = count;
        hand = hand < count ? hand : 0;
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int count = Math.min(max, frames);
        for (int i = 0; i < count; i++) {
            sink.accept((hand + i) % frames);
        }
        return count;
    }
}
