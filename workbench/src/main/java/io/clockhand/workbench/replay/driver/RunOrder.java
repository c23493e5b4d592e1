// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.page.BufferPool;
import io.clockhand.page.PageIn;
import io.clockhand.page.PoolTuning;
import io.clockhand.policy.ClockHand;
import io.clockhand.wal.WriteAheadLog;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.pages.driver.Timing;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workload;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;
import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * Play a workload on a pool of its own, for a time or a number of references.
 *
 * @param timing null if references are to be counted
 * @param counting null if the run is to be timed
 * @param writing null if all references are reads
 */
public record RunOrder(
        Pool pool,
        Source source,
        Pages pages,
        int threads,
        int interleave,
        Timing timing,
        Counting counting,
        Writing writing)
        implements Order<RunAnswer> {

    /**
     * Some references change their pages.
     *
     * @param sharePercent of the references; 0 for those that the trace marks
     * @param rate references a second that the threads attempt; 0 for as many as they can
     * @param deviceWrites pages a second that can be written; 0 for as many as the store can
     * @param logNanos for which a force of the log takes; negative for no log
     */
    public record Writing(double sharePercent, double rate, long deviceWrites, long logNanos) {}

    /**
     * The buffer pool.
     *
     * @param hand null for the default
     * @param advised policies besides its own, for which it estimates hit ratios; null if it estimates none
     */
    public record Pool(String policy, ClockHand hand, PageIn pageIn, int frames, int pageBytes, List<String> advised) {
        BufferPool make(WriteAheadLog log) {
            return BufferPool.builder()
                    .pageBytes(pageBytes)
                    .frames(frames)
                    .policy(policy)
                    .log(log)
                    .tuning(t -> t.hand(hand == null ? ClockHand.DEFAULT : hand)
                            .pageIn(pageIn)
                            .readAhead(1))
                    .tuning(this::advise)
                    .build();
        }

        /** Of each reference, since no time is measured. */
        private void advise(PoolTuning tuning) {
            if (advised != null) {
                tuning.advises(true)
                        .advisedPolicies(advised.toArray(new String[0]))
                        .adviceShare(1);
            }
        }
    }

    /**
     * The workload.
     *
     * @param keys of a workload that may have any number of them
     * @param format of a trace; null to find out
     */
    public record Source(String workload, int keys, long seed, TraceFormat format) {
        Workload make() throws IOException {
            return Workloads.of(workload, keys, seed, format);
        }
    }

    /**
     * The pages.
     *
     * @param file null if there is none
     * @param count how many pages the file has
     * @param spread key k lies on page {@code spread * k}
     */
    public record Pages(Io io, String file, long count, int spread) {}

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        return new Replay(this, progress).run();
    }
}
