// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import io.clockhand.policy.ReplacementPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that hit, load, change, write, remove and decline frames of one policy concurrently. */
final class ConcurrentLoad {
    private static final int PAGES = 200;
    /** So late that only a thread that hangs reaches it. */
    private static final long LIMIT_SECONDS = 120;

    private final ReplacementPolicy policy;
    private final SimulatedFrames frames;

    private ConcurrentLoad(ReplacementPolicy policy, SimulatedFrames frames) {
        this.policy = policy;
        this.frames = frames;
    }

    static void run(ReplacementPolicy policy, SimulatedFrames frames, int threads, int steps)
            throws InterruptedException, ExecutionException {
        ConcurrentLoad load = new ConcurrentLoad(policy, frames);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int seed = 0; seed < threads; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                running.add(executor.submit(() -> load.steps(random, steps)));
            }
            for (Future<?> thread : running) {
                thread.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        } catch (TimeoutException e) {
            throw new AssertionError("a thread does not end within " + LIMIT_SECONDS + " s", e);
        } finally {
            executor.shutdownNow();
        }
    }

    private void steps(SplittableRandom random, int steps) {
        for (int step = 0; step < steps; step++) {
            int frame = random.nextInt(frames.count());
            switch (random.nextInt(10)) {
                case 0 -> frames.remove(policy, frame);
                case 1, 2 -> miss(random);
                case 3 -> frames.tryMakeDirty(frame);
                case 4 -> frames.clean(policy, frame);
                default -> frames.hit(policy, frame);
            }
        }
    }

    private void miss(SplittableRandom random) {
        long identity = random.nextInt(PAGES);
        int free = takeFree();
        if (free != ReplacementPolicy.NONE) {
            frames.load(policy, free, identity);
            return;
        }
        int victim = frames.evict(policy, identity);
        if (victim != ReplacementPolicy.NONE) { // else other threads had claimed or freed frames meanwhile
            if (random.nextInt(4) == 0) {
                frames.decline(policy, victim);
            } else {
                frames.load(policy, victim, identity);
            }
        }
    }

    private int takeFree() {
        for (int frame = 0; frame < frames.count(); frame++) {
            if (frames.tryTakeFree(frame)) {
                return frame;
            }
        }
        return ReplacementPolicy.NONE;
    }
}
