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

    /** Hits of a simulation, in all and by parts of equal length. Not thread-safe. */
    static final class Counter {
        private static final double PERCENT = 100;

        private final long references;
        private final int parts;
        private final List<Moment> moments = new ArrayList<>();

        private long hits;
        private long simulated;
        private long hitsBefore;
        private long simulatedBefore;

        /**
         * A part of the references that count.
         *
         * @param reference the last of the part, from 1
         * @param hitPercent null if none of the part was simulated
         */
        record Moment(long reference, Double hitPercent) {}

        /**
         * Makes a counter of nothing.
         *
         * @param references that will pass
         * @param parts how many; 0 for none
         */
        Counter(long references, int parts) {
            this.references = references;
            this.parts = (int) Math.min(parts, references);
        }

        /** The number of the reference that ends the present part, from 1. */
        long endOfPart() {
            return moments.size() < parts ? end(moments.size() + 1) : references;
        }

        private long end(int part) {
            return references * part / parts;
        }

        /**
         * References of the present part have passed.
         *
         * @param last the number of the last of them, from 1
         * @param newHits among those that were simulated
         * @param newSimulated how many of them were
         */
        void add(long last, long newHits, long newSimulated) {
            hits += newHits;
            simulated += newSimulated;
            if (moments.size() < parts && last == endOfPart()) {
                long of = simulated - simulatedBefore;
                moments.add(new Moment(last, of == 0 ? null : Double.valueOf(PERCENT * (hits - hitsBefore) / of)));
                hitsBefore = hits;
                simulatedBefore = simulated;
            }
        }

        long hits() {
            return hits;
        }

        long simulated() {
            return simulated;
        }

        /** Null without parts. */
        List<Moment> moments() {
            return parts == 0 ? null : moments;
        }
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
