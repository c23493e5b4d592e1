// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.simulate.Cell.Result;
import io.clockhand.workbench.simulate.Lookahead.Lookaheads;
import io.clockhand.workbench.simulate.PolicyPool.CleanerModel;
import io.clockhand.workbench.simulate.Simulation.SimulatedPool.Counts;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
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
        Play play = cell.play();
        play(pool, play.warmup(cell.dirtyShare(), cell.threads(), interleave), 1);
        Counts before = pool.counts();
        List<Part> counted =
                play(pool, play.counted(cell.dirtyShare(), cell.threads(), interleave), Math.max(1, parts));
        Counts counts = pool.counts().since(before);
        return Result.of(cell, counted, parts > 0, counts, (processorNanos() - begin) / NANOS);
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

    /**
     * A part of the references.
     *
     * @param reference the last of the part, from 1
     * @param simulated how many of them are in the sample, or all
     */
    record Part(long reference, long hits, long simulated) {}

    /** Plays all references; {@return hits by parts of equal length, at most as many as there are references} */
    private List<Part> play(SimulatedPool pool, Turns turns, int most) throws InterruptedException {
        Sample sample = cell.play().sample();
        long count = Math.min(most, turns.count());
        List<Part> all = new ArrayList<>();
        long done = 0;
        for (int part = 1; part <= count; part++) {
            long end = turns.count() * part / count;
            long hits = 0;
            long simulated = 0;
            while (done < end) {
                int chunk = (int) Math.min(CHUNK, end - done);
                for (int i = 0; i < chunk; i++) {
                    int key = turns.next();
                    int page = sample == null ? key : sample.of(key);
                    if (sample == null || page != Sample.SKIPPED) {
                        simulated++;
                        hits += pool.reference(page) ? 1 : 0;
                    }
                }
                done += chunk;
                played.add(chunk);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            all.add(new Part(end, hits, simulated));
        }
        return all;
    }

    /** A pool of frames, whose pages have no content. Not thread-safe. */
    interface SimulatedPool {

        /**
         * The work that the pool has done so far.
         *
         * @param framesScanned in search of victims
         * @param writes begun writes of dirty pages
         * @param readStalls misses that waited for a write, since no frame was clean
         */
        record Counts(long framesScanned, long writes, long readStalls) {
            Counts since(Counts earlier) {
                return new Counts(
                        framesScanned - earlier.framesScanned,
                        writes - earlier.writes,
                        readStalls - earlier.readStalls);
            }
        }

        /**
         * Refers to a page; returns whether it was resident.
         *
         * @param key a number from 0; or its complement, which is negative, of a write
         */
        boolean reference(int key);

        /** {@return all counts so far} */
        Counts counts();
    }
}
