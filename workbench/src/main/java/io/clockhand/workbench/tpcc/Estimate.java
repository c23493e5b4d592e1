// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.derby.Needs;
import io.clockhand.workbench.tpcc.check.TableCheck;
import java.time.Duration;

/** The needs of the command, estimated before it starts; on the safe side of a slow laptop. */
final class Estimate {
    private static final long WAREHOUSE_BYTES = 150_000_000;
    private static final long WAREHOUSE_PAGES = 30_000;
    /** A run's log, and the rows it adds at a thousand new-orders a second. */
    private static final long LOG_BYTES = 100_000_000;

    private static final long BYTES_PER_SECOND = 2_000_000;
    private static final int LOAD_SECONDS_PER_WAREHOUSE = 12;
    private static final int RUN_SECONDS = 5;
    /** For Derby's check of the indexes, in the counted runs only. */
    private static final int INDEX_SECONDS_PER_WAREHOUSE = 5;

    private Estimate() {}

    static long databaseBytes(Settings settings) {
        return settings.warehouses() * WAREHOUSE_BYTES;
    }

    /** Of the tables and indexes, on the low side: a pool refused because of it would be refused after loading. */
    static long fewestPages(Settings settings) {
        return settings.warehouses() * WAREHOUSE_PAGES;
    }

    static long copyBytes(Settings settings) {
        return databaseBytes(settings)
                + LOG_BYTES
                + (settings.times().warmup() + settings.times().seconds()) * (settings.keying() ? 0 : BYTES_PER_SECOND);
    }

    /**
     * How long a child may be silent before it counts as hung: the longest it does without a report is to write back,
     * recover and check the whole database.
     */
    static Duration patience(Settings settings) {
        return Duration.ofMinutes(10).plus(Duration.ofMinutes(settings.warehouses()));
    }

    static int seconds(Settings settings, boolean loaded) {
        int around = RUN_SECONDS + settings.warehouses() + settings.times().warmup();
        int load = loaded ? 0 : 5 + LOAD_SECONDS_PER_WAREHOUSE * settings.warehouses();
        int index = TableCheck.isAffordable(settings.warehouses())
                ? INDEX_SECONDS_PER_WAREHOUSE * settings.warehouses()
                : 0;
        int runs =
                settings.derby().terminals().size() * settings.derby().names().size();
        return load
                + runs * settings.times().repeat() * (around + settings.times().seconds())
                + runs * (around + settings.countedSeconds() + index);
    }

    static Needs needs(Settings settings, boolean loaded) {
        return new Needs(
                seconds(settings, loaded),
                databaseBytes(settings),
                settings.derby().names().size() * copyBytes(settings));
    }
}
