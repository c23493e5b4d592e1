// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.application;

import io.clockhand.derby.ClockhandDerby;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import javax.management.ObjectName;

/**
 * An application with a Derby database in memory, in a JVM of its own. It prints whether and how Derby uses Clockhand.
 * It is outside Clockhand's packages, because on a module path those belong to Clockhand's modules.
 */
final class Probe {
    private Probe() {}

    /** Started by {@link ProbeJvm}. */
    public static void main(String[] args) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:derby:memory:db;create=true");
                Statement sql = connection.createStatement()) {
            sql.execute("create table t (id int)");
            System.out.println("derby " + connection.getMetaData().getDatabaseProductVersion());
            look();
        }
        try {
            DriverManager.getConnection("jdbc:derby:;shutdown=true").close();
        } catch (SQLException e) {
            System.out.println("shutdown " + e.getSQLState());
        }
    }

    private static void look() throws Exception {
        try {
            System.out.println("in force " + ClockhandDerby.inForce());
            System.out.println("caches " + (ClockhandDerby.caches().isEmpty() ? "none" : "some"));
            System.out.println("derby's module " + moduleOf("org.apache.derby.jdbc.EmbeddedDriver"));
            System.out.println(
                    "clockhand's module " + ClockhandDerby.class.getModule().getName());
        } catch (NoClassDefFoundError e) {
            System.out.println("not there " + e.getMessage());
        }
        ObjectName beans = new ObjectName("io.clockhand:type=HolderCache,*");
        System.out.println("beans "
                + ManagementFactory.getPlatformMBeanServer()
                        .queryNames(beans, null)
                        .size());
    }

    private static String moduleOf(String name) throws ClassNotFoundException {
        return Class.forName(name).getModule().getName();
    }
}
