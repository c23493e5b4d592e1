// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

/**
 * Runs a test with many simulated disks, each with a seed of its own. A failure names the seed, and prints the disk.
 *
 * <pre>{@code
 * @Test
 * void acknowledgedOrdersSurviveACrash() {
 *     SeededDisks.run(1_000, disk -> {
 *         …
 *         disk.crash();
 *         …
 *     });
 * }
 * }</pre>
 *
 * <p>With the system property {@code clockhand.disk.seed} only the disk with that seed is used: to repeat a failure.
 */
public final class SeededDisks {
    /** The system property that names the only seed. */
    public static final String SEED_PROPERTY = "clockhand.disk.seed";

    /** A test of one disk. */
    @FunctionalInterface
    public interface DiskTest {
        /**
         * Runs the test.
         *
         * @param disk a new disk
         * @throws Exception if the test fails
         */
        void run(SimulatedDisk disk) throws Exception;
    }

    private SeededDisks() {}

    /**
     * Runs a test with the seeds from 0 on, until it fails.
     *
     * @param seeds the number of seeds
     * @param test the test
     * @throws AssertionError if it fails: with the seed, what the disk did, and the failure as the cause
     */
    public static void run(int seeds, DiskTest test) {
        Long only = Long.getLong(SEED_PROPERTY);
        if (only != null) {
            runOne(only, test);
            return;
        }
        for (long seed = 0; seed < seeds; seed++) {
            runOne(seed, test);
        }
    }

    private static void runOne(long seed, DiskTest test) {
        SimulatedDisk disk = new SimulatedDisk(seed);
        try {
            test.run(disk);
        } catch (Exception | AssertionError e) {
            throw new AssertionError(
                    "fails with seed " + seed + " (repeat with -D" + SEED_PROPERTY + "=" + seed + "): " + e.getMessage()
                            + "\n" + disk,
                    e);
        }
    }
}
