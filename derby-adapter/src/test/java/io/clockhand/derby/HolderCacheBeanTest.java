// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;

/** Clockhand's own management beans in Derby: there as long as the database runs, one for each cache and database. */
class HolderCacheBeanTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    @Test
    void eachCacheOfEachDatabaseHasABeanOfItsOwnUntilTheDatabaseEnds() throws Exception {
        try (DerbyHost host = DerbyHost.clockhand(DerbyHost.freshHome("own-beans"))) {
            host.create("one").close();
            assertThat(names("one")).containsExactly("ContainerCache", "PageCache", "StatementCache");
            host.create("two").close();
            assertThat(beans()).hasSize(6);
            assertThat(names("two")).isEqualTo(names("one"));
            for (int reboot = 0; reboot < 2; reboot++) {
                host.shutdown("one");
                assertThat(names("one")).isEmpty();
                assertThat(beans()).hasSize(3);
                host.connect("one").close();
                assertThat(beans()).hasSize(6);
            }
        }
        assertThat(beans()).isEmpty();
    }

    @Test
    void stockHasNone() throws Exception {
        try (DerbyHost host = DerbyHost.stock(DerbyHost.freshHome("own-beans-stock"))) {
            host.create("db").close();
            assertThat(beans()).isEmpty();
        }
    }

    @Test
    void theBeanTellsTheSettingsAndCountsExactlyWhileItCollects() throws Exception {
        String[] settings = {"clockhand.derby.hand", "striped", "clockhand.derby.PageCache.policy", "nb-gclock"};
        try (DerbyHost host = DerbyHost.clockhand(DerbyHost.freshHome("own-bean-counts"), settings);
                Connection connection = host.create("db")) {
            ObjectName pages = bean("db", "PageCache");
            assertThat(server.getAttribute(pages, "Policy")).isEqualTo("nb-gclock");
            assertThat(server.getAttribute(pages, "Hand")).isEqualTo("striped");
            assertThat(server.getAttribute(pages, "Table")).isEqualTo("chained");
            assertThat(server.getAttribute(pages, "Capacity")).isEqualTo(40);
            assertThat(get(pages, "Resident")).isBetween(1L, get(pages, "MaxResident"));
            assertThat(get(pages, "Frames")).isGreaterThanOrEqualTo(get(pages, "Resident"));
            // The daemon may still work for the creation.
            ManagerTest.eventually("no page is pinned", () -> isZero(pages, "Pinned"));

            ObjectName statements = bean("db", "StatementCache");
            run(connection, 3);
            assertThat(get(statements, "Hits") + get(statements, "Misses"))
                    .as("not collecting")
                    .isZero();
            server.setAttribute(statements, new Attribute("CollectAccessCounts", true));
            assertThat(server.getAttribute(derbysBean("StatementCache"), "CollectAccessCounts"))
                    .isEqualTo(true);
            run(connection, 7);
            assertThat(get(statements, "Hits")).isEqualTo(7);
            assertThat(get(statements, "Misses")).isZero();
            server.setAttribute(statements, new Attribute("CollectAccessCounts", false));
            run(connection, 5);
            assertThat(get(statements, "Hits")).isEqualTo(7);
        }
    }

    @Test
    void dirtyPagesThatLeaveAreSeenOnTheirWay() throws Exception {
        try (DerbyHost host = DerbyHost.clockhand(DerbyHost.freshHome("own-bean-dirt"));
                Connection connection = host.create("db")) {
            ObjectName pages = bean("db", "PageCache");
            server.setAttribute(pages, new Attribute("CollectAccessCounts", true));
            fill(connection, 1_000);

            // Derby's daemon may still clean: first come the counts that are less than others.
            ManagerTest.eventually(
                    "pages were cleaned",
                    () -> !isZero(pages, "BackgroundCleans") || !isZero(pages, "ForegroundCleans"));
            ManagerTest.eventually("pages have left", () -> !isZero(pages, "Evictions"));
            long victims = get(pages, "DirtyVictims");
            assertThat(victims).isPositive();
            assertThat(get(pages, "Evictions") + victims).isLessThanOrEqualTo(get(pages, "FramesScanned"));
            assertThat(get(pages, "BackgroundCleans")).isLessThanOrEqualTo(get(pages, "DirtyVictims"));
            assertThat(get(pages, "QueuedForCleaning")).isBetween(0L, get(pages, "DirtyVictims"));
        }
    }

    @Test
    void estimatesAreAttributesOfTheBeanIfTheCacheAdvises() throws Exception {
        String[] settings = {
            "clockhand.derby.PageCache.advises", "true",
            "clockhand.derby.advisedPolicies", "lru, 2q(in=0.3,out=0.5)",
            "clockhand.derby.adviceTimeFraction", "1"
        };
        try (DerbyHost host = DerbyHost.clockhand(DerbyHost.freshHome("own-bean-advice"), settings);
                Connection connection = host.create("db")) {
            ObjectName pages = bean("db", "PageCache");
            fill(connection, 100);

            assertThat(server.getAttribute(pages, "Advising")).isEqualTo(true);
            assertThat(get(pages, "SampledReferences")).isPositive();
            TabularData ratios = (TabularData) server.getAttribute(pages, "EstimatedHitRatios");
            assertThat(ratios.size()).isEqualTo(15);
            assertThat(ratio(ratios, "lru at 0.5")).isBetween(0.1, 0.9999);
            assertThat(ratio(ratios, "2q(in=0.3,out=0.5) at 4.0")).isBetween(0.1, 0.9999);

            ObjectName statements = bean("db", "StatementCache");
            assertThat(server.getAttribute(statements, "Advising")).isEqualTo(false);
            assertThat(get(statements, "SampledReferences")).isZero();
        }
    }

    private static double ratio(TabularData ratios, String label) {
        return (double) ratios.get(new Object[] {label}).get("value");
    }

    /** About three rows to a page. */
    private static void fill(Connection connection, int rows) throws Exception {
        try (Statement sql = connection.createStatement()) {
            sql.execute("create table t (id int primary key, filler varchar(2000))");
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into t values (?, ?)")) {
            for (int id = 0; id < rows; id++) {
                insert.setInt(1, id);
                insert.setString(2, "x".repeat(1_200));
                insert.executeUpdate();
            }
        }
    }

    private static void run(Connection connection, int times) throws Exception {
        try (Statement sql = connection.createStatement()) {
            for (int i = 0; i < times; i++) {
                sql.executeQuery("values 4711").close();
            }
        }
    }

    private Set<ObjectName> beans() throws Exception {
        return server.queryNames(new ObjectName("io.clockhand:*"), null);
    }

    /** {@return the names of the caches of a database that have a bean} */
    private Set<String> names(String database) throws Exception {
        return beans().stream()
                .filter(bean -> isOf(bean, database))
                .map(bean -> bean.getKeyProperty("name"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isOf(ObjectName bean, String database) {
        String path = ObjectName.unquote(bean.getKeyProperty("db")).replace('\\', '/');
        return bean.getKeyProperty("type").equals("HolderCache") && ("/" + path).endsWith("/" + database);
    }

    private ObjectName bean(String database, String cache) throws Exception {
        return beans().stream()
                .filter(bean ->
                        isOf(bean, database) && bean.getKeyProperty("name").equals(cache))
                .findFirst()
                .orElseThrow();
    }

    private ObjectName derbysBean(String cache) throws Exception {
        return server.queryNames(new ObjectName("org.apache.derby:type=CacheManager,name=" + cache + ",*"), null)
                .iterator()
                .next();
    }

    private boolean isZero(ObjectName bean, String attribute) {
        try {
            return get(bean, attribute) == 0;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private long get(ObjectName bean, String attribute) throws Exception {
        return ((Number) server.getAttribute(bean, attribute)).longValue();
    }
}
