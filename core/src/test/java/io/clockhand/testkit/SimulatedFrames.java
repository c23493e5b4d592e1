// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Frames without content, as a pool has them: pins, weights, dirt and claims, changed in the order of a pool's calls.
 * Thread-safe; checks that a search claims at most one frame, and only frames that exist and are clean.
 *
 * <p>One word per frame: bits 0 to 31 the weight, bits 32 to 47 the pins, bits 48 and 49 the {@link State}, bit 50
 * whether a loaded frame is dirty. It changes by CAS only.
 */
final class SimulatedFrames implements Claims {
    private static final int MOST_FRAMES = 64;
    private static final long ONE_PIN = 1L << 32;
    private static final long PINS = 0xFFFF * ONE_PIN;
    private static final int STATE_SHIFT = 48;
    private static final long DIRTY = 1L << 50;
    private static final State[] STATES = State.values();

    enum State {
        FREE(0b00),
        LOADED(0b01),
        /** Dirty and queued for write-back, so no victim. */
        QUEUED(0b10),
        CLAIMED(0b11);

        private final long bits;

        State(long bits) {
            this.bits = bits << STATE_SHIFT;
        }
    }

    private final AtomicLongArray words = new AtomicLongArray(MOST_FRAMES);
    private final AtomicInteger generations = new AtomicInteger();
    private final AtomicLong scans = new AtomicLong();
    private final int weightCap;
    private volatile int count;
    /** The frame that the search under way in this thread has claimed. */
    private final ThreadLocal<Integer> claimed = ThreadLocal.withInitial(() -> ReplacementPolicy.NONE);

    SimulatedFrames(int count, int weightCap) {
        this.count = count;
        this.weightCap = weightCap;
    }

    private static long word(State state, int weight) {
        return state.bits | weight;
    }

    private static State stateOf(long word) {
        return STATES[(int) (word >>> STATE_SHIFT) & 0b11];
    }

    private static int weightOf(long word) {
        return (int) word;
    }

    private static boolean isPinned(long word) {
        return (word & PINS) != 0;
    }

    private static boolean isVictim(long word) {
        return stateOf(word) == State.LOADED && (word & DIRTY) == 0 && !isPinned(word);
    }

    /** {@return the number of frames that searches have scanned} */
    long scans() {
        return scans.get();
    }

    /** {@return whether a frame is dirty, or queued for write-back} */
    boolean isDirty(int frame) {
        long word = words.get(frame);
        return (word & DIRTY) != 0 || stateOf(word) == State.QUEUED;
    }

    State state(int frame) {
        return stateOf(words.get(frame));
    }

    boolean isPinned(int frame) {
        return isPinned(words.get(frame));
    }

    int count() {
        return count;
    }

    void setCount(int frames) {
        count = frames;
    }

    boolean isVictim(int frame) {
        return isVictim(words.get(frame));
    }

    int victims() {
        int victims = 0;
        for (int frame = 0; frame < count; frame++) {
            victims += isVictim(frame) ? 1 : 0;
        }
        return victims;
    }

    List<Integer> loaded() {
        List<Integer> loaded = new ArrayList<>();
        for (int frame = 0; frame < count; frame++) {
            if (state(frame) == State.LOADED || state(frame) == State.QUEUED) {
                loaded.add(frame);
            }
        }
        return loaded;
    }

    // --- what a pool does --------------------------------------------------------------------------------------------

    /** Claims a free frame; {@return whether it was free} */
    boolean tryTakeFree(int frame) {
        return words.compareAndSet(frame, word(State.FREE, 0), word(State.CLAIMED, 0));
    }

    /** Loads a frame that is free, or claimed by this thread. */
    void load(ReplacementPolicy policy, int frame, long identity) {
        words.set(frame, word(State.CLAIMED, 0));
        policy.onLoad(frame, identity, generations.incrementAndGet() & 0xFFFF);
        words.set(frame, word(State.LOADED, Math.min(1, weightCap)));
    }

    /** Hits a frame, also one that holds nothing: such hits are late ones. */
    void hit(ReplacementPolicy policy, int frame) {
        long seen = words.get(frame);
        if (stateOf(seen) == State.LOADED && weightOf(seen) < weightCap) {
            words.compareAndSet(frame, seen, seen + 1);
        }
        if (policy.tracksAccesses()) {
            policy.onHit(frame);
        }
    }

    void pin(int frame) {
        words.addAndGet(frame, ONE_PIN);
    }

    void unpin(int frame) {
        words.addAndGet(frame, -ONE_PIN);
    }

    /** Claims a frame by other means than the policy; {@return whether it was loaded and unpinned} */
    boolean tryClaimForRemoval(int frame) {
        long seen = words.get(frame);
        boolean removable = (stateOf(seen) == State.LOADED || stateOf(seen) == State.QUEUED) && !isPinned(seen);
        return removable && words.compareAndSet(frame, seen, word(State.CLAIMED, 0));
    }

