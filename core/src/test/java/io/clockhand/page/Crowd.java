// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * Many threads, each of which does a number of steps, and which are interrupted at random meanwhile.
 * {@code -Dclockhand.pool.seconds=600} lets them go on for longer, and {@code -Dclockhand.pool.seed} repeats the random
 * choices of each thread, though not the order of the threads. If no thread does a step for long, they hang.
 */
final class Crowd {
    private static final int SECONDS = Integer.getInteger("clockhand.pool.seconds", 0);

    /** From which the random choices of the threads come, and that of the thread to interrupt. */
    final long seed = Long.getLong("clockhand.pool.seed", System.nanoTime());

    private final long stepsEach;
    private final long notBefore = System.nanoTime() + SECONDS * 1_000_000_000L;
    private final LongAdder steps = new LongAdder();
    private final AtomicReference<Throwable> wrong = new AtomicReference<>();
    private boolean interrupts = true;
    private BooleanSupplier isEnough = () -> true;

    Crowd(long stepsEach) {
        this.stepsEach = stepsEach;
    }

    /** One step of a thread. */
    interface Step {
        void run() throws Exception;
    }

    /** The work of a thread: what it needs once, then steps. */
    interface Work {
        void begin(int thread, SplittableRandom random) throws Exception;
    }

    Crowd withoutInterrupts() {
        interrupts = false;
        return this;
    }

    /** Lets the threads go on until something has happened, too. */
    Crowd until(BooleanSupplier happened) {
        isEnough = happened;
        return this;
    }

    /** Called by each thread: repeats a step as often as it must. */
    void repeat(Step step) throws Exception {
        for (long done = 0; wrong.get() == null && !isOver(done); done++) {
            step.run();
            steps.increment();
        }
    }

    private boolean isOver(long done) {
        return done >= stepsEach && System.nanoTime() - notBefore >= 0 && isEnough.getAsBoolean();
    }

    /** Ends the run: something was wrong. */
    void fail(Throwable failure) {
        wrong.compareAndSet(null, failure);
    }

    /** Runs threads to their end; each gets its number. Throws an AssertionError if something was wrong. */
    void run(ThreadFactory factory, int threads, Work work) throws InterruptedException {
        List<Thread> running = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            running.add(factory.newThread(() -> begin(number, work)));
        }
        running.forEach(Thread::start);
        SplittableRandom random = new SplittableRandom(seed);
        long before = -1;
        long since = 0;
        while (running.stream().anyMatch(Thread::isAlive)) {
            if (interrupts) {
                running.get(random.nextInt(threads)).interrupt();
            }
            running.get(random.nextInt(threads)).join(1);
            long now = steps.sum();
            if (now != before) {
                before = now;
                since = System.nanoTime();
            } else if (System.nanoTime() - since > Patience.PATIENCE.toNanos()) {
                throw hang(running);
            }
        }
        if (wrong.get() != null) {
            throw new AssertionError("seed " + seed + ": " + wrong.get(), wrong.get());
        }
    }

    private void begin(int number, Work work) {
        try {
            work.begin(number, new SplittableRandom(seed + number));
        } catch (Throwable e) {
            fail(e);
        } finally {
            Thread.interrupted();
        }
    }

    private AssertionError hang(List<Thread> running) {
        AssertionError hang = new AssertionError("threads hang; seed " + seed);
        running.stream()
                .filter(Thread::isAlive)
                .findFirst()
                .ifPresent(thread -> hang.setStackTrace(thread.getStackTrace()));
        if (wrong.get() != null) {
            hang.addSuppressed(wrong.get());
        }
        return hang;
    }
}
