// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.simulate.SimulatedPool.Counts;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;

/**
 * One cell, simulated by the thread that calls it: policies may keep something for each thread.
 *
 * @param parts of the references that count, each of which has a hit ratio; 0 for none
 * @param speed of the cleaner
 * @param lookaheads for the optimum
 * @param played counts the references played, for all simulations
 */
record Simulation(
        Cell cell, int interleave, int parts, CleanerModel.Speed speed, Lookaheads lookaheads, LongAdder played)
        implements Callable<Result> {
    private static final int CHUNK = 1 << 16;
    private static final double NANOS = 1e9;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Override
    public Result call() throws InterruptedException {
        long begin = processorNanos();
        SimulatedPool pool = pool();
        play(pool, cell.warmup(interleave), 0);
        Counts before = pool.counts();
        Counter counter = play(pool, cell.counted(interleave), parts);
        Counts counts = pool.counts().since(before);
        return Result.of(cell, counter, counts, (processorNanos() - begin) / NANOS);
    }

    private static long processorNanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }

    private SimulatedPool pool() {
        int frames = cell.simulatedFrames();
        return cell.isOptimum()
                ? new OptimalPool(frames, lookaheads.of(cell, interleave))
                : new PolicyPool(
                        Policies.create(cell.policy(), frames),
                        frames,
                        cell.play().simulatedPages(),
                        speed);
    }

    private Counter play(SimulatedPool pool, Turns turns, int ofParts) throws InterruptedException {
        Counter counter = new Counter(turns.count(), ofParts);
        for (long done = 0; done < turns.count(); ) {
            int chunk = (int) Math.min(CHUNK, counter.endOfPart() - done);
            done += chunk;
            if (cell.play().sample() == null) {
                counter.add(done, hits(pool, turns, chunk), chunk);
            } else {
                sample(pool, turns, chunk, done, counter);
            }
            played.add(chunk);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return counter;
    }

    private static int hits(SimulatedPool pool, Turns turns, int count) {
        int hits = 0;
        for (int i = 0; i < count; i++) {
            if (pool.reference(turns.next())) {
                hits++;
            }
        }
        return hits;
    }

    private void sample(SimulatedPool pool, Turns turns, int count, long last, Counter counter) {
        Sample sample = cell.play().sample();
        int hits = 0;
        int sampled = 0;
        for (int i = 0; i < count; i++) {
            int page = sample.of(turns.next());
            if (page != Sample.SKIPPED) {
                sampled++;
                hits += pool.reference(page) ? 1 : 0;
            }
        }
        counter.add(last, hits, sampled);
    }
}
