// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.experiment.options.AccessOptions;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.replay.driver.Replay.Source;
import io.clockhand.workbench.workload.Trace;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A workload that is ready to be played.
 *
 * @param name as typed
 * @param source for child JVMs
 * @param traceLength how many references a trace, or another workload with an end, has; 0 if it is none
 * @param writes whether some references change their pages
 */
record Play(String name, Source source, int keys, int traceLength, boolean writes) {
    /** References enough to warm up, and to count, where a run is timed. */
    private static final long ENOUGH = 1_000_000;

    /** Reads or makes a trace once, and leaves it in {@code directory} in a form that child JVMs read soon. */
    static Play of(ReplayCommand settings, String workload, Path directory) {
        if (!Workloads.hasEnd(workload)) {
            int keys = Workloads.hasAnyKeys(workload) ? settings.data().keysToDraw() : Workloads.defaultKeys();
            Source source = new Source(workload, keys, settings.seed(), null);
            return new Play(workload, source, keys, 0, settings.writes().hasShare());
        }
        try {
            Trace trace = played(
                    settings,
                    workload,
                    Workloads.trace(
                            workload,
                            settings.accesses().played(),
                            settings.seed(),
                            settings.data().format()));
            Path copy = directory.resolve("trace-" + settings.data().workloads().indexOf(workload) + ".rw32be");
            trace.write(copy);
            String name = Workloads.TRACE + copy.toAbsolutePath();
            return new Play(
                    workload,
                    new Source(name, trace.pages(), settings.seed(), TraceFormat.RW32BE),
                    trace.pages(),
                    trace.length(),
                    trace.writes() > 0 || settings.writes().hasShare());
        } catch (IOException e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall(e);
        }
    }

    /** With its marks, unless they are to be ignored; a share of writes besides them is refused. */
    private static Trace played(ReplayCommand settings, String workload, Trace trace) {
        if (trace.writes() > 0 && settings.writes().hasShare()) {
            throw new CommandFailure("--write-share is given, but " + workload + " marks " + trace.writes()
                    + " references as writes; leave the option out to play these, or ignore them with --write-share 0");
        }
        return settings.writes().playsMarks() ? trace : trace.withoutWrites();
    }

    boolean isTrace() {
        return traceLength > 0;
    }

    /** The references that a counted run counts. */
    Counting counting(AccessOptions accesses) {
        return new Counting(accesses.warmup(isTrace()), accesses.counted(name, traceLength));
    }

    /** Of a counted run that belongs to a timed one. */
    static Counting counting(double operationsPerSecond) {
        return Counting.after(operationsPerSecond, ENOUGH);
    }
}
