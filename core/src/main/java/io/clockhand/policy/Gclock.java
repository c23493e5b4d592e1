// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.function.IntConsumer;

/**
 * GCLOCK as it was before {@link NbGclock}: a hand that goes from frame to frame, takes one off the weight of each that is neither
 * pinned nor owned, and stops at the first that has none left. A page starts with weight 1 and gets one more with each hit, up to a cap;
 * with a cap of 2 this is CLOCK, whose reference bit is clear at the load.
 *
 * <p>Single-threaded: {@link Locked} makes it safe, and takes its lock for every hit, as the baseline of the Nb-GCLOCK paper does. The
 * weights lie in the words of the frames, so a hit below the cap is counted there.
 *
 * <p>Source: V. F. Nicola, A. Dan, D. M. Dias, Analysis of the generalized clock buffer replacement scheme for database transaction
 * processing, SIGMETRICS 1992.
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
    public boolean observesHits() {
        return true;
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        // the frame was published with weight 1
    }

    @Override
    public void onHit(int frame) {
        // whoever found the frame has added the weight
    }

    @Override
    public void onRemove(int frame) {
        // the hand passes by frames that are free
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
                case SKIPPED -> skipped++;
            }
        }
        return NONE;
    }

    @Override
    public void onDeclined(int frame) {
        // it is still on the clock, with weight 0
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
