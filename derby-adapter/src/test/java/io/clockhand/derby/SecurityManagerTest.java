// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.cache.HolderCache;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Derby in a JVM with a security manager, and the permissions that the policy of Derby's network server grants. */
@EnabledForJreRange(max = JRE.JAVA_23)
class SecurityManagerTest {
    private static final String INTERNALS =
            "permission org.apache.derby.shared.common.security.SystemPermission \"engine\", \"usederbyinternals\";";
    private static final String DERBY = INTERNALS
            + " permission java.lang.RuntimePermission \"createClassLoader\";"
            + " permission java.lang.RuntimePermission \"getProtectionDomain\";"
            + " permission java.util.PropertyPermission \"derby.*\", \"read\";"
            + " permission java.util.PropertyPermission \"user.dir\", \"read\";"
            + " permission java.util.PropertyPermission \"jdk.module.path\", \"read\";"
            + " permission java.util.PropertyPermission \"derby.storage.jvmInstanceId\", \"write\";"
            + " permission java.io.FilePermission \"<<ALL FILES>>\", \"read,write,delete\";"
            + " permission java.lang.management.ManagementPermission \"control\";"
            + " permission javax.management.MBeanServerPermission \"createMBeanServer\";"
            + " permission javax.management.MBeanPermission \"org.apache.derby.*#[org.apache.derby:*]\","
            + " \"registerMBean,unregisterMBean\";"
            + " permission javax.management.MBeanTrustPermission \"register\";"
            + " permission org.apache.derby.shared.common.security.SystemPermission \"jmx\", \"control\";";

    @Test
    void withoutPermissionForDerbysInternalsDerbyUsesItsOwnCacheAndItsLogSaysWhy() throws Exception {
        Path home = DerbyHost.freshHome("denied");

        assertThat(run(home, "")).contains("in force false", "rows 100", "shutdown XJ015");

        assertThat(Files.readString(home.resolve("derby.log")))
                .contains("Clockhand is not in force, and Derby uses its own cache: under this security manager, grant")
                .contains("SystemPermission \"engine\", \"usederbyinternals\"");
    }

    /** The names of system properties stay hidden, and there are no management beans. */
    @Test
    void withThatPermissionAloneClockhandIsInForce() throws Exception {
        Path home = DerbyHost.freshHome("granted");

        assertThat(run(home, INTERNALS)).contains("in force true", "rows 100", "shutdown XJ015");

        assertThat(Files.readString(home.resolve("derby.log")))
                .contains("is in force as Derby's cache")
                .contains("Clockhand: no management bean for PageCache")
                .doesNotContain("ERROR");
    }

    /** {@return what {@link Guarded} prints with these permissions of Clockhand's classes, on the oldest Derby} */
    private static String run(Path home, String permissions) throws Exception {
        List<Path> ours = List.of(locationOf(ClockhandDerby.class), locationOf(HolderCache.class));
        List<Path> derby = oldestDerby();
        List<Path> others = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(path -> !path.getFileName().toString().startsWith("derby"))
                .filter(path -> !ours.contains(path.toAbsolutePath()))
                .toList();
        StringBuilder policy = new StringBuilder();
        grant(policy, ours, permissions);
        grant(policy, derby, DERBY);
        grant(policy, others, "permission java.security.AllPermission;");
        Path policyFile = Files.writeString(home.resolve("test.policy"), policy);
        Files.writeString(
                home.resolve("derby.properties"),
                "derby.module.clockhand=" + ClockhandCacheFactory.class.getName()
                        + "\nderby.system.durability=test\nderby.storage.pageCacheSize=40\n");
        String classPath = Stream.of(ours, derby, others)
                .flatMap(List::stream)
                .map(Path::toString)
                .reduce((left, right) -> left + File.pathSeparator + right)
                .orElseThrow();
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-Djava.security.manager",
                "-Djava.security.policy==" + policyFile.toUri(),
                "-cp",
                classPath,
                Guarded.class.getName());
        Path output = home.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output, StandardCharsets.UTF_8);
    }

    private static void grant(StringBuilder policy, List<Path> locations, String permissions) {
        for (Path location : locations) {
            policy.append("grant codeBase \"")
                    .append(location.toUri())
                    .append("\" { ")
                    .append(permissions)
                    .append(" };\n");
        }
    }

    private static List<Path> oldestDerby() throws IOException {
        String version = System.getProperty("clockhand.test.derbies").split(",", -1)[0];
        List<Path> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("target", "lib", "derby-" + version))) {
            files.map(Path::toAbsolutePath).forEach(jars::add);
        }
        assertThat(jars).hasSize(3);
        return jars;
    }

    private static Path locationOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** The application: it has all permissions, and Derby may not rely on that. */
    public static final class Guarded {
        private Guarded() {}

        public static void main(String[] args) throws SQLException {
            try (Connection connection = DriverManager.getConnection("jdbc:derby:db;create=true");
                    Statement sql = connection.createStatement()) {
                sql.execute("create table t (id int primary key, filler varchar(2000))");
                for (int row = 0; row < 100; row++) {
                    sql.execute("insert into t values (" + row + ", '" + "x".repeat(2_000) + "')");
                }
                try (ResultSet rows = sql.executeQuery("select count(*) from t")) {
                    rows.next();
                    System.out.println("rows " + rows.getInt(1));
                }
                System.out.println("in force " + ClockhandDerby.inForce());
            }
            try {
                DriverManager.getConnection("jdbc:derby:;shutdown=true").close();
            } catch (SQLException e) {
                System.out.println("shutdown " + e.getSQLState());
            }
        }
    }
}
