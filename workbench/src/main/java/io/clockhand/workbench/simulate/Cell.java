// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.clockhand.workbench.simulate.PolicyPool.Counts;
import java.util.ArrayList;
import java.util.List;

/**
 * One simulation of the plan.
 *
 * @param play the references
 * @param policy as typed
 * @param dirtyShare the percentage of the references that make their page dirty, or {@link Play#MARKED}
 */
record Cell(Play play, String policy, int frames, int threads, String dirtyShare) {

    /**
     * Every trace, by every number of threads and every dirty share, with every policy and every number of frames.
     * Policies and frames that are not asked for are those that the expected hits name for the trace.
     *
     * @param expected null if there are none
     */
    static List<Cell> plan(Settings settings, List<Play> plays, ExpectedHits expected) {
        List<Cell> cells = new ArrayList<>();
        for (Play play : plays) {
            List<String> policies = settings.policies != null ? settings.policies : expected.policies(play.name());
            List<Integer> sizes =
                    settings.frames != null ? List.copyOf(settings.sizes(play).keySet()) : expected.frames(play.name());
            for (int threads : settings.threads.threads()) {
                for (String dirtyShare : settings.shares) {
                    for (String policy : policies) {
                        for (int frames : sizes) {
                            cells.add(new Cell(play, policy, frames, threads, dirtyShare));
                        }
                    }
                }
            }
        }
        return cells;
    }

    boolean isOptimum() {
        return policy.equals(Settings.OPTIMUM);
    }

    /** Whether no page is ever dirty. */
    boolean isClean() {
        return play.share(dirtyShare) == 0;
    }

    /** Fewer than those asked for, if the hits are estimated from a sample. */
    int simulatedFrames() {
        return play.sample() == null ? frames : play.sample().frames(frames);
    }

    /** The references before those that count. */
    Turns warmup() {
        return new Turns(play.with(dirtyShare), threads, 0, play.warmupReferences());
    }

    Turns counted() {
        return new Turns(play.with(dirtyShare), threads, play.warmupReferences(), play.allReferences());
    }

    /**
     * A part of the references that count.
     *
     * @param reference the last of the part, from 1
     * @param simulated how many of them are in the sample, or all
     */
    record Part(
            long reference,
            @JsonIgnore long hits,
            @JsonIgnore long simulated) {

        /** Null if none of the part was simulated. */
        @JsonProperty
        Double hitPercent() {
            return simulated == 0 ? null : Double.valueOf(100.0 * hits / simulated);
        }
    }

    /**
     * The counts of a cell, without its warm-up.
     *
     * @param parts of the references, in their order
     * @param counts null of the optimum, which does not search, and ignores dirt
     * @param cpuSeconds of the processor, warm-up included
     */
    record Result(Cell cell, List<Part> parts, Counts counts, double cpuSeconds) {

        /** Of all references; of a sample, those that are to be expected. */
        long hits() {
            Sample sample = cell.play.sample();
            return sample == null
                    ? simulatedHits()
                    : Math.round(references() * sample.hitRatio(simulatedHits(), simulated(), references()));
        }

        private long simulatedHits() {
            return parts.stream().mapToLong(Part::hits).sum();
        }

        private long simulated() {
            return parts.stream().mapToLong(Part::simulated).sum();
        }

        /** Null if the hit ratio of parts was not asked for. */
        List<Part> overTime() {
            return parts.size() > 1 ? parts : null;
        }

        long references() {
            return cell.play.references();
        }

        double hitPercent() {
            return 100.0 * hits() / references();
        }

        /** The share of the pages whose references were simulated; 1 for all, so that hits are exact. */
        double sampleRate() {
            return cell.play.sample() == null ? 1 : cell.play.sample().rate();
        }

        /** Null without a miss. */
        Double framesScannedPerMiss() {
            return counts == null ? null : perMiss(counts.framesScanned());
        }

        /** Null without a miss. */
        Double readStallPercent() {
            return counts == null ? null : perMiss(100 * counts.readStalls());
        }

        private Double perMiss(long count) {
            long misses = simulated() - simulatedHits();
            return misses == 0 ? null : Double.valueOf((double) count / misses);
        }
    }
}
