// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.replay.driver.Replay.Source;
import io.clockhand.workbench.workload.Trace;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A workload that is ready to be played.
 *
 * @param source for child JVMs
 * @param traceLength how many references a trace, or another workload with an end, has; 0 if it is none
 * @param writes whether some references change their pages
 */
record Play(Source source, int keys, int traceLength, boolean writes) {

    /** Reads or makes a trace once, and leaves it in {@code copy} in a form that child JVMs read soon. */
    static Play of(ReplayCommand settings, String workload, Path copy) {
        boolean share = settings.writes().hasShare();
        if (!Workloads.hasEnd(workload)) {
            int keys = Workloads.defaultKeys();
            return new Play(new Source(workload, keys, settings.seed(), null), keys, 0, share);
        }
        try {
            Trace trace =
                    Workloads.trace(workload, settings.accesses().played(), settings.seed(), settings.format(), null);
            if (trace.writes() > 0 && share) {
                throw new CommandFailure("--write-share is given, but " + workload + " marks " + trace.writes()
                        + " references as writes; leave the option out to play these, or ignore them with"
                        + " --write-share 0");
            }
            trace = settings.writes().playsMarks() ? trace : trace.withoutWrites();
            trace.write(copy);
            Source source = new Source(
                    Workloads.TRACE + copy.toAbsolutePath(), trace.pages(), settings.seed(), TraceFormat.RW32BE);
            return new Play(source, trace.pages(), trace.length(), trace.writes() > 0 || share);
        } catch (IOException e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall(e);
        }
    }

    boolean isTrace() {
        return traceLength > 0;
    }
}
