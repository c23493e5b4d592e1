// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.policy.ReplacementPolicy;
import java.util.BitSet;

/**
 * Exchanges the policy of a page pool while other threads use the pool: the next policy is called from now on, and
 * learns of each page that is in a frame. No thread is stopped. {@link CurrentPolicy} says why no frame is lost.
 *
 * <p>The pages are loaded into the next policy in the order in which the earlier one would evict them, as far as it
 * {@linkplain ReplacementPolicy#coldest names} them; then the others. Weights are kept, up to the greatest that the
 * next policy gives: it could search for long among greater ones. Everything else that the earlier one knew is lost,
 * ghosts for example. Used by one thread at a time.
 */
final class PolicySwitch {
    private final FramePool frames;
    private final FrameStates states;
    private final CurrentPolicy policy;
    /** The first failure of a wait or of the next policy, or null. */
    private Throwable failure;
    /** Each pin adds to the weight, up to this: pages that had none would all be cold at the same time. */
    private int weightCap;

    PolicySwitch(FramePool frames, CurrentPolicy policy) {
        this.frames = frames;
        this.states = frames.states();
        this.policy = policy;
    }

    /**
     * If it throws after it has called {@code onSwitch}, the next policy is in force, and may not list frames whose
     * load lasted too long; if before, one of the policies has thrown, and the former one is.
     */
    void switchTo(ReplacementPolicy next, Runnable onSwitch) {
        int count = frames.frames();
        int[] order = order(count);
        weightCap = policy.weightCap() == 0 ? next.weightCap() : 0;
        policy.set(next, frames::stopMarkingFirstUses);
        onSwitch.run();
        for (int frame : order) {
            introduce(frame, next);
        }
        if (failure != null) {
            Failures.<RuntimeException>rethrow(failure);
        }
    }

    private int[] order(int count) {
        int[] order = new int[count];
        BitSet named = new BitSet(count);
        int[] at = {0};
        policy.coldest(count, frame -> {
            if (frame < count && !named.get(frame)) {
                named.set(frame);
                order[at[0]++] = frame;
            }
        });
        for (int frame = named.nextClearBit(0); frame < count; frame = named.nextClearBit(frame + 1)) {
            order[at[0]++] = frame;
        }
        return order;
    }

    /** After a failure the others are loaded as far as no wait is needed: each may last as long again. */
    private void introduce(int frame, ReplacementPolicy next) {
        try {
            while (!tryIntroduce(frame, next)) {
                if (failure != null) {
                    return;
                }
                frames.await(frame, s -> !isPassing(s), "the load or the eviction");
            }
        } catch (Throwable e) { // also a checked exception of another language
            failure = failure == null ? e : failure;
        }
    }

    /** {@return whether there is nothing more to do; false if the frame passes into another state soon} */
    private boolean tryIntroduce(int frame, ReplacementPolicy next) {
        long seen = states.state(frame);
        if (FrameState.isFree(seen) || FrameState.isDoomed(seen)) {
            return true; // the next thread that takes it finds the next policy
        }
        if (isPassing(seen) || states.tryPin(frame, weightCap) == FrameStates.NOT_PINNED) {
            return false;
        }
        try {
            long state = states.state(frame);
            if (FrameState.content(state) == FrameState.READY) {
                states.limitWeight(frame, next.weightCap());
                next.onLoad(frame, states.identity(frame), FrameState.generation(state));
                return true;
            }
            return FrameState.isDoomed(state);
        } finally {
            frames.unpin(frame);
        }
    }

    private static boolean isPassing(long state) {
        return !FrameState.isFree(state)
                && !FrameState.isDoomed(state)
                && (FrameState.isClaimed(state)
                        || FrameState.isFull(state)
                        || FrameState.content(state) == FrameState.EMPTY);
    }
}
