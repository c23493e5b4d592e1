// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.options;

import picocli.CommandLine.Option;

/** How long a timed run takes, and how often it is repeated. */
public final class TimeOptions {
    @Option(names = "--seconds", paramLabel = "S", description = "Measured in a timed run (default: ${DEFAULT-VALUE}).")
    private Integer seconds;

    @Option(names = "--warmup", paramLabel = "S", description = "Seconds before measuring (default: ${DEFAULT-VALUE}).")
    private Integer warmup;

    @Option(
            names = {"--repeat", "--repeats"},
            paramLabel = "N",
            description = "Runs of each kind (default: ${DEFAULT-VALUE}).")
    private int repeat;

    public TimeOptions(int seconds, int warmup, int repeat) {
        this.seconds = seconds;
        this.warmup = warmup;
        this.repeat = repeat;
    }

    public void check(Usage usage) {
        usage.require(seconds >= 1, "--seconds must be at least 1, not " + seconds);
        usage.require(warmup >= 0, "--warmup must not be negative, not " + warmup);
        usage.require(repeat >= 1, "--repeat must be at least 1, not " + repeat);
    }

    /** Runs are timed unless something says that they are counted; never both. */
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

    public int repeat() {
        return repeat;
    }
}
