// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.options.Usage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code lru-c}. */
@Command(
        name = "lru-c",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description =
                "Compares how pools find a frame for a page that is missed while pages are dirty: how often a miss"
                        + " waits for a write, and what that costs on devices whose writes are slower than their reads."
                        + " Each run has a pool and a JVM of its own, and they run one after the other, since their"
                        + " threads wait rather than compute. Every page that is used is checked to be the right one,"
                        + " and every change to be in its page at the end.",
        footer = {
            "",
            "Schemes: vanilla is an LRU list as InnoDB has it: a background thread writes a fixed number of pages a"
                    + " second from the tail, 1,024 for 16,384 frames on ssd-a at its own speed, and a miss that finds"
                    + " no clean frame there writes a page itself. vanilla-8192 writes eight times as many,"
                    + " vanilla:N as many as N states, vanilla-best as many as were the best in a sweep of shorter"
                    + " runs, vanilla-serial those of misses one after the other,"
                    + " vanilla-no-stall scans until a clean frame is found. cf-lru takes clean pages first, war"
                    + " copies a dirty victim and reads before it writes, lru-c is LRU-C with its pointer to the"
                    + " oldest clean page, lru-c-batch writes all pages behind it, lru-c-full has two mutexes, too."
                    + " clock-c is Clockhand's page pool, pool:POLICY the same with another policy.",
            "",
            "Devices: ssd-a, ssd-c and hdd are models of the devices of the LRU-C paper, with their rates for 16 KiB."
                    + " Latencies are multiplied by --time-scale, and the throughput is that of the slowed device.",
            "",
            "A run fills its pool first, without latency, then warms up and is measured. A run whose halves differ by"
                    + " more than 5 % is marked: it is not stable."
        })
public final class LruCCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Settings settings;

    @Override
    public Integer call() {
        settings.check(new Usage(spec));
        return new LruCRuns(settings, Installation.here(), System.out, System.err).run() ? 0 : 1;
    }
}
