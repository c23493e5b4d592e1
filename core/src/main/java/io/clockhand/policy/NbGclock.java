// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.function.IntConsumer;

/**
 * Nb-GCLOCK, the non-blocking GCLOCK of Yui, Miyazaki, Uemura and Yamana [1, §III-A].
 *
 * <p>A hit adds one to the weight of the frame together with the pin, so there is nothing to do for it here. A sweep
 * takes one off the weight of each frame that the hand passes and claims the first that has none left; frames that are
 * pinned or owned are passed by. A frame starts with weight 1. No lock is held anywhere.
 *
 * <p>With an unbounded weight (as published) a page that was hit k times survives k turns of the hand, and the miss that
 * meets it first sweeps the pool up to k times. With a cap (the paper's "Nb-GCLOCK3" has 3) a turn costs at most that
 * many passes, and a hit on a frame at the cap stores nothing for the policy.
 *
 * <p>A sweep gives up when a whole turn brought it neither a victim nor a weight to take off; it looks at every frame
 * once more by itself before it does, since the positions of its turn may have been shared with other sweeps. It is
 * lock-free: a sweep that goes on for long does so because other threads hit, and so raise the weights that it takes off.
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
    public boolean observesHits() {
        return false;
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

    /** Moves the hand to the next victim, or through one turn of frames that are none and have no weight to take off. */
    private int sweep(Claims claims) {
        int frames = this.frames;
        int skipped = 0;
        long begin = hand.begin();
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
        hand.end(begin, position);
        return victim;
    }

    @Override
    public void onDeclined(int frame) {
        // it is still on the clock, with weight 0
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
