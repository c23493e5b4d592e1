// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.simulate.SimulatedPool.Counts;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;

/**
 * One cell, simulated by the thread that calls it: policies may keep something for each thread.
 *
 * @param speed of the cleaner
 * @param lookaheads for the optimum
 * @param played counts the references played, for all simulations
 */
record Simulation(Cell cell, int interleave, CleanerModel.Speed speed, Lookaheads lookaheads, LongAdder played)
        implements Callable<Result> {
    private static final int CHUNK = 1 << 16;

    @Override
    public Result call() throws InterruptedException {
        SimulatedPool pool = pool();
        hits(pool, cell.warmup(interleave));
        Counts before = pool.counts();
        long hits = hits(pool, cell.counted(interleave));
        return new Result(cell, hits, pool.counts().since(before));
    }

    private SimulatedPool pool() {
        int pages = cell.play().workload().keys();
        return cell.isOptimum()
                ? new OptimalPool(cell.frames(), lookaheads.of(cell, interleave))
                : new PolicyPool(Policies.create(cell.policy(), cell.frames()), cell.frames(), pages, speed);
    }

    private long hits(SimulatedPool pool, Turns turns) throws InterruptedException {
        long hits = 0;
        for (long left = turns.count(); left > 0; ) {
            int chunk = (int) Math.min(CHUNK, left);
            hits += hits(pool, turns, chunk);
            left -= chunk;
            played.add(chunk);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return hits;
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
}
