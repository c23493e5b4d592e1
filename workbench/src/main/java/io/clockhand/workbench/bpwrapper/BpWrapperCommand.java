// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.options.Usage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code bp-wrapper}. */
@Command(
        name = "bp-wrapper",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Shows how often threads take the lock of a list policy, how often they have to wait for it, and"
                + " what that costs:"
                + " under a plain lock, with BP-Wrapper and its parts, and with the library's form of it."
                + " Each run has a page"
                + " pool and a JVM of its own. Every page that is fixed is checked to be the right one.",
        footer = {
            "",
            "Forms: plain takes the lock for each hit; prefetch reads the data that a hit will change before it"
                    + " takes the lock;"
                    + " batch queues hits and takes the lock for many; both is BP-Wrapper as published; modern is the"
                    + " library's form, in which no hit waits and some are lost, with queues of 64, a threshold"
                    + " of 32, and misses that look"
                    + " at the lock for a while before they park; spin is plain with waiters that spin. The first"
                    + " is what others are"
                    + " compared with.",
            "",
            "Streams are of the kind of the paper's, on as many pages as the pool has frames, and not the"
                    + " benchmarks themselves: dbt2"
                    + " makes the page references of TPC-C's five transactions (a few very hot pages, customers"
                    + " and stock by its"
                    + " NURand, orders added at the end), dbt1 those of a bookstore as TPC-W's (items and authors"
                    + " after Zipf's law"
                    + " through B+-trees), table-scan has each thread read one table from its first page to its"
                    + " last, over and over."
                    + " Every thread draws its own references.",
            "",
            "Misses: all pages are in the pool before the warm-up, so nothing misses unless --miss-percent says"
                    + " so. Then the stream has a"
                    + " quarter of the pages, and that percentage of references go to a new page, which never"
                    + " comes again. These"
                    + " drive out others that miss later: hitRatio counts all. A page that is missed is made up,"
                    + " without I/O.",
            "",
            "Runs are timed or counted. A timed one (--seconds) has its statistics off and the locks of"
                    + " production; its counts come"
                    + " from a run as long under a lock that counts. A counted one (--accesses) measures no time."
        })
public final class BpWrapperCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Settings settings;

    @Override
    public Integer call() {
        settings.check(new Usage(spec));
        return new BpWrapperRuns(settings, Installation.here(), System.out, System.err).run() ? 0 : 1;
    }
}
