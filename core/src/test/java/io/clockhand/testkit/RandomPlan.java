// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testkit.SimulatedFrames.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** A random sequence of all that can happen to frames, on one thread; the policy is checked after each step. */
final class RandomPlan {
    private static final int SOFT = 8;
    private static final int CHUNK = 4;
    private static final int HARD = 24;
    /**
     * Few pages, so that they return while they are ghosts; in every other plan one may even be in two frames, as two
     * keys with one hash.
     */
    private static final int PAGES = 60;

    private final ReplacementPolicy policy;
    private final Consumer<ReplacementPolicy> integrity;
    private final SplittableRandom random;
    private final SimulatedFrames frames;
    /** Victims not yet loaded or declined: several, as when several threads miss. */
    private final Deque<Integer> victims = new ArrayDeque<>();
    /** Frames that have been written, but the policy was not notified yet. */
    private final Set<Integer> unnoticed = new TreeSet<>();

    /** By frame that is not free: its page. */
    private final int[] pageIn = new int[HARD];

    private final boolean areDistinct;
    private int step;

    /**
     * Makes a plan.
     *
     * @param maker makes the policy
     * @param integrity checks the policy after each step
     * @param ghosts checks it, too, if no page is in two frames
     * @param seed of the plan; if it is even, no page is in two frames
     */
    RandomPlan(
            IntFunction<ReplacementPolicy> maker,
            Consumer<ReplacementPolicy> integrity,
            Consumer<ReplacementPolicy> ghosts,
            long seed) {
        this.policy = maker.apply(SOFT);
        this.areDistinct = seed % 2 == 0;
        this.integrity = areDistinct ? integrity.andThen(ghosts) : integrity;
        this.random = new SplittableRandom(seed);
        this.frames = new SimulatedFrames(SOFT, policy.weightCap());
    }

    void run(int steps) {
        for (; step < steps; step++) {
            step();
            checkColdest();
            integrity.accept(policy);
        }
        drain();
    }

    private void step() {
        int frame = random.nextInt(frames.count());
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> load(frame);
            case 3, 4 -> hit(frame);
            case 5 -> unpin(frame);
            case 6 -> frames.remove(policy, frame);
            case 7, 8 -> evictForLater();
            case 9 -> reload();
            case 10 -> decline();
            case 11, 12 -> frames.tryMakeDirty(frame);
            case 13 -> clean(frame);
            case 14 -> noticeClean(frame);
            default -> resize();
        }
    }

    private void load(int frame) {
        if (frames.state(frame) == State.FREE) {
            pageIn[frame] = nextPage();
            frames.load(policy, frame, pageIn[frame]);
            pinSometimes(frame);
        }
    }

    private int nextPage() {
        int page = random.nextInt(PAGES);
        while (areDistinct && isInAFrame(page)) {
            page = (page + 1) % PAGES;
        }
        return page;
    }

    /** {@return whether a frame has the page, or a victim, which may be declined} */
    private boolean isInAFrame(int page) {
        for (int frame = 0; frame < frames.count(); frame++) {
            if (frames.state(frame) != State.FREE && pageIn[frame] == page) {
                return true;
            }
        }
        return false;
    }

    private void pinSometimes(int frame) {
        if (random.nextBoolean()) {
            frames.pin(frame);
        }
    }

    private void hit(int frame) {
        frames.hit(policy, frame);
        if (frames.state(frame) == State.LOADED || frames.state(frame) == State.QUEUED) {
            pinSometimes(frame);
        }
    }

    private void unpin(int frame) {
        while (frames.isPinned(frame)) {
            frames.unpin(frame);
        }
    }

    /** Writes a frame; the policy is notified at once, or later. */
    private void clean(int frame) {
        if (random.nextBoolean()) {
            frames.clean(policy, frame);
        } else if (frames.tryCleanUnnoticed(frame)) {
            unnoticed.add(frame);
        }
    }

    /** Also for a frame that was not written, or is dirty again, or free. */
    private void noticeClean(int frame) {
        policy.onClean(frame);
        unnoticed.remove(frame);
        for (int late : List.copyOf(unnoticed)) {
            if (random.nextBoolean()) {
                policy.onClean(late);
                unnoticed.remove(late);
            }
        }
    }

    /** The policy finds a victim if there is one; but it need not know of those whose notice is late. */
    private int evict() {
        int candidates = frames.victims();
        int known = 0;
        for (int frame = 0; frame < frames.count(); frame++) {
            known += frames.isVictim(frame) && !unnoticed.contains(frame) ? 1 : 0;
        }
        int victim = frames.evict(policy, random.nextInt(PAGES));
        String given = "evict gave " + victim + ", with " + candidates + " candidates, " + known + " known";
        if (victim == ReplacementPolicy.NONE) {
            assertThat(known).as(given).isZero();
        } else {
            assertThat(candidates).as(given).isPositive();
        }
        return victim;
    }

    private void evictForLater() {
        int victim = evict();
        if (victim != ReplacementPolicy.NONE) {
            victims.add(victim);
        }
    }

    private int anyVictim() {
        if (victims.isEmpty()) {
            return ReplacementPolicy.NONE;
        }
        for (int i = random.nextInt(victims.size()); i > 0; i--) {
            victims.addLast(victims.removeFirst());
        }
        return victims.removeFirst();
    }

    private void reload() {
        int victim = anyVictim();
        if (victim != ReplacementPolicy.NONE) {
            frames.free(victim);
            if (random.nextInt(4) > 0) {
                load(victim);
            }
        }
    }

    private void decline() {
        int victim = anyVictim();
        if (victim != ReplacementPolicy.NONE) {
            if (random.nextBoolean()) {
                frames.declineDirty(policy, victim);
            } else {
                frames.decline(policy, victim);
            }
        }
        for (int frame = 0; frame < frames.count(); frame++) {
            if (random.nextInt(4) == 0) {
                clean(frame);
            }
        }
    }

    private void resize() {
        int count = frames.count();
        boolean lastAreFree = true;
        for (int frame = count - CHUNK; frame < count; frame++) {
            lastAreFree &= frames.state(frame) == State.FREE;
        }
        if (random.nextBoolean() && count + CHUNK <= HARD) {
            policy.onCapacity(count + CHUNK);
            frames.setCount(count + CHUNK);
        } else if (lastAreFree && count - CHUNK >= SOFT) {
            policy.onCapacity(count - CHUNK);
            frames.setCount(count - CHUNK);
            unnoticed.removeIf(frame -> frame >= count - CHUNK);
        }
    }

    private void checkColdest() {
        List<Integer> named = new ArrayList<>();
        int number = policy.coldest(3, named::add);
        assertThat(named).hasSize(number).hasSizeLessThanOrEqualTo(3).doesNotHaveDuplicates();
        assertThat(named).allSatisfy(frame -> assertThat(frame).isBetween(0, frames.count() - 1));
    }

    /** Evicts all: every frame that holds something is a victim once. */
    private void drain() {
        while (!victims.isEmpty()) {
            decline();
        }
        for (int frame = 0; frame < frames.count(); frame++) {
            unpin(frame);
            frames.clean(policy, frame);
        }
        unnoticed.forEach(policy::onClean);
        unnoticed.clear();
        for (int left = frames.victims(); left > 0; left--) {
            evict();
            integrity.accept(policy);
        }
        evict();
    }

    @Override
    public String toString() {
        return "step " + step;
    }
}
