// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.workload.Trace;
import io.clockhand.workbench.workload.TraceForm;
import io.clockhand.workbench.workload.WithWrites;
import io.clockhand.workbench.workload.Workload;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A trace, or another workload, that is ready to be played; all cells share it.
 *
 * @param trace as typed
 * @param name of a file without folders and endings, else as typed
 * @param form of a file; null of others
 * @param workload without writes
 * @param marked the same with the writes that a trace marks; null if they are not asked for
 * @param sample the pages whose references are simulated; null for all
 * @param seed of writes that are drawn
 * @param warmupReferences before the first that counts
 * @param references that count
 */
record Play(
        String trace,
        String name,
        TraceForm form,
        Workload workload,
        Marked marked,
        Sample sample,
        long seed,
        long warmupReferences,
        long references) {

    /**
     * A trace whose writes are marked.
     *
     * @param share of its references that are writes, from 0 to 1
     */
    record Marked(Workload workload, double share) {}

    /** Reads or draws it; fails, in one sentence, if a trace cannot be read. */
    static Play of(Settings settings, String trace) {
        String known = Workloads.named(trace);
        boolean ends = Workloads.hasEnd(known);
        Trace file = null;
        Workload workload;
        try {
            if (ends) {
                file = Workloads.trace(
                        known,
                        settings.accesses().played(),
                        settings.seed(),
                        settings.format(trace),
                        settings.column());
                workload = file.withoutWrites().workload();
            } else {
                workload = Workloads.of(known, Workloads.defaultKeys(), settings.seed(), null);
            }
        } catch (IOException e) {
            throw new CommandFailure(e.getMessage(), e);
        }
        return new Play(
                trace,
                nameOf(known),
                file == null ? null : file.form(),
                workload,
                settings.playsMarks() ? marked(trace, file) : null,
                Sample.of(workload.keys(), settings.samplePages(), settings.seed()),
                settings.seed(),
                settings.accesses().warmup(ends),
                settings.accesses().counted(trace, ends ? workload.length() : 0));
    }

    private static Marked marked(String name, Trace trace) {
        if (trace.writes() == 0) {
            throw new CommandFailure(name + " marks no reference as a write, so --dirty-share trace says nothing of it;"
                    + " give a percentage");
        }
        return new Marked(trace.workload(), (double) trace.writes() / trace.length());
    }

    /** {@code OLTP} of {@code traces/OLTP.lis.xz}. */
    static String nameOf(String workload) {
        if (!Workloads.isTrace(workload)) {
            return workload;
        }
        String file = Workloads.traceFile(workload).getFileName().toString();
        if (file.equals("-")) {
            return "stdin";
        }
        return file.replaceAll("(?<=.)\\.(gz|xz|zst)$", "").replaceAll("(?<=.)\\.[^.]+$", "");
    }

    Map<String, Object> json() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("trace", trace);
        fields.put("traceName", name);
        fields.put("format", form == null ? null : form.format().label());
        fields.put("formatFrom", form == null ? null : form.evidence().toString());
        fields.put("pages", workload.keys());
        fields.put("sampledPages", sample == null ? null : sample.pages());
        fields.put("references", workload.length() == 0 ? null : workload.length());
        return fields;
    }

    /** How many pages the references that are simulated refer to. */
    int simulatedPages() {
        return sample == null ? workload.keys() : sample.pages();
    }

    long allReferences() {
        return warmupReferences + references;
    }

    /** Whether it has fewer references than are played, and so is played again from its beginning. */
    boolean isRepeated() {
        return Workloads.hasEnd(Workloads.named(trace)) && workload.length() < allReferences();
    }

    /** The references before those that count; those that make their page dirty are negative. */
    Turns warmup(DirtyShare dirtyShare, int threads, int interleave) {
        return new Turns(with(dirtyShare), threads, interleave, 0, warmupReferences);
    }

    Turns counted(DirtyShare dirtyShare, int threads, int interleave) {
        return new Turns(with(dirtyShare), threads, interleave, warmupReferences, allReferences());
    }

    private Workload with(DirtyShare dirtyShare) {
        if (dirtyShare.isNone()) {
            return workload;
        }
        return dirtyShare.isOfTrace() ? marked.workload() : new WithWrites(workload, dirtyShare.percent(), seed);
    }

    /** The share of references that make their page dirty, from 0 to 1; of a trace's marks, those of all of it. */
    double share(DirtyShare dirtyShare) {
        return dirtyShare.isOfTrace() ? marked.share() : dirtyShare.percent() / 100;
    }
}
