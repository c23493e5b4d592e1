// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Derby with Clockhand as its cache, compared with Derby on its own cache. */
class DerbyEndToEndTest {
    @Test
    void everyCacheGoesThroughClockhandAndTheLogSaysSo() throws Exception {
        Path home = DerbyHost.freshHome("in-force");
        // Derby makes the cache of permissions when somebody needs one.
        try (DerbyHost host = DerbyHost.clockhand(home, "derby.database.sqlAuthorization", "true")) {
            assertThat(host.isClockhandInForce()).as("before a database").isFalse();
            try (Connection connection = host.create("db;user=owner");
                    Statement sql = connection.createStatement()) {
                sql.execute("create table t (id int generated always as identity primary key)");
                sql.execute("create sequence s");
                sql.executeQuery("values next value for s").close();
                sql.execute("grant select on t to guest");
                try (Connection guest = host.connect("db;user=guest");
                        Statement select = guest.createStatement()) {
                    select.executeQuery("select id from owner.t").close();
                }
                assertThat(host.isClockhandInForce()).isTrue();
                String caches = String.join("\n", host.clockhandCaches());
                assertThat(caches)
                        .contains(
                                "cache=PageCache,",
                                "cache=ContainerCache,",
                                "cache=ConglomerateDirectoryCache,",
                                "cache=StatementCache,",
                                "cache=TableDescriptorOIDCache,",
                                "cache=TableDescriptorNameCache,",
                                "cache=SPSNameDescriptorCache,",
                                "cache=SequenceGeneratorCache,",
                                "cache=PermissionsCache,");
                assertThat(caches).contains("policy=nb-gclock3");
            }
            assertThat(host.log())
                    .contains("Clockhand " + ClockhandDerby.version() + " is in force")
                    .contains("policy=nb-gclock3");
            host.shutdown("db;user=owner");
            assertThat(String.join("\n", host.clockhandCaches())).doesNotContain("PageCache");
        }
    }

    @Test
    void withoutTheLineDerbyUsesItsOwnCacheAndTheQuerySaysSo() throws Exception {
        Path home = DerbyHost.freshHome("stock");
        try (DerbyHost host = DerbyHost.stock(home)) {
            host.create("db").close();
            assertThat(host.isClockhandInForce()).isFalse();
            assertThat(host.log()).doesNotContain("Clockhand");
        }
    }

    /** The same work on both caches, then each file set read by the other cache. */
    @Test
    void aWorkloadMuchLargerThanTheCacheLeavesTheSameRowsAsOnStockDerby() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("DerbyEndToEndTest workload seed " + seed);
        Path clockhand = DerbyHost.freshHome("workload-clockhand");
        Path stock = DerbyHost.freshHome("workload-stock");
        long expected;
        try (DerbyHost host = DerbyHost.stock(stock)) {
            expected = work(host, seed);
            assertThat(host.isClockhandInForce()).isFalse();
        }
        try (DerbyHost host = DerbyHost.clockhand(clockhand)) {
            assertThat(work(host, seed)).isEqualTo(expected);
            assertThat(host.isClockhandInForce()).isTrue();
            assertThat(host.log()).doesNotContain("ERROR", "Exception", "has waited");
        }
        try (DerbyHost host = DerbyHost.stock(clockhand);
                Connection connection = host.connect("db")) {
            assertThat(Workload.check(connection))
                    .as("Clockhand's files on stock")
                    .isEqualTo(expected);
        }
        try (DerbyHost host = DerbyHost.clockhand(stock);
                Connection connection = host.connect("db")) {
            assertThat(Workload.check(connection))
                    .as("stock's files on Clockhand")
                    .isEqualTo(expected);
        }
        try (DerbyHost host = DerbyHost.clockhand(clockhand, "clockhand.derby.policy", "locked:lru");
                Connection connection = host.connect("db")) {
            assertThat(Workload.check(connection)).as("and back").isEqualTo(expected);
        }
    }

    private static long work(DerbyHost host, long seed) throws Exception {
        try (Connection connection = host.create("db")) {
            Workload.createTables(connection);
            new Workload(host, "db", seed, 4, 12).run();
            long sum = Workload.check(connection);
            Workload.compress(connection);
            assertThat(Workload.check(connection)).as("after compress").isEqualTo(sum);
            return sum;
        }
    }

    /** Temporary tables are dropped with dirty pages in the cache while other threads look for victims. */
    @Test
    void temporaryTablesThatSpillAreDroppedBesideOtherThreads() throws Exception {
        Path home = DerbyHost.freshHome("temporary");
        try (DerbyHost host = DerbyHost.clockhand(home)) {
            host.create("db").close();
            List<ManagerTest.Running<Void>> running = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                running.add(ManagerTest.start(() -> {
                    try (Connection connection = host.connect("db");
                            Statement sql = connection.createStatement()) {
                        connection.setAutoCommit(false);
                        sql.execute("declare global temporary table session.scratch (id int, filler varchar(2000))"
                                + " on commit delete rows not logged");
                        for (int round = 0; round < 6; round++) {
                            try (PreparedStatement insert =
                                    connection.prepareStatement("insert into session.scratch values (?, ?)")) {
                                for (int id = 0; id < 60; id++) {
                                    insert.setInt(1, id);
                                    insert.setString(2, "y".repeat(1_500));
                                    insert.executeUpdate();
                                }
                            }
                            try (ResultSet rows = sql.executeQuery("select count(*) from session.scratch")) {
                                rows.next();
                                assertThat(rows.getInt(1)).isEqualTo(60);
                            }
                            connection.commit();
                        }
                    }
                    return null;
                }));
            }
            for (ManagerTest.Running<Void> thread : running) {
                thread.result();
            }
            assertThat(host.log()).doesNotContain("ERROR", "Exception");
        }
    }

    @Test
    void oneTransactionMayOpenMoreFilesThanTheCacheOfFilesHolds() throws Exception {
        Path home = DerbyHost.freshHome("containers");
        try (DerbyHost host = DerbyHost.clockhand(home);
                Connection connection = host.create("db")) {
            connection.setAutoCommit(false);
            List<Statement> open = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                Statement sql = connection.createStatement();
                open.add(sql);
                sql.execute("create table t" + i + " (id int)");
                sql.execute("insert into t" + i + " values (1), (2)");
            }
            connection.commit();
            List<ResultSet> cursors = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                ResultSet rows = open.get(i).executeQuery("select id from t" + i);
                rows.next();
                cursors.add(rows);
            }
            String files = host.clockhandCaches().stream()
                    .filter(cache -> cache.contains("cache=ContainerCache,"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Integer.parseInt(files.replaceAll(".* resident=(\\d+),.*", "$1")))
                    .isGreaterThan(100);
            for (ResultSet rows : cursors) {
                rows.next();
                assertThat(rows.getInt(1)).isEqualTo(2);
                rows.close();
            }
            connection.commit();
        }
    }
}
