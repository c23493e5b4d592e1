// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.workload.Workloads;
import java.util.Locale;

/** The settings that compared contenders have in common. */
record Setting(int threads, int frames, String workload, Io io) {

    /** A trace by the name of its file, without the folders. */
    static String brief(String workload) {
        return Workloads.isTrace(workload)
                ? Workloads.traceFile(workload).getFileName().toString()
                : workload;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s, %,d frames, %s, io %s",
                Figures.counted(threads, "threads"),
                frames,
                brief(workload),
                io);
    }
}
