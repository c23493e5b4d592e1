// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Files that shrink, go, or may not be written, while other threads need room in the cache. */
class DerbyFilesTest {
    private static final int ROWS = 60;

    /** Derby discards the pages of these files while checkpoints and finds use the same pages. */
    @Test
    void tablesAreTruncatedAndCompressedBesideCheckpointsAndScans() throws Exception {
        try (DerbyHost host = DerbyHost.clockhand(DerbyHost.freshHome("truncated"))) {
            try (Connection connection = host.create("db");
                    Statement sql = connection.createStatement()) {
                for (int t = 0; t < 3; t++) {
                    sql.execute("create table t" + t + " (id int primary key, filler varchar(2000))");
                }
            }
            AtomicBoolean done = new AtomicBoolean();
            ManagerTest.Running<Void> checkpoints = ManagerTest.start(() -> {
                try (Connection connection = host.connect("db")) {
                    while (!done.get()) {
                        Workload.call(connection, "SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE()");
                    }
                }
                return null;
            });
            List<ManagerTest.Running<Void>> running = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                String table = "T" + t;
                running.add(ManagerTest.start(() -> {
                    for (int round = 0; round < 4; round++) {
                        growAndShrink(host, table, round % 2 == 0);
                    }
                    return null;
                }));
            }
            try {
                for (ManagerTest.Running<Void> thread : running) {
                    thread.result();
                }
            } finally {
                done.set(true);
            }
            checkpoints.result();
            assertThat(host.log()).doesNotContain("ERROR X", "Exception");
        }
    }

    private static void growAndShrink(DerbyHost host, String table, boolean compress) throws SQLException {
        try (Connection connection = host.connect("db");
                Statement sql = connection.createStatement()) {
            retried(() -> {
                sql.execute("delete from " + table);
                try (PreparedStatement insert =
                        connection.prepareStatement("insert into " + table + " values (?, ?)")) {
                    for (int id = 0; id < ROWS; id++) {
                        insert.setInt(1, id);
                        insert.setString(2, "w".repeat(1_800));
                        insert.executeUpdate();
                    }
                }
            });
            try (ResultSet rows = sql.executeQuery("select count(*) from " + table + " where filler like 'w%'")) {
                rows.next();
                assertThat(rows.getInt(1)).isEqualTo(ROWS);
            }
            if (compress) {
                retried(() -> sql.execute("delete from " + table + " where id > 3"));
                retried(() -> Workload.call(
                        connection, "SYSCS_UTIL.SYSCS_INPLACE_COMPRESS_TABLE('APP', '" + table + "', 1, 1, 1)"));
            } else {
                retried(() -> sql.execute("truncate table " + table));
            }
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws SQLException;
    }

    /** The catalogs are locked by others now and then. */
    private static void retried(Work work) throws SQLException {
        for (int attempt = 0; ; attempt++) {
            try {
                work.run();
                return;
            } catch (SQLTransactionRollbackException e) {
                if (attempt == 10) {
                    throw e;
                }
            }
        }
    }

    @Test
    void readersGoOnWhileTheDatabaseIsFrozenForABackup() throws Exception {
        try (DerbyHost host = DerbyHost.clockhand(DerbyHost.freshHome("frozen"));
                Connection connection = host.create("db")) {
            Workload.createTables(connection);
            new Workload(host, "db", 1, 1, 5).run();
            long sum = Workload.check(connection);
            Workload.call(connection, "SYSCS_UTIL.SYSCS_FREEZE_DATABASE()");
            ManagerTest.Running<Long> reader = ManagerTest.start(() -> {
                try (Connection other = host.connect("db")) {
                    return Workload.check(other);
                }
            });
            assertThat(reader.result()).isEqualTo(sum);
            Workload.call(connection, "SYSCS_UTIL.SYSCS_UNFREEZE_DATABASE()");
            try (Statement sql = connection.createStatement()) {
                assertThat(sql.executeUpdate("update items set amount = 0")).isPositive();
            }
        }
    }

    @Test
    void twoDatabasesOfOneEngineHaveCachesOfTheirOwn() throws Exception {
        try (DerbyHost host = DerbyHost.clockhand(DerbyHost.freshHome("two"))) {
            try (Connection one = host.create("one");
                    Connection two = host.create("two")) {
                Workload.createTables(one);
                Workload.createTables(two);
                assertThat(host.clockhandCaches().stream().filter(cache -> cache.contains("cache=PageCache,")))
                        .hasSize(2);
                host.shutdown("one");
                assertThat(host.clockhandCaches().stream().filter(cache -> cache.contains("cache=PageCache,")))
                        .hasSize(1);
                Workload.check(two);
            }
        }
    }
}
