// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Databases that are booted and shut down many times leave no thread, open file or cache behind. */
class RebootTest {
    @Test
    void rebootsLeaveNoThreadNoOpenFileAndNoCache() throws Exception {
        reboot(8);
    }

    @Tag("nightly")
    @Test
    void fiftyRebootsLeaveNoThreadNoOpenFileAndNoCache() throws Exception {
        reboot(50);
    }

    private static void reboot(int times) throws Exception {
        try (DerbyHost host = DerbyHost.clockhand(DerbyHost.freshHome("reboots"))) {
            try (Connection connection = host.create("db")) {
                Workload.createTables(connection);
            }
            host.shutdown("db");
            int cachesOfTheEngine = caches(host);
            int threads = 0;
            long files = 0;
            for (int i = 0; i < times; i++) {
                CacheCheck check;
                try (Connection connection = host.connect("db");
                        Statement sql = connection.createStatement()) {
                    sql.executeUpdate("insert into items values (0, " + i + ", 7, 'f')");
                    sql.executeQuery("select count(*) from items").close();
                    check = host.cacheCheck();
                }
                host.shutdown("db");
                check.run();
                if (i == 2) {
                    threads = Thread.activeCount();
                    files = openFiles();
                }
            }
            int before = threads;
            long filesBefore = files;
            ManagerTest.eventually("no thread is left", () -> Thread.activeCount() <= before);
            ManagerTest.eventually("no file is open", () -> openFiles() <= filesBefore);
            // Derby forgets some of its caches without a shutdown: they go as garbage.
            ManagerTest.eventually("no cache is left", () -> {
                System.gc();
                return caches(host) <= cachesOfTheEngine;
            });
            try (Connection connection = host.connect("db")) {
                Workload.check(connection);
            }
        }
    }

    private static int caches(DerbyHost host) {
        try {
            return host.clockhandCaches().size();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static long openFiles() {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return 0;
        }
        try (Stream<Path> list = Files.list(descriptors)) {
            return list.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
