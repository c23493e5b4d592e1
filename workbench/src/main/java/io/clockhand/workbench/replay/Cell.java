// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.workload.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One run of the plan.
 *
 * @param repeat from 1
 */
record Cell(Contender contender, int threads, int frames, String workload, Io io, int repeat) {

    /** Every workload from every kind of store, with every number of frames and threads; contenders alternate within each repeat. */
    static List<Cell> plan(Settings settings) {
        List<Cell> cells = new ArrayList<>();
        for (String workload : settings.workloads()) {
            for (Io io : settings.ios()) {
                for (int frames : settings.frames()) {
                    for (int threads : settings.threads()) {
                        for (int repeat = 1; repeat <= settings.repeats(); repeat++) {
                            for (Contender contender : settings.contenders()) {
                                cells.add(new Cell(contender, threads, frames, workload, io, repeat));
                            }
                        }
                    }
                }
            }
        }
        return cells;
    }

    /** A trace by the name of its file, without the folders. */
    static String brief(String workload) {
        return Workloads.isTrace(workload)
                ? Workloads.traceFile(workload).getFileName().toString()
                : workload;
    }

    /** Of its log, without the ending. */
    String fileName() {
        String hand = contender.hand() == null ? "" : contender.hand().label() + "-";
        return ("replay-" + contender.policy() + "-" + hand + contender.pageIn().label() + "-" + threads + "-" + frames
                        + "-" + brief(workload) + "-" + io + "-" + repeat)
                .replaceAll("[^A-Za-z0-9.-]", "-");
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s, %d %s, %,d frames, %s, io %s, repeat %d",
                contender,
                threads,
                threads == 1 ? "thread" : "threads",
                frames,
                brief(workload),
                io,
                repeat);
    }
}
