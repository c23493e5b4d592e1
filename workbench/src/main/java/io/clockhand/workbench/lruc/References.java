// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.lruc.LruC.ReadWrite;
import io.clockhand.workbench.lruc.driver.RunOrder;
import io.clockhand.workbench.workload.Trace;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The references of all runs.
 *
 * @param trace that child JVMs read; null for the model of TPC-C
 * @param traceLength its references; 0 for the model
 */
record References(String trace, TraceFormat format, int pages, int traceLength, long seed) {

    /** Reads a trace once, and leaves it in {@code directory} in a form that child JVMs read soon. */
    static References ofTrace(String workload, TraceFormat format, long seed, Path directory) {
        try {
            Trace trace = Trace.read(Workloads.traceFile(workload), format);
            Path copy = directory.resolve("trace.rw32be");
            trace.write(copy);
            return new References(
                    Workloads.TRACE + copy.toAbsolutePath(), TraceFormat.RW32BE, trace.pages(), trace.length(), seed);
        } catch (IOException e) {
            throw new CommandFailure(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall(e);
        }
    }

    RunOrder.Source source(LruC.Setting setting) {
        return new RunOrder.Source(
                trace, format, pages, trace == null ? ReadWrite.mix(setting.readWrite()) : null, seed);
    }
}
