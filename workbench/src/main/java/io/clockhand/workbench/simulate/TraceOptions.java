// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.options.CommaList;
import io.clockhand.workbench.options.Names;
import io.clockhand.workbench.options.Usage;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.TraceReading;
import io.clockhand.workbench.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The traces, and how files are read. */
final class TraceOptions {
    private static final String STANDARD_INPUT = "-";

    @Option(
            names = "--trace",
            paramLabel = "FILE|NAME,…",
            split = ",",
            description = "FILE, - for standard input, paper80, paper45, paper80+scan, uniform, hot-page or tpcc:W"
                    + " (default: paper80); see below.")
    private List<String> trace = List.of("paper80");

    @Option(
            names = "--format",
            paramLabel = "NAME,…",
            split = ",",
            converter = FormatChoice.class,
            completionCandidates = FormatChoice.class,
            description = "Of the files, one for all or one for each --trace: ${COMPLETION-CANDIDATES} (default:"
                    + " ${DEFAULT-VALUE}).")
    private List<String> format = CommaList.of(FormatChoice.AUTO);

    @Option(
            names = "--column",
            paramLabel = "NAME|N",
            description = "Of CSV files: the column that has the pages, by its head or its number (default: lbn).")
    private String column;

    /** Refuses wrong values. */
    void check(Usage usage) {
        trace.forEach(name -> requireTrace(usage, name));
        usage.requireOnce("--trace", "a trace", trace);
        usage.require(
                format.size() == 1 || format.size() == trace.size(),
                "--format has " + format.size() + " names, but --trace has " + trace.size()
                        + "; it needs one for all or one for each");
    }

    /** Whether a text has the form of a name; otherwise it is a file. */
    private static void requireTrace(Usage usage, String trace) {
        try {
            String name = Workloads.named(trace);
            Workloads.check(name);
            boolean file = trace.startsWith(Workloads.TRACE)
                    || !Workloads.isTrace(name)
                    || trace.equals(STANDARD_INPUT)
                    || trace.matches(".*[./\\\\].*")
                    || Files.exists(Path.of(trace));
            usage.require(file, Names.unknown("trace", trace, possible()));
        } catch (InvalidPathException e) {
            throw usage.wrong("--trace: no file can have the name '" + trace + "'");
        } catch (IllegalArgumentException e) {
            throw usage.wrong("--trace: " + e.getMessage());
        }
    }

    private static List<String> possible() {
        return Stream.concat(Workloads.possible().stream().filter(name -> !Workloads.isTrace(name)), Stream.of("FILE"))
                .toList();
    }

    List<String> traces() {
        return trace;
    }

    /** Whether all are files, which may mark writes. */
    boolean areFiles() {
        return trace.stream().map(Workloads::named).allMatch(Workloads::isTrace);
    }

    /** How one of the traces is to be read. */
    TraceReading reading(String one, TraceReading.Listener listener) {
        String name = format.get(format.size() == 1 ? 0 : trace.indexOf(one));
        return new TraceReading(FormatChoice.format(name), column, listener);
    }
}
