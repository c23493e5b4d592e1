// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.Attribute;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** Derby's management beans for its caches look the same with either cache. */
class ManagementBeanTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    @Test
    void thePageFileAndStatementCacheHaveDerbysBeanAsLongAsTheDatabaseRuns() throws Exception {
        Map<String, List<String>> stock;
        try (DerbyHost host = DerbyHost.stock(DerbyHost.freshHome("beans-stock"))) {
            host.create("db").close();
            stock = attributes();
        }
        try (DerbyHost host = DerbyHost.clockhand(DerbyHost.freshHome("beans"))) {
            try (Connection connection = host.create("db")) {
                assertThat(attributes())
                        .isEqualTo(stock)
                        .containsOnlyKeys("PageCache", "ContainerCache", "StatementCache");
                exactCounts(connection);
            }
            host.shutdown("db");
            assertThat(beans()).isEmpty();
            host.connect("db").close();
            assertThat(beans()).hasSize(3);
        }
        assertThat(beans()).isEmpty();
    }

    private void exactCounts(Connection connection) throws Exception {
        ObjectName statements = bean("StatementCache");
        ObjectName pages = bean("PageCache");
        assertThat(get(pages, "MaxEntries")).isEqualTo(40);
        assertThat(get(statements, "MaxEntries")).isEqualTo(100);
        assertThat(get(pages, "UsedEntries")).isBetween(1L, 40L);
        assertThat(get(pages, "AllocatedEntries")).isGreaterThanOrEqualTo(get(pages, "UsedEntries"));
        assertThat(server.getAttribute(pages, "CollectAccessCounts")).isEqualTo(false);
        assertThat(get(pages, "HitCount")).isZero();

        server.setAttribute(statements, new Attribute("CollectAccessCounts", true));
        assertThat(server.getAttribute(statements, "CollectAccessCounts")).isEqualTo(true);
        try (Statement sql = connection.createStatement()) {
            for (int i = 0; i < 5; i++) {
                sql.executeQuery("values 4711").close();
            }
        }
        assertThat(get(statements, "MissCount")).isEqualTo(1);
        assertThat(get(statements, "HitCount")).isEqualTo(4);
        assertThat(get(statements, "EvictionCount")).isZero();
    }

    private Map<String, List<String>> attributes() throws Exception {
        Map<String, List<String>> attributes = new TreeMap<>();
        for (ObjectName bean : beans()) {
            List<String> names = new ArrayList<>();
            for (MBeanAttributeInfo info : server.getMBeanInfo(bean).getAttributes()) {
                names.add(info.getName() + " " + info.getType() + (info.isWritable() ? " writable" : ""));
            }
            names.sort(null);
            attributes.put(bean.getKeyProperty("name"), names);
            assertThat(bean.getKeyPropertyList().keySet()).containsAll(Arrays.asList("type", "name", "db", "system"));
        }
        return attributes;
    }

    private ObjectName bean(String name) throws Exception {
        return beans().stream()
                .filter(bean -> bean.getKeyProperty("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<ObjectName> beans() throws Exception {
        return List.copyOf(server.queryNames(new ObjectName("org.apache.derby:type=CacheManager,*"), null));
    }

    private long get(ObjectName bean, String attribute) throws Exception {
        return ((Number) server.getAttribute(bean, attribute)).longValue();
    }
}
