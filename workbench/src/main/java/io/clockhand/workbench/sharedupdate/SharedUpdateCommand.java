// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.options.Usage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code shared-update}. */
@Command(
        name = "shared-update",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Shows what it is worth that threads update rows of one page at the same time, under a shared"
                + " latch, instead of one after the other under an exclusive one. Each thread updates rows of its"
                + " own and appends a log record for each. Afterwards every row and the page's LSN are checked.",
        footer = {
            "",
            "Loads: rows has each thread update rows of its own in one page. allocate has each allocate eight pages"
                    + " and free them, over and over, by a free-space map whose bytes for them lie in one page: in a"
                    + " pool without shared updates (exclusive-latch), and with them (shared).",
            "",
            "Protocols: shared is the library's, fix, prepare, append, change, dirty, close, on a page of a pool."
                    + " exclusive-lock and exclusive-spin are as strong as an exclusive protocol can be: they look"
                    + " the page up in a pool without an atomic operation, take a lock whose waiters park or spin,"
                    + " and under it only append the record and make the change, by plain stores."
                    + " exclusive-best is the better of these two with that of the numbers of threads that suits it"
                    + " best; it is what others are compared with. exclusive-latch is the library's own exclusive"
                    + " latch, with updates that can be undone.",
            "",
            "Logs: every append adds to the end of the log, one atomic operation, and then, without any lock,"
                    + " cpu:1us computes for a microsecond and wait:20us parks for 20 µs, in fact longer; logMicros"
                    + " tells for how long. file writes to a file under the log's lock: such a log is"
                    + " the bottleneck itself, and no protocol gains."
                    + " Where threads wait, contenders run alone, one after the other; else in turn.",
            "",
            "Layouts: padded gives each thread 128 bytes that no other writes to, interleaved has the rows of the"
                    + " threads next to each other, so that they write to the same lines of the processor's cache."
        })
public final class SharedUpdateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Settings settings;

    @Override
    public Integer call() {
        settings.check(new Usage(spec));
        return new SharedUpdateRuns(settings, Installation.here(), System.out, System.err).run() ? 0 : 1;
    }
}
