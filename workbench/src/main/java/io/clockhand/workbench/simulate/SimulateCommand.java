// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.options.Usage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code simulate}. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description =
                "Counts the hits of policies on traces, at any number of frames, with the very classes that run in"
                        + " production but without pages: what replay counts with one thread, sooner.",
        footer = {
            "",
            "Traces: a FILE, also one packed with gzip, xz or zstd, a pipe, or - for standard input. Text formats are"
                    + " found out, and the one that was assumed is stated; a binary format is taken from the ending of"
                    + " the name (.u32be, .u64be, .rw32be, .rw64be, .oracleGeneral) or from --format, and never"
                    + " assumed. Or paper80 and paper45, 50,000 keys drawn after"
                    + " Zipf's law as in the"
                    + " experiments of the Nb-GCLOCK paper; paper80+scan, with a fifth of scans; uniform,"
                    + " hot-page; or tpcc:W, references"
                    + " to the pages of a TPC-C database of W warehouses.",
            "",
            "Threads are simulated by one, so that hits are the same every time: of N threads, thread t has the"
                    + " references n with"
                    + " n mod N = t, and the threads take turns of --interleave references each.",
            "",
            "A policy's name may set parameters, in parentheses; others have their default: 2q(in=0.3,out=0.6)."
                    + " Its name with them is that of the policy in every report. Shells need quotes around it."
                    + " mq has queues, life and out; lirs and clock-pro cold and ghosts; s3-fifo small, ghosts and"
                    + " hits; w-tinylfu window and protected; nb-gclock and gclock cap; 2r-gclock cold, its adaptive"
                    + " form most, too. A wrong one is answered by the list with ranges.",
            "",
            "--dirty-share makes pages dirty. No dirty frame is a victim: a search that meets one queues it to be"
                    + " written, once, and passes it. The cleaner writes queued frames in this order, then the policy"
                    + " is notified. Its time is counted in misses: each write takes --write-time of them, and"
                    + " --writes-in-flight are written at once. A miss that finds no clean frame waits for the oldest"
                    + " write, which counts as a read stall. Pages that no search meets are not written.",
            "",
            "opt is the ceiling: it knows what will be referred to, warm-up included, and throws the page out"
                    + " that is needed last;"
                    + " every page that is referred to is framed (Belady, with forced admission). It ignores dirt.",
            "",
            "--check compares with hits that are known. Its file has a head line with the columns trace (the name"
                    + " of a file without"
                    + " folders and endings), capacity, policy, hits, requests and tolerance_points: exact, a"
                    + " number of percentage points,"
                    + " or info for lines that are shown and not judged. The exit code is 1 if a line does not"
                    + " hold, or none was compared."
        })
public final class SimulateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Settings settings;

    @Override
    public Integer call() {
        settings.check(new Usage(spec));
        return new SimulateRuns(settings, System.out, System.err).run() ? 0 : 1;
    }
}
