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
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** A random sequence of all that can happen to frames, on one thread; the policy is checked after each step. */
final class RandomPlan {
    private static final int SOFT = 8;
    private static final int CHUNK = 4;
    private static final int HARD = 24;
    /**
     * Few pages, so that they return while they are ghosts; one may even be in two frames, as two keys with one hash.
     */
    private static final int PAGES = 60;

    private final ReplacementPolicy policy;
    private final Consumer<ReplacementPolicy> integrity;
    private final SplittableRandom random;
    private final SimulatedFrames frames;
    /** Victims not yet loaded or declined: several, as when several threads miss. */
    private final Deque<Integer> victims = new ArrayDeque<>();

    private int step;

    RandomPlan(IntFunction<ReplacementPolicy> maker, Consumer<ReplacementPolicy> integrity, long seed) {
        this.policy = maker.apply(SOFT);
        this.integrity = integrity;
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
        switch (random.nextInt(13)) {
            case 0, 1, 2 -> load(frame);
            case 3, 4 -> hit(frame);
            case 5 -> unpin(frame);
            case 6 -> frames.remove(policy, frame);
            case 7, 8 -> evictForLater();
            case 9 -> reload();
            case 10 -> decline();
            case 11 -> queue(frame);
            default -> resize();
        }
    }

    private void load(int frame) {
        if (frames.state(frame) == State.FREE) {
            frames.load(policy, frame, random.nextInt(PAGES));
            pinSometimes(frame);
        }
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

    private void queue(int frame) {
        if (frames.state(frame) == State.LOADED) {
            frames.queue(frame);
        }
    }

    private int evict() {
        int candidates = frames.victims();
        int victim = frames.evict(policy, random.nextInt(PAGES));
        assertThat(victim == ReplacementPolicy.NONE)
                .as("evict gave %d, with %d candidates", victim, candidates)
                .isEqualTo(candidates == 0);
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
            if (frames.state(frame) == State.QUEUED && random.nextInt(4) == 0) {
                frames.cleaned(frame);
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
            if (frames.state(frame) == State.QUEUED) {
                frames.cleaned(frame);
            }
        }
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