    /** Removes the content of an unpinned frame, which is free then; {@return whether it could be claimed} */
    boolean remove(ReplacementPolicy policy, int frame) {
        if (!tryClaimForRemoval(frame)) {
            return false;
        }
        policy.onRemove(frame);
        free(frame);
        return true;
    }

    /** Frees a frame that this thread has claimed. */
    void free(int frame) {
        words.set(frame, word(State.FREE, 0));
    }

    /** Evicts a frame; {@return the victim, claimed by this thread, or NONE} */
    int evict(ReplacementPolicy policy) {
        return evict(policy, 1_000_000);
    }

    int evict(ReplacementPolicy policy, long incomingIdentity) {
        claimed.set(ReplacementPolicy.NONE);
        int victim = policy.evict(incomingIdentity, this);
        assertThat(victim).as("the victim is the frame that was claimed").isEqualTo(claimed.get());
        return victim;
    }

    /** Declines a victim of this thread, which stays loaded. */
    void decline(ReplacementPolicy policy, int frame) {
        policy.onDeclined(frame);
        words.set(frame, word(State.LOADED, 0));
    }

    /** Declines a victim of this thread, which is queued for write-back. */
    void declineDirty(ReplacementPolicy policy, int frame) {
        policy.onDeclined(frame);
        words.set(frame, word(State.QUEUED, 0));
    }

    /** Changes the content of a frame; {@return false if it is not loaded, or is queued for write-back} */
    boolean tryMakeDirty(int frame) {
        long seen = words.get(frame);
        return stateOf(seen) == State.LOADED && words.compareAndSet(frame, seen, seen | DIRTY);
    }

    /** Writes a frame back, if it is dirty, and notifies the policy. */
    void clean(ReplacementPolicy policy, int frame) {
        if (tryCleanUnnoticed(frame)) {
            policy.onClean(frame);
        }
    }

    /** Writes a frame back, but does not notify the policy; {@return whether it was dirty} */
    boolean tryCleanUnnoticed(int frame) {
        long seen = words.get(frame);
        while ((seen & DIRTY) != 0 || stateOf(seen) == State.QUEUED) {
            long clean = (seen & ~(DIRTY | State.CLAIMED.bits)) | State.LOADED.bits;
            if (words.compareAndSet(frame, seen, clean)) {
                return true;
            }
            seen = words.get(frame);
        }
        return false;
    }

    // --- what a policy may do ----------------------------------------------------------------------------------------

    @Override
    public Outcome ageOrClaim(int frame) {
        for (; ; ) {
            long seen = scan(frame);
            boolean unused = stateOf(seen) == State.LOADED && !isPinned(seen);
            if (unused && weightOf(seen) > 1) {
                if (words.compareAndSet(frame, seen, seen - 1)) {
                    return Outcome.AGED;
                }
            } else {
                Outcome outcome = claimOrQueue(frame, seen);
                if (outcome != null) {
                    return outcome;
                }
            }
        }
    }

    @Override
    public Outcome age(int frame) {
        for (; ; ) {
            long seen = scan(frame);
            if ((stateOf(seen) != State.LOADED && stateOf(seen) != State.QUEUED) || isPinned(seen)) {
                return Outcome.SKIPPED;
            }
            if (weightOf(seen) <= 1) {
                return Outcome.SPENT;
            }
            if (words.compareAndSet(frame, seen, seen - 1)) {
                return Outcome.AGED;
            }
        }
    }

    @Override
    public boolean tryClaim(int frame) {
        return claim(frame) == Outcome.CLAIMED;
    }

    @Override
    public Outcome claim(int frame) {
        Outcome outcome = null;
        while (outcome == null) {
            outcome = claimOrQueue(frame, scan(frame));
        }
        return outcome;
    }

    private long scan(int frame) {
        if (frame < 0 || frame >= count) {
            throw new AssertionError("frame " + frame + " of " + count);
        }
        scans.incrementAndGet();
        return words.get(frame);
    }

    /** {@return null if the frame has changed meanwhile} */
    private Outcome claimOrQueue(int frame, long seen) {
        if (stateOf(seen) == State.QUEUED) {
            return Outcome.DIRTY;
        }
        if (stateOf(seen) != State.LOADED || isPinned(seen)) {
            return Outcome.SKIPPED;
        }
        if ((seen & DIRTY) != 0) {
            long queued = (seen & ~(DIRTY | State.CLAIMED.bits)) | State.QUEUED.bits;
            return words.compareAndSet(frame, seen, queued) ? Outcome.DIRTY : null;
        }
        return claim(frame, seen) ? Outcome.CLAIMED : null;
    }

    private boolean claim(int frame, long seen) {
        if (!words.compareAndSet(frame, seen, word(State.CLAIMED, 0))) {
            return false;
        }
        assertThat(claimed.get()).as("claimed before in the same search").isEqualTo(ReplacementPolicy.NONE);
        claimed.set(frame);
        return true;
    }
}
