// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import picocli.CommandLine.Option;

/** How many references a counted run has. */
public final class AccessOptions {
    private static final long MOST_ACCESSES = 1L << 40;

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

    public void fill(long defaultAccesses, long defaultWarmupAccesses) {
        accesses = accesses == null ? Long.valueOf(defaultAccesses) : accesses;
        warmupAccesses = warmupAccesses == null ? Long.valueOf(defaultWarmupAccesses) : warmupAccesses;
    }
}
