// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.derby.ClockhandDerby;
import io.clockhand.workbench.derby.driver.CacheProbe;
import io.clockhand.workbench.derby.driver.Database;
import io.clockhand.workbench.environment.Child;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** The child JVM that is killed while its terminals work: each receipt is on standard output after its commit. */
public final class CrashChild {
    /** Begins a line with the pages that have left Clockhand's page cache so far. */
    public static final String EVICTIONS = "evictions ";

    private static final int REPORTS_PER_LOOK = 20;

    private CrashChild() {}

    public static void main(String[] arguments) {
        Child.serve(arguments, CrashOrder.class, CrashChild::run);
    }

    private static String run(CrashOrder order) throws Exception {
        DataSource database = Database.open(Path.of(order.database()));
        database.getConnection().close();
        CacheProbe probe = CacheProbe.of(order.cache());
        probe.countHits();
        AtomicInteger reports = new AtomicInteger();
        new ReportingTerminals(order, database, receipts -> {
                    say(receipts);
                    if (order.cache().policy() != null && reports.incrementAndGet() % REPORTS_PER_LOOK == 0) {
                        say(List.of(EVICTIONS + evictions()));
                    }
                })
                .run(Integer.MAX_VALUE);
        return "nobody has killed this child";
    }

    private static long evictions() {
        return ClockhandDerby.caches().stream()
                .filter(cache -> cache.cache().equals(CacheProbe.PAGE_CACHE))
                .mapToLong(ClockhandDerby.CacheStatus::evictions)
                .sum();
    }

    /** Prints the lines in a single write, so that each is printed as a whole or not at all. */
    @SuppressWarnings("resource") // standard output stays open
    static void say(List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        try {
            byte[] text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
            new FileOutputStream(FileDescriptor.out).write(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
