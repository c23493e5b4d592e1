// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.derby.Needs;
import java.time.Duration;

/** The needs of the command; on the safe side of a slow laptop. */
final class Estimate {
    /** Of the table and its index together. */
    private static final long BYTES_PER_ROW = 290;

    private static final long FEWEST_BYTES_PER_ROW = 200;
    private static final long PAGE_BYTES = 4096;
    /** The catalogues and the log. */
    private static final long EMPTY_BYTES = 25_000_000;

    private static final int ROWS_LOADED_PER_SECOND = 50_000;
    private static final int ROWS_COPIED_PER_SECOND = 500_000;
    private static final int RUN_SECONDS = 4;

    private Estimate() {}

    static Needs needs(Settings settings, boolean loaded) {
        return new Needs(
                seconds(settings, loaded),
                databaseBytes(settings),
                settings.derby().names().size() * databaseBytes(settings));
    }

    /** Of one copy. */
    static long copyBytes(Settings settings) {
        return databaseBytes(settings);
    }

    private static long databaseBytes(Settings settings) {
        return settings.rows() * BYTES_PER_ROW + EMPTY_BYTES;
    }

    /** Of the table and its index, on the low side: a pool refused because of it would be refused after loading. */
    static long fewestPages(Settings settings) {
        return settings.rows() * FEWEST_BYTES_PER_ROW / PAGE_BYTES;
    }

    /** The longest that a child does without a report is to make the index, or to fill the pool. */
    static Duration patience(Settings settings) {
        return Duration.ofSeconds(300 + settings.rows() / 1000);
    }

    static int seconds(Settings settings, boolean loaded) {
        int run = RUN_SECONDS
                + settings.rows() / ROWS_COPIED_PER_SECOND
                + settings.times().warmup()
                + settings.times().seconds();
        return (loaded ? 0 : 5 + settings.rows() / ROWS_LOADED_PER_SECOND)
                + settings.plan().size() * settings.derby().names().size() * run;
    }
}
