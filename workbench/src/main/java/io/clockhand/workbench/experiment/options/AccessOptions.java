// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import io.clockhand.workbench.environment.CommandFailure;
import picocli.CommandLine.Option;

/** How many references a counted run has. */
public final class AccessOptions {
    private static final long MOST_ACCESSES = 1L << 40;
    private static final long DEFAULT_ACCESSES = 6_000_000;
    private static final long DEFAULT_WARMUP_ACCESSES = 2_000_000;

    @Option(
            names = "--accesses",
            paramLabel = "N",
            description = "References counted, of all threads together (default: 6,000,000, or a whole trace;"
                    + " 4,000,000 in bp-wrapper).")
    private Long accesses;

    @Option(
            names = "--warmup-accesses",
            paramLabel = "N",
            description = "References before those (default: 2,000,000, or none of a trace; 1,000,000 in bp-wrapper).")
    private Long warmupAccesses;

    public void check(Usage usage) {
        usage.require(
                accesses == null || (accesses >= 1 && accesses <= MOST_ACCESSES),
                "--accesses must lie in 1 … " + MOST_ACCESSES + ", not " + accesses);
        usage.require(
                warmupAccesses == null || (warmupAccesses >= 0 && warmupAccesses <= MOST_ACCESSES),
                "--warmup-accesses must lie in 0 … " + MOST_ACCESSES + ", not " + warmupAccesses);
    }

    public boolean isTyped() {
        return accesses != null || warmupAccesses != null;
    }

    /** Null for a whole trace, and where runs are timed. */
    public Long accesses() {
        return accesses;
    }

    /** Null for none before a trace, and where runs are timed. */
    public Long warmupAccesses() {
        return warmupAccesses;
    }

    /**
     * The references before those that are counted.
     *
     * @param ends whether the workload has an end: then there are none unless they are typed
     */
    public long warmup(boolean ends) {
        return warmupAccesses != null ? warmupAccesses : ends ? 0 : DEFAULT_WARMUP_ACCESSES;
    }

    /**
     * How many references are counted.
     *
     * @param workload its name
     * @param length how many references it has, which are counted unless a number is typed; 0 if it has no end
     */
    public long counted(String workload, long length) {
        if (accesses != null) {
            return accesses;
        }
        if (length == 0) {
            return DEFAULT_ACCESSES;
        }
        long warmup = warmup(true);
        if (warmup >= length) {
            throw new CommandFailure("--warmup-accesses is " + warmup + ", but " + workload + " has " + length
                    + " references only; say by --accesses how many to count, and it begins anew");
        }
        return length - warmup;
    }

    /** How many references of a workload with an end are played; 0 for all. */
    public long played() {
        return accesses == null ? 0 : warmup(true) + accesses;
    }

    /** Gives the options that were not typed the defaults of most commands. */
    public void fill() {
        fill(DEFAULT_ACCESSES, DEFAULT_WARMUP_ACCESSES);
    }

    public void fill(long defaultAccesses, long defaultWarmupAccesses) {
        accesses = accesses == null ? Long.valueOf(defaultAccesses) : accesses;
        warmupAccesses = warmupAccesses == null ? Long.valueOf(defaultWarmupAccesses) : warmupAccesses;
    }
}
