// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.apache.derby.shared.common.error.ExceptionSeverity;
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

    /** As after an error in the middle of a step, for want of memory for instance. */
    @Test
    void databaseWhosePageCacheFailsIsShutDownAndBootsAgain() throws Exception {
        try (DerbyHost host = DerbyHost.clockhand(DerbyHost.freshHome("failed-cache"))) {
            try (Connection connection = host.create("db");
                    Statement sql = connection.createStatement()) {
                sql.executeUpdate("create table t (n int)");
                sql.executeUpdate("insert into t values 1");
                host.failCaches(ClockhandCacheManager.PAGE_CACHE);
                assertThatThrownBy(() -> sql.executeUpdate("insert into t values 2"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getErrorCode()).isEqualTo(ExceptionSeverity.DATABASE_SEVERITY))
                        .hasMessageContaining(ClockhandCacheManager.PAGE_CACHE);
                assertThat(connection.isClosed()).isTrue();
            }
            assertThatCode(() -> host.connect("db").close()).as("the next boot").doesNotThrowAnyException();
            try (Connection connection = host.connect("db");
                    Statement sql = connection.createStatement();
                    ResultSet rows = sql.executeQuery("select n from t")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(1);
                assertThat(rows.next()).isFalse();
            }
        }
        assertThat(ManagementFactory.getPlatformMBeanServer()
                        .queryNames(new ObjectName("io.clockhand:type=HolderCache,*"), null))
                .as("beans of caches")
                .noneMatch(name -> name.toString().contains("failed-cache"));
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
