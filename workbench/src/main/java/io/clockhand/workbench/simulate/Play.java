// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.workload.Trace;
import io.clockhand.workbench.workload.WithWrites;
import io.clockhand.workbench.workload.Workload;
import io.clockhand.workbench.workload.Workloads;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A trace, or another workload, that is ready to be played; all cells share it.
 *
 * @param trace as typed
 * @param name of a file without folders and endings, else as typed
 * @param form of a file; null of others
 * @param workload with the writes that a trace marks
 * @param markedShare that of its references that a trace marks as writes, from 0 to 1
 * @param sample the pages whose references are simulated; null for all
 * @param seed of writes that are drawn
 * @param warmupReferences before the first that counts
 * @param references that count
 * @param isRepeated whether it has fewer references than are played, and so is played again from its beginning
 */
record Play(
        String trace,
        String name,
        Trace.Form form,
        Workload workload,
        double markedShare,
        Sample sample,
        long seed,
        long warmupReferences,
        long references,
        boolean isRepeated) {
    /** The dirty share for the references that a trace marks as writes. */
    static final String MARKED = "trace";

    /** Reads or draws it; fails, in one sentence, if a trace cannot be read. */
    static Play of(Settings settings, String trace) {
        String known = Workloads.named(trace);
        long seed = settings.common.seed();
        boolean ends = Workloads.hasEnd(known);
        Trace file = ends
                ? Workloads.trace(known, settings.accesses.played(), seed, settings.format(trace), settings.column)
                : null;
        Workload workload = ends ? file.workload() : Workloads.of(known, Workloads.defaultKeys(), seed, null);
        double markedShare = ends ? (double) file.writes() / file.length() : 0;
        if (markedShare == 0 && settings.shares.contains(MARKED)) {
            throw new CommandFailure(
                    trace + " marks no reference as a write, so --dirty-share trace says nothing of it;"
                            + " give a percentage");
        }
        long warmup = settings.accesses.warmup(ends);
        long references = settings.accesses.counted(trace, ends ? workload.length() : 0);
        return new Play(
                trace,
                nameOf(known),
                ends ? file.form() : null,
                workload,
                markedShare,
                Sample.of(workload.keys(), settings.samplePages, seed),
                seed,
                warmup,
                references,
                ends && workload.length() < warmup + references);
    }

    /** {@code OLTP} of {@code traces/OLTP.lis.xz}. */
    static String nameOf(String workload) {
        if (!Workloads.isTrace(workload)) {
            return workload;
        }
        String file = Workloads.traceFile(workload).getFileName().toString();
        return file.equals("-")
                ? "stdin"
                : file.replaceAll("(?<=.)\\.(gz|xz|zst)$", "").replaceAll("(?<=.)\\.[^.]+$", "");
    }

    Map<String, Object> json() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("trace", trace);
        fields.put("traceName", name);
        fields.put("format", form == null ? null : form.format().label());
        fields.put("formatFrom", form == null ? null : form.evidence());
        fields.put("pages", workload.keys());
        fields.put("sampledPages", sample == null ? null : sample.pages());
        fields.put("references", workload.length() == 0 ? null : workload.length());
        return fields;
    }

    long allReferences() {
        return warmupReferences + references;
    }

    /** How many pages the references that are simulated refer to. */
    int simulatedPages() {
        return sample == null ? workload.keys() : sample.pages();
    }

    /** The page of a reference, or {@link Sample#SKIPPED}; the complement of the page of a write. */
    int simulatedPage(int key) {
        return sample == null ? key : sample.of(key);
    }

    /** The references; those that make their page dirty are negative. */
    Workload with(String dirtyShare) {
        boolean asItIs = dirtyShare.equals(MARKED) || (share(dirtyShare) == 0 && markedShare == 0);
        return asItIs ? workload : new WithWrites(workload, Double.parseDouble(dirtyShare), seed);
    }

    /** The share of references that make their page dirty, from 0 to 1; of a trace's marks, those of all of it. */
    double share(String dirtyShare) {
        return dirtyShare.equals(MARKED) ? markedShare : Double.parseDouble(dirtyShare) / 100;
    }
}
