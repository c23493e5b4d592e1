// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.options;

import io.clockhand.duel.DuelSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** How long a timed run takes, how contenders take turns, and how often all is repeated. */
public final class TimeOptions {
    /** Stands behind the options of a command in its help. */
    static final int ORDER = 1;

    private static final double MOST_SLICE_SECONDS = 60;
    private static final double LEAST_SLICE_SECONDS = 0.01;

    @Option(
            names = "--seconds",
            order = ORDER,
            paramLabel = "S",
            description = "Measured running time of each contender (default: ${DEFAULT-VALUE}).")
    private Integer seconds = 24;

    @Option(
            names = "--warmup",
            order = ORDER,
            paramLabel = "S",
            description = "Running time of each contender before measuring (default: ${DEFAULT-VALUE}).")
    private Integer warmup;

    @Option(
            names = "--slice",
            order = ORDER,
            paramLabel = "S",
            description = "Seconds for which a contender runs while the others are" + " stopped"
                    + " (default: ${DEFAULT-VALUE}).")
    private Double slice;

    @Option(
            names = "--baseline",
            order = ORDER,
            paramLabel = "NAME",
            description = "The contender that others are compared with (default: derby, else the first).")
    private String baseline;

    @Option(
            names = {"--repeat", "--repeats"},
            order = ORDER,
            paramLabel = "N",
            description = "Repeats of the whole comparison, each with new JVMs (default: ${DEFAULT-VALUE}).")
    private int repeat = 1;

    /** Makes the options with the defaults of a command. */
    public TimeOptions(int warmup, double slice) {
        this.warmup = warmup;
        this.slice = slice;
    }

    /**
     * Refuses wrong values.
     *
     * @param contenders the names that a baseline may have
     */
    public void check(Usage usage, List<String> contenders) {
        usage.require(seconds >= 1, "--seconds must be at least 1, not " + seconds);
        usage.require(warmup >= 0, "--warmup must not be negative, not " + warmup);
        usage.require(repeat >= 1, "--repeat must be at least 1, not " + repeat);
        usage.requireWithin("--slice", slice, LEAST_SLICE_SECONDS, MOST_SLICE_SECONDS);
        usage.require(slice <= seconds, "--slice must not be longer than --seconds");
        if (baseline != null && !contenders.contains(baseline)) {
            throw usage.wrong(Names.unknown("baseline", baseline, contenders));
        }
    }

    /** Runs are timed unless something shows that they are counted; never both. */
    public void checkAgainst(AccessOptions accesses, Usage usage) {
        usage.require(
                !isTyped(usage) || !accesses.isTyped(),
                "--seconds and --warmup exclude --accesses and --warmup-accesses: a run is timed or counted");
    }

    public boolean isTyped(Usage usage) {
        return usage.isTyped("--seconds") || usage.isTyped("--warmup");
    }

    /** Runs are counted, so no time is reported. */
    public void clear() {
        seconds = null;
        warmup = null;
        slice = null;
    }

    public boolean isTimed() {
        return seconds != null;
    }

    public int seconds() {
        return seconds;
    }

    public int warmup() {
        return warmup;
    }

    /** In seconds; null if runs are counted. */
    public Double slice() {
        return slice;
    }

    /** Null if none was typed. */
    public String baseline() {
        return baseline;
    }

    public int repeat() {
        return repeat;
    }

    /** The order of the rounds differs between repeats. */
    public DuelSettings duelOf(int repeat, long seed) {
        return new DuelSettings(
                Duration.ofNanos(Math.round(slice * 1e9)),
                Duration.ofSeconds(seconds),
                Duration.ofSeconds(warmup),
                1,
                seed + repeat,
                Map.of(),
                true);
    }
}
