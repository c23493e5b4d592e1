// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.options.Usage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code replay}. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Plays references to pages on the page pool: hit ratios, throughput, reads and writes of each"
                + " policy, each run with a"
                + " pool and in a JVM of its own. Every page that is fixed is checked to be the right one.",
        footer = {
            "",
            "Workloads: paper80 and paper45 draw 50,000 keys after Zipf's law as the experiments of the Nb-GCLOCK"
                    + " paper do,"
                    + " paper80+scan adds a fifth of scans, uniform draws all keys alike, hot-page refers to one"
                    + " page only,"
                    + " tpcc:W makes 5,000,000 references to the pages of a TPC-C database of W warehouses, and"
                    + " trace:FILE plays a"
                    + " file, also one packed with gzip or xz. Page ids of a trace may be any 64 bits: they"
                    + " become keys in the order in which they first appear. Of T threads, thread t takes the"
                    + " references n with"
                    + " n mod T = t.",
            "",
            "Pages: key k lies on page SPREAD x k. The file has a page with content for each key, and one behind"
                    + " the last that"
                    + " says what the file is; with a spread over 1 the pages between are holes, which no run"
                    + " reads. With io memory"
                    + " there is no file: pages are made up.",
            "",
            "Writes: a share of the references, or those that a trace marks, change their page, and a flusher writes"
                    + " dirty pages meanwhile. Every policy can write. Such runs have a new file each, and take no"
                    + " turns. At the end the pool must write what is dirty and close within 60 s, and what a device"
                    + " needs; then each page is read again, and every change must be there.",
            "",
            "Runs are timed or counted. A timed one (--seconds) has its statistics off; its hits and reads come"
                    + " from a shorter,"
                    + " counted run of the same kind. A counted one (--accesses) measures no time; with one"
                    + " thread its hits are"
                    + " the same every time. If neither is asked for, traces and tpcc:W are counted from their"
                    + " first reference to their last, and"
                    + " other workloads are timed for a second."
        })
public final class ReplayCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Settings settings;

    @Override
    public Integer call() {
        settings.check(new Usage(spec));
        return new ReplayRuns(settings, Installation.here(), System.out, System.err).run() ? 0 : 1;
    }
}
