// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import io.clockhand.duel.DuelSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** How long a timed run takes, how contenders take turns, and how often all is repeated. */
public final class TimeOptions extends RunTimes {
    @Option(
            names = "--slice",
            order = ORDER,
            paramLabel = "S",
            description =
                    "Seconds for which a contender runs while the others are stopped (default: ${DEFAULT-VALUE}).")
    private Double slice;

    /** Makes the options with the defaults of a command. */
    public TimeOptions(int warmup, double slice) {
        super(24, warmup);
        this.slice = slice;
    }

    @Override
    public void check(Usage usage, List<String> contenders) {
        super.check(usage, contenders);
        usage.requireWithin("--slice", slice, 0.01, 60);
        usage.require(slice <= seconds(), "--slice must not be longer than --seconds");
    }

    @Override
    public void clear() {
        super.clear();
        slice = null;
    }

    @Override
    public Double slice() {
        return slice;
    }

    /** The order of the rounds differs between repeats. */
    @Override
    public DuelSettings duelOf(int ofRepeat, long seed) {
        return new DuelSettings(
                Duration.ofNanos(Math.round(slice * 1e9)),
                Duration.ofSeconds(seconds()),
                Duration.ofSeconds(warmup()),
                1,
                seed + ofRepeat,
                Map.of(),
                true);
    }
}
