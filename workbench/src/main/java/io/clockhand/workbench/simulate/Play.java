// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.workload.Workload;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;

/**
 * A trace, or another workload, that is ready to be played; all cells share it.
 *
 * @param trace as typed
 * @param name of a file without folders and endings, else as typed
 * @param warmupReferences before the first that counts
 * @param references that count
 */
record Play(String trace, String name, Workload workload, long warmupReferences, long references) {

    /** Reads or draws it; fails, in one sentence, if a trace cannot be read. */
    static Play of(Settings settings, String trace) {
        String known = Workloads.named(trace);
        boolean ends = Workloads.hasEnd(known);
        long warmup = settings.accesses().warmupAccesses() != null
                ? settings.accesses().warmupAccesses()
                : ends ? 0 : Settings.DEFAULT_WARMUP_ACCESSES;
        Long accesses = settings.accesses().accesses();
        Workload workload = workload(settings, known, accesses == null ? 0 : warmup + accesses);
        if (accesses == null && ends && warmup >= workload.length()) {
            throw new CommandFailure("--warmup-accesses is " + warmup + ", but " + trace + " has " + workload.length()
                    + " references only; say by --accesses how many to count, and it begins anew");
        }
        long counted = accesses != null ? accesses : ends ? workload.length() - warmup : Settings.DEFAULT_ACCESSES;
        return new Play(trace, nameOf(known), workload, warmup, counted);
    }

    private static Workload workload(Settings settings, String name, long length) {
        try {
            return Workloads.hasEnd(name)
                    ? Workloads.trace(name, length, settings.seed(), settings.format())
                            .withoutWrites()
                            .workload()
                    : Workloads.of(name, Workloads.defaultKeys(), settings.seed(), null);
        } catch (IOException e) {
            throw new CommandFailure(e.getMessage(), e);
        }
    }

    /** {@code OLTP} of {@code traces/OLTP.lis.xz}. */
    static String nameOf(String workload) {
        if (!Workloads.isTrace(workload)) {
            return workload;
        }
        String file = Workloads.traceFile(workload).getFileName().toString();
        return file.replaceAll("(?<=.)\\.(gz|xz)$", "").replaceAll("(?<=.)\\.[^.]+$", "");
    }

    long allReferences() {
        return warmupReferences + references;
    }

    /** Whether it has fewer references than are played, and so is played again from its beginning. */
    boolean isRepeated() {
        return Workloads.hasEnd(Workloads.named(trace)) && workload.length() < allReferences();
    }

    Turns warmup(int threads, int interleave) {
        return new Turns(workload, threads, interleave, 0, warmupReferences);
    }

    Turns counted(int threads, int interleave) {
        return new Turns(workload, threads, interleave, warmupReferences, allReferences());
    }
}
