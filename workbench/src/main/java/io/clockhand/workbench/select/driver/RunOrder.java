// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

/**
 * Select rows for an interval.
 *
 * @param database the directory of a copy
 * @param policy of Clockhand's cache, or null for Derby's own
 * @param poolPages the size of the page cache, which the properties of this JVM must have set
 * @param seed of this run's keys
 * @param slices the file of a duel, which decides how long the run takes; null for the seconds above
 * @param hangSeconds how long terminals may make no progress at the end
 * @param recording file for a Java Flight Recorder profile of the measured interval, or null
 */
public record RunOrder(
        String database,
        Rows rows,
        String policy,
        int poolPages,
        int terminals,
        Keys keys,
        int warmupSeconds,
        int seconds,
        long seed,
        String slices,
        int hangSeconds,
        String recording) {}
