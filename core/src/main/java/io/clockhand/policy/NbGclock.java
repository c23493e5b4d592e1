// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.function.IntConsumer;

/**
 * Nb-GCLOCK, the non-blocking GCLOCK of Yui, Miyazaki, Uemura and Yamana [1, §III-A].
 *
 * <p>The pin of a hit adds one to the weight of the frame, so hits need not be recorded here. A sweep takes one off
 * the weight of each frame that the hand passes and claims the first whose weight is used up; it skips frames that
 * are pinned or claimed. A frame starts with weight 1. A frame that is declined has stayed on the clock, with weight
 * 0. No lock is held anywhere.
 *
 * <p>With an unbounded weight (as published) a page that was hit k times survives k revolutions of the hand, and the
 * next miss may sweep the pool k times. With a cap (the paper's "Nb-GCLOCK3" has 3) a miss costs at most that many
 * revolutions, and a hit on a frame at the cap stores nothing for the policy.
 *
 * <p>A sweep ends without a victim after a whole revolution with neither a claim nor a weight to decrement. Other
 * sweeps may have taken some of its positions, so a final scan visits every frame once before {@code evict} returns
 * NONE. The policy is lock-free: a sweep continues only while other threads hit, and so raise the weights that it
 * decrements.
 *
 * <p>A dirty frame is passed like a pinned one. So a search that no other thread disturbs takes at most as many
 * revolutions as the greatest weight is, and one for the scan, however many frames are dirty.
 *
 * <p>[1] M. Yui, J. Miyazaki, S. Uemura, H. Yamana, Nb-GCLOCK: A Non-blocking Buffer Management based on the
 * Generalized CLOCK, ICDE 2010.
 */
final class NbGclock implements ReplacementPolicy {
    private final int weightCap;
    private final ClockHand.Position hand;
    private volatile int frames;

    NbGclock(int frames, int weightCap, ClockHand hand) {
        this(frames, weightCap, hand, 0);
    }

    NbGclock(int frames, int weightCap, ClockHand hand, long startPosition) {
        this.frames = frames;
        this.weightCap = weightCap;
        this.hand = hand.start(startPosition, frames);
    }

    @Override
    public int weightCap() {
        return weightCap;
    }

    @Override
    public boolean tracksAccesses() {
        return false;
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        // the pool has published the frame with weight 1
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        for (; ; ) {
            int victim = sweep(claims);
            if (victim != NONE) {
                return victim;
            }
            boolean aged = false;
            int frames = this.frames;
            for (int frame = 0; frame < frames; frame++) {
                Claims.Outcome outcome = claims.ageOrClaim(frame);
                if (outcome == Claims.Outcome.CLAIMED) {
                    return frame;
                }
                aged |= outcome == Claims.Outcome.AGED;
            }
            if (!aged) {
                return NONE;
            }
        }
    }

    /** Advances the hand to the next victim, or through one revolution without a claim or a weight to decrement. */
    private int sweep(Claims claims) {
        int frames = this.frames;
        int skipped = 0;
        long begin = hand.begin(claims);
        long position = begin;
        int frame = Math.floorMod(position, frames);
        int victim = NONE;
        while (true) {
            Claims.Outcome outcome = claims.ageOrClaim(frame);
            if (outcome == Claims.Outcome.CLAIMED) {
                victim = frame;
                break;
            }
            skipped = outcome == Claims.Outcome.AGED ? 0 : skipped + 1;
            if (skipped >= frames) {
                break;
            }
            long next = hand.next(position);
            frame = next == position + 1 && frame + 1 < frames ? frame + 1 : Math.floorMod(next, frames);
            position = next;
        }
        hand.end(claims, begin, position);
        return victim;
    }

    @Override
    public void onCapacity(int frames) {
        this.frames = frames;
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int frames = this.frames;
        int count = Math.min(max, frames);
        long from = hand.read();
        for (int i = 0; i < count; i++) {
            sink.accept(Math.floorMod(from + i, frames));
        }
        return count;
    }
}
