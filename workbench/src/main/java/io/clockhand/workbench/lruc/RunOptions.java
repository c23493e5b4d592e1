// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.options.Names;
import io.clockhand.workbench.options.Usage;
import java.util.List;
import picocli.CommandLine.Option;

/** How long a run takes, how often all is repeated, and which scheme others are compared with. */
final class RunOptions {
    private static final int MOST_SECONDS = 86_400;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Measured part of each run (default: ${DEFAULT-VALUE}).")
    private int seconds = 40;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description = "Part of each run before measuring (default: ${DEFAULT-VALUE}).")
    private int warmup = 20;

    @Option(
            names = {"--repeat", "--repeats"},
            paramLabel = "N",
            description = "Repeats of the whole comparison, in which the schemes run one after the other; a ratio is"
                    + " that of one repeat (default: ${DEFAULT-VALUE}).")
    private int repeat = 1;

    @Option(
            names = "--baseline",
            paramLabel = "NAME",
            description = "The scheme that others are compared with (default: vanilla, else the first).")
    private String baseline;

    /** Refuses wrong values, and fills in the baseline. */
    void check(Usage usage, List<String> schemes) {
        usage.requireWithin("--seconds", seconds, 1, MOST_SECONDS);
        usage.requireWithin("--warmup", warmup, 0, MOST_SECONDS);
        usage.require(repeat >= 1, "--repeat must be at least 1, not " + repeat);
        if (baseline == null) {
            baseline = schemes.contains(Schemes.VANILLA) ? Schemes.VANILLA : schemes.get(0);
        } else if (!schemes.contains(baseline)) {
            throw usage.wrong(Names.unknown("baseline", baseline, schemes));
        }
    }

    int seconds() {
        return seconds;
    }

    int warmup() {
        return warmup;
    }

    int repeat() {
        return repeat;
    }

    String baseline() {
        return baseline;
    }
}
