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
 */
record Cell(Play play, String policy, int frames, int threads) {

    /**
     * Every trace, by every number of threads, with every policy and every number of frames. Policies and frames that
     * are not asked for are those that the expected hits name for the trace.
     *
     * @param expected null if there are none
     */
    static List<Cell> plan(Settings settings, List<Play> plays, ExpectedHits expected) {
        List<Cell> cells = new ArrayList<>();
        for (Play play : plays) {
            List<String> policies = settings.policies() != null ? settings.policies() : expected.policies(play.name());
            List<Integer> sizes = settings.frames() != null ? settings.frames() : expected.frames(play.name());
            for (int threads : settings.threads()) {
                for (String policy : policies) {
                    for (int frames : sizes) {
                        cells.add(new Cell(play, policy, frames, threads));
                    }
                }
            }
        }
        return cells;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s, %,d frames, %s%s",
                play.name(),
                frames,
                policy,
                threads == 1 ? "" : ", " + threads + " threads");
    }
}
