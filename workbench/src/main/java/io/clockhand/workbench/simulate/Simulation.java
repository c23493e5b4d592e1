// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.simulate.Cell.Part;
import io.clockhand.workbench.simulate.Cell.Result;
import io.clockhand.workbench.simulate.OptimalPool.Lookaheads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/**
 * One cell, simulated by the thread that calls it: policies may keep something for each thread.
 *
 * @param mostParts of the references that count, each of which has a hit ratio; at least 1
 * @param speed of the cleaner
 * @param lookaheads for the optimum
 * @param progress gets the number of references that were played since the last call
 */
record Simulation(Cell cell, int mostParts, PolicyPool.Speed speed, Lookaheads lookaheads, LongConsumer progress)
        implements Callable<Result> {
    private static final int CHUNK = 1 << 16;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Override
    public Result call() throws InterruptedException {
        long begin = THREADS.getCurrentThreadCpuTime();
        int frames = cell.simulatedFrames();
        if (cell.isOptimum()) {
            OptimalPool pool = new OptimalPool(frames, lookaheads.of(cell));
            play(page -> pool.reference(), cell.warmup(), 1);
            List<Part> parts = play(page -> pool.reference(), cell.counted(), mostParts);
            return new Result(cell, parts, null, seconds(begin));
        }
        PolicyPool pool = new PolicyPool(
                Policies.create(cell.policy(), frames), frames, cell.play().simulatedPages(), speed);
        play(pool::reference, cell.warmup(), 1);
        pool.resetCounts();
        List<Part> parts = play(pool::reference, cell.counted(), mostParts);
        return new Result(cell, parts, pool.counts(), seconds(begin));
    }

    private static double seconds(long begin) {
        return (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
    }

    /** Plays all references; {@return hits by parts of equal length, at most as many as there are references} */
    private List<Part> play(IntPredicate pool, Turns turns, int most) throws InterruptedException {
        long count = Math.min(most, turns.count());
        List<Part> parts = new ArrayList<>();
        long done = 0;
        for (int part = 1; part <= count; part++) {
            long end = turns.count() * part / count;
            long hits = 0;
            long simulated = 0;
            while (done < end) {
                int chunk = (int) Math.min(CHUNK, end - done);
                for (int i = 0; i < chunk; i++) {
                    int page = cell.play().simulatedPage(turns.next());
                    if (page != Sample.SKIPPED) {
                        simulated++;
                        hits += pool.test(page) ? 1 : 0;
                    }
                }
                done += chunk;
                progress.accept(chunk);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            parts.add(new Part(end, hits, simulated));
        }
        return parts;
    }
}
