// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;
import java.util.function.IntConsumer;

/**
 * Many threads that work until a deadline, and are interrupted at random meanwhile. Threads that go on for long after
 * it hang.
 */
record Crowd(ThreadFactory factory, long seed, long deadline) {
    private static final long GRACE_NANOS = 60_000_000_000L;

    /** Runs them to their end; each gets its number. */
    void run(int threads, IntConsumer work) throws InterruptedException {
        List<Thread> running = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            running.add(factory.newThread(() -> work.accept(number)));
        }
        running.forEach(Thread::start);
        SplittableRandom random = new SplittableRandom(seed);
        while (running.stream().anyMatch(Thread::isAlive)) {
            running.get(random.nextInt(threads)).interrupt();
            running.get(random.nextInt(threads)).join(1);
            if (System.nanoTime() - deadline > GRACE_NANOS) {
                AssertionError hang = new AssertionError("threads hang; seed " + seed);
                running.stream()
                        .filter(Thread::isAlive)
                        .findFirst()
                        .ifPresent(thread -> hang.setStackTrace(thread.getStackTrace()));
                throw hang;
            }
        }
    }
}
