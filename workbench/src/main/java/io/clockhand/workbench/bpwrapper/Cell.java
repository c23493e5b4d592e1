// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.driver.References;
import io.clockhand.workbench.report.Figures;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of the plan.
 *
 * @param repeat from 1
 */
record Cell(Contender contender, String policy, int threads, References stream, double missPercent, int repeat) {

    /** Every stream with every share of misses, every policy and every number of threads; contenders alternate within each repeat. */
    static List<Cell> plan(Settings settings) {
        List<Cell> cells = new ArrayList<>();
        for (References stream : settings.streams()) {
            for (double missPercent : settings.missPercents()) {
                for (String policy : settings.policies()) {
                    for (int threads : settings.threads()) {
                        for (int repeat = 1; repeat <= settings.repeats(); repeat++) {
                            for (Contender contender : settings.contenders()) {
                                cells.add(new Cell(contender, policy, threads, stream, missPercent, repeat));
                            }
                        }
                    }
                }
            }
        }
        return cells;
    }

    /** Of its log, without the ending. */
    String fileName() {
        String queue = contender.queueSize() == null ? "" : contender.queueSize() + "-" + contender.threshold() + "-";
        return "bp-wrapper-" + contender.form() + "-" + queue + policy + "-" + threads + "-" + stream + "-"
                + Figures.brief(missPercent) + "-" + repeat;
    }

    @Override
    public String toString() {
        return contender + ", " + policy + ", " + threads + (threads == 1 ? " thread, " : " threads, ") + stream
                + (missPercent == 0 ? "" : ", " + Figures.brief(missPercent) + " % misses") + ", repeat " + repeat;
    }
}
