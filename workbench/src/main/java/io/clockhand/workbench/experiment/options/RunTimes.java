// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import io.clockhand.duel.DuelSettings;
import java.util.List;
import picocli.CommandLine.Option;

/** How long a timed run takes, what it is compared with, and how often all is repeated. */
public class RunTimes {
    /** Stands behind the options of a command in its help. */
    static final int ORDER = 1;

    @Option(
            names = "--seconds",
            order = ORDER,
            paramLabel = "S",
            description = "Measured running time of each contender (default: ${DEFAULT-VALUE}).")
    private Integer seconds;

    @Option(
            names = "--warmup",
            order = ORDER,
            paramLabel = "S",
            description = "Running time of each contender before measuring (default: ${DEFAULT-VALUE}).")
    private Integer warmup;

    @Option(
            names = "--baseline",
            order = ORDER,
            paramLabel = "NAME",
            description = "The contender that others are compared with (default: derby or vanilla, else the first).")
    private String baseline;

    @Option(
            names = "--repeat",
            order = ORDER,
            paramLabel = "N",
            description = "Repeats of the whole comparison, each with new JVMs (default: ${DEFAULT-VALUE}).")
    private int repeat = 1;

    /** Makes the options with the defaults of a command. */
    public RunTimes(int seconds, int warmup) {
        this.seconds = seconds;
        this.warmup = warmup;
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

    /** Null if none was typed. */
    public String baseline() {
        return baseline;
    }

    /** The baseline if none was typed. */
    public void fillBaseline(String byDefault) {
        baseline = baseline == null ? byDefault : baseline;
    }

    public int repeat() {
        return repeat;
    }

    /** In seconds; null if contenders do not take turns, or runs are counted. */
    public Double slice() {
        return null;
    }

    /** The duels of a repeat, where contenders take turns. */
    public DuelSettings duelOf(int ofRepeat, long seed) {
        throw new UnsupportedOperationException("contenders do not take turns");
    }
}
