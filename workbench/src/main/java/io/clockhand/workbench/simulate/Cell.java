// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.simulate.Simulation.Part;
import io.clockhand.workbench.simulate.Simulation.SimulatedPool.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One simulation of the plan.
 *
 * @param play the references
 * @param policy as typed
 * @param dirtyShare which references make their page dirty
 */
record Cell(Play play, String policy, int frames, int threads, DirtyShare dirtyShare) {

    /**
     * Every trace, by every number of threads and every dirty share, with every policy and every number of frames.
     * Policies and frames that are not asked for are those that the expected hits name for the trace.
     *
     * @param expected null if there are none
     */
    static List<Cell> plan(Settings settings, List<Play> plays, ExpectedHits expected) {
        List<Cell> cells = new ArrayList<>();
        for (Play play : plays) {
            List<String> policies = settings.policies() != null ? settings.policies() : expected.policies(play.name());
            List<Integer> sizes =
                    settings.frames() != null ? sizes(settings.frames(), play) : expected.frames(play.name());
            for (int threads : settings.threads()) {
                for (DirtyShare dirtyShare : settings.shares()) {
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

    private static List<Integer> sizes(List<FrameCount> frames, Play play) {
        return frames.stream()
                .map(size -> size.of(play.workload().keys()))
                .distinct()
                .toList();
    }

    /** Fewer than those asked for, if the hits are estimated from a sample. */
    int simulatedFrames() {
        return play.sample() == null ? frames : play.sample().frames(frames);
    }

    boolean isOptimum() {
        return policy.equals(Settings.OPTIMUM);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s, %,d frames, %s%s%s",
                play.name(),
                frames,
                policy,
                threads == 1 ? "" : ", " + threads + " threads",
                dirtyShare.isNone() ? "" : ", dirty share " + dirtyShare);
    }

    /**
     * The counts of a cell, without its warm-up.
     *
     * @param hits of all references; of a sample, those that are to be expected
     * @param simulatedMisses of the references that were simulated
     * @param cpuSeconds of the processor, warm-up included
     * @param overTime the parts of the references; null if they were not asked for
     */
    record Result(Cell cell, long hits, long simulatedMisses, Counts counts, double cpuSeconds, List<Moment> overTime) {
        private static final double PERCENT = 100;

        /**
         * Makes a result.
         *
         * @param parts in their order
         * @param isOverTime whether each of them is reported
         */
        static Result of(Cell cell, List<Part> parts, boolean isOverTime, Counts counts, double cpuSeconds) {
            Sample sample = cell.play().sample();
            long references = cell.play().references();
            long hits = parts.stream().mapToLong(Part::hits).sum();
            long simulated = parts.stream().mapToLong(Part::simulated).sum();
            return new Result(
                    cell,
                    sample == null ? hits : Math.round(references * sample.hitRatio(hits, simulated, references)),
                    simulated - hits,
                    counts,
                    cpuSeconds,
                    isOverTime ? parts.stream().map(Moment::of).toList() : null);
        }

        /**
         * A part of the references that count, as it is reported.
         *
         * @param reference the last of the part, from 1
         * @param hitPercent null if none of the part was simulated
         */
        record Moment(long reference, Double hitPercent) {
            static Moment of(Part part) {
                return new Moment(
                        part.reference(),
                        part.simulated() == 0 ? null : Double.valueOf(PERCENT * part.hits() / part.simulated()));
            }
        }

        long references() {
            return cell.play().references();
        }

        double hitPercent() {
            return PERCENT * hits / references();
        }

        /** The frames as a share of the pages. */
        double framesPercent() {
            return PERCENT * cell.frames() / cell.play().workload().keys();
        }

        /** The share of the pages whose references were simulated; 1 for all, so that hits are exact. */
        double sampleRate() {
            return cell.play().sample() == null ? 1 : cell.play().sample().rate();
        }

        /** Null for the optimum, which does not search, and without a miss. */
        Double framesScannedPerMiss() {
            return perMiss(counts.framesScanned());
        }

        /** Null for the optimum, which ignores dirt. */
        Long writes() {
            return cell.isOptimum() ? null : counts.writes();
        }

        /** Null for the optimum, which ignores dirt. */
        Long readStalls() {
            return cell.isOptimum() ? null : counts.readStalls();
        }

        /** Null for the optimum, and without a miss. */
        Double readStallPercent() {
            Double share = perMiss(counts.readStalls());
            return share == null ? null : Double.valueOf(PERCENT * share);
        }

        private Double perMiss(long count) {
            return !cell.isOptimum() && simulatedMisses > 0 ? (double) count / simulatedMisses : null;
        }
    }
}
