// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.experiment.options.Choice;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.workload.FormatChoice;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.Workloads;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The references that are played, the pages to which they refer, and where these come from. */
final class DataOptions {
    private static final int MOST_SPREAD = 1000;
    private static final long MOST_PAGES = 1L << 40;

    @Option(
            names = "--page-bytes",
            paramLabel = "N",
            description = "A power of two from 512 to 65536 (default: ${DEFAULT-VALUE}).")
    private int pageBytes = 4096;

    @Option(
            names = "--file-pages",
            paramLabel = "N",
            description =
                    "Pages of the file (default: as many as the keys need); uniform draws all keys that fit into it"
                            + " (default: 50,000).")
    private Long filePages;

    @Option(
            names = "--file",
            paramLabel = "DIR",
            description =
                    "Keeps the data file there for the next time (default: it is made anew in --out, and deleted).")
    private Path file;

    @Option(
            names = "--workload",
            paramLabel = "NAME,…",
            split = ",",
            converter = WorkloadChoice.class,
            completionCandidates = WorkloadChoice.class,
            description = "${COMPLETION-CANDIDATES} (default: paper80); see below.")
    private List<String> workload = List.of("paper80");

    @Option(
            names = "--format",
            paramLabel = "NAME",
            converter = FormatChoice.class,
            completionCandidates = FormatChoice.class,
            description = "Of the traces: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private String format = FormatChoice.AUTO;

    @Option(
            names = "--spread",
            paramLabel = "1|80",
            description = "Key k lies on page SPREAD x k; the paper's benchmark has 80 (default: ${DEFAULT-VALUE}).")
    private int spread = 1;

    @Option(
            names = "--io",
            paramLabel = "NAME,…",
            split = ",",
            description = "cached reads a file through the operating system's page cache, direct bypasses it, memory"
                    + " generates pages; a list makes a run for each (default: memory).")
    private List<Io> io = List.of(Io.MEMORY);

    /** A trace is one with any file. */
    static final class WorkloadChoice extends Choice<String> {
        WorkloadChoice() {
            super("workload", Workloads.possible(), name -> name);
        }

        @Override
        protected String value(String name) {
            Workloads.check(name);
            return name;
        }
    }

    void check(Usage usage) {
        usage.requireOnce("--workload", "a workload", workload);
        usage.requireOnce("--io", "a store", io);
        usage.requirePageBytes(pageBytes);
        usage.requireWithin("--spread", spread, 1, MOST_SPREAD);
        requireFilePages(usage);
    }

    private void requireFilePages(Usage usage) {
        if (filePages == null) {
            return;
        }
        usage.requireWithin("--file-pages", filePages, 1, MOST_PAGES);
        usage.require(
                filePages / spread < Integer.MAX_VALUE,
                "--file-pages must be less, or --spread greater: over 2^31 keys would fit");
        long needed = (long) (Workloads.defaultKeys() - 1) * spread + 1;
        boolean fixed = workload.stream().anyMatch(name -> !Workloads.hasEnd(name) && !Workloads.hasAnyKeys(name));
        usage.require(
                !fixed || filePages >= needed,
                "--file-pages must be at least " + needed + " for the keys of this workload, not " + filePages);
    }

    int pageBytes() {
        return pageBytes;
    }

    /** Null for as many as the keys of the workload need. */
    Long filePages() {
        return filePages;
    }

    /** The directory of files that stay; null if they are deleted. */
    Path file() {
        return file;
    }

    List<String> workloads() {
        return workload;
    }

    /** Null to find out. */
    TraceFormat format() {
        return FormatChoice.format(format);
    }

    int spread() {
        return spread;
    }

    List<Io> ios() {
        return io;
    }

    /** How many keys a workload has that may have any number of them: all that fit into the file. */
    int keysToDraw() {
        return filePages == null ? Workloads.defaultKeys() : (int) ((filePages + spread - 1) / spread);
    }
}
