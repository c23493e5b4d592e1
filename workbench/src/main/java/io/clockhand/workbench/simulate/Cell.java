// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

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
                for (DirtyShare dirtyShare : settings.cleaning().shares()) {
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

    /** The references that count, whether they are hits or not; those that make their page dirty are negative. */
    Turns counted(int interleave) {
        return play.counted(dirtyShare, threads, interleave);
    }

    /** The references before those. */
    Turns warmup(int interleave) {
        return play.warmup(dirtyShare, threads, interleave);
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
}
