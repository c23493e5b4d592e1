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
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Derby in a JVM with a security manager, and the permissions that the policy of Derby's network server grants. */
@EnabledForJreRange(max = JRE.JAVA_23)
@Timeout(value = 15, unit = TimeUnit.MINUTES)
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

    /** {@link Guarded} prints these lines when all of its work succeeds. */
    private static final List<String> WORK = List.of(
            "the checkpoint waits for the header of a file",
            "the checkpoint has ended",
            "first has 100 rows",
            "second has 100 rows",
            "shutdown XJ015");
    /** For each processor: the scheduler then leaves a thread waiting for a tenth of a second at times. */
    private static final int BUSY_THREADS = 8;
    /** Only a hang reaches it. */
    private static final int PATIENCE_MINUTES = 10;

    @Test
    void withoutPermissionForDerbysInternalsDerbyUsesItsOwnCacheAndItsLogSaysWhy() throws Exception {
        Path home = DerbyHost.freshHome("denied");

        assertThat(run(home, "", 0)).contains(WORK).contains("in force false");

        assertThat(Files.readString(home.resolve("derby.log")))
                .contains("Clockhand is not in force, and Derby uses its own cache: under this security manager, grant")
                .contains("SystemPermission \"engine\", \"usederbyinternals\"");
    }

    /** The names of system properties stay hidden, and there are no management beans. */
    @Test
    void withThatPermissionAloneClockhandIsInForce() throws Exception {
        workAsThePageSays("granted", 0);
    }

    /** Calls may then take long, and what the adapter does only in long ones must not need another permission. */
    @Tag("ci")
    @Test
    void withThatPermissionAloneClockhandIsInForceWhileProcessorsAreBusy() throws Exception {
        workAsThePageSays("granted-busy", BUSY_THREADS * Runtime.getRuntime().availableProcessors());
    }

    private static void workAsThePageSays(String name, int busyThreads) throws Exception {
        Path home = DerbyHost.freshHome(name);

        assertThat(run(home, documentedPermissions(), busyThreads))
                .contains(WORK)
                .contains("in force true")
                .doesNotContain("ERROR");

        assertThat(Files.readString(home.resolve("derby.log")))
                .contains("is in force as Derby's cache")
                .contains("Clockhand: no management bean for PageCache")
                .doesNotContain("ERROR");
    }

    /** {@return the permissions that the page about Derby grants to the jars of Clockhand} */
    private static String documentedPermissions() throws IOException {
        String permissions = Files.readString(Path.of("..", "src", "docs", "derby.md"))
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("permission "))
                .collect(Collectors.joining("\n"));
        assertThat(permissions).as("documented permissions").isEqualTo(INTERNALS);
        return permissions;
    }

    /** {@return what {@link Guarded} prints with these permissions of Clockhand's classes, on the oldest Derby} */
    private static String run(Path home, String permissions, int busyThreads) throws Exception {
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
        // No thread of Derby updates statistics, which would make a page dirty while the database is frozen.
        Files.writeString(
                home.resolve("derby.properties"),
                "derby.module.clockhand=" + ClockhandCacheFactory.class.getName()
                        + "\nderby.system.durability=test\nderby.storage.pageCacheSize=40"
                        + "\nderby.storage.indexStats.auto=false\n");
        String classPath = Stream.of(ours, derby, others)
                .flatMap(List::stream)
                .map(Path::toString)
                .reduce((left, right) -> left + File.pathSeparator + right)
                .orElseThrow();
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Djava.security.manager",
                "-Djava.security.policy==" + policyFile.toUri(),
                "-cp",
                classPath,
                Guarded.class.getName(),
                String.valueOf(busyThreads));
        Path output = home.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES))
                    .as("ends")
                    .isTrue();
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
        private static final int ROWS = 100;
        private static final String CHECKPOINT = "SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE()";

        private Guarded() {}

        /**
         * Creates two databases, writes, checkpoints and reads them, while threads keep the processors busy.
         *
         * @param busyThreads one number, that of these threads
         */
        public static void main(String[] busyThreads) throws Exception {
            for (int i = 0; i < Integer.parseInt(busyThreads[0]); i++) {
                Thread busy = new Thread(Guarded::spin, "busy " + i);
                busy.setDaemon(true);
                busy.start();
            }
            write("first");
            checkpointWhileFrozen("first", () -> write("second"));
            for (String database : List.of("first", "second")) {
                shutdown(database);
                read(database);
            }
            System.out.println("in force " + ClockhandDerby.inForce());
            shutdown("");
        }

        private static void spin() {
            for (; ; ) {
                Thread.onSpinWait();
            }
        }

        private static void write(String database) throws SQLException {
            try (Connection connection = connect(database + ";create=true");
                    Statement sql = connection.createStatement()) {
                sql.execute("create table t (id int primary key, filler varchar(2000))");
                for (int row = 0; row < ROWS; row++) {
                    sql.execute("insert into t values (" + row + ", '" + "x".repeat(2_000) + "')");
                }
                Workload.call(connection, CHECKPOINT);
            }
        }

        /** The write of a header lasts until the work is done, however fast the machine is: it waits for the thaw. */
        private static void checkpointWhileFrozen(String database, Work work) throws Exception {
            try (Connection connection = connect(database)) {
                Workload.call(connection, "SYSCS_UTIL.SYSCS_FREEZE_DATABASE()");
                // Sets the estimate of the number of rows, which is in the header, and changes no page.
                countRows(connection);
                Thread checkpoint = new Thread(() -> checkpoint(database), "checkpoint");
                checkpoint.setDaemon(true);
                checkpoint.start();
                work.run();
                boolean waits = false;
                while (checkpoint.isAlive() && !waits) {
                    LockSupport.parkNanos(1_000_000);
                    waits = waitsForAHeader(checkpoint);
                }
                System.out.println("the checkpoint " + (waits ? "waits for the header of a file" : "has not waited"));
                Workload.call(connection, "SYSCS_UTIL.SYSCS_UNFREEZE_DATABASE()");
                checkpoint.join();
            }
        }

        private static boolean waitsForAHeader(Thread checkpoint) {
            return checkpoint.getState() == Thread.State.WAITING
                    && Arrays.stream(checkpoint.getStackTrace())
                            .anyMatch(call -> call.getClassName().endsWith(".RAFContainer")
                                    && call.getMethodName().equals("clean"));
        }

        private static void checkpoint(String database) {
            try (Connection connection = connect(database)) {
                Workload.call(connection, CHECKPOINT);
                System.out.println("the checkpoint has ended");
            } catch (SQLException e) {
                e.printStackTrace(System.out);
            }
        }

        private static void read(String database) throws SQLException {
            try (Connection connection = connect(database)) {
                System.out.println(database + " has " + countRows(connection) + " rows");
            }
        }

        private static int countRows(Connection connection) throws SQLException {
            int count = 0;
            try (Statement sql = connection.createStatement();
                    ResultSet rows = sql.executeQuery("select filler from t")) {
                while (rows.next()) {
                    count++;
                }
            }
            return count;
        }

        /** Shuts the database down, or the engine if the name is empty. */
        private static void shutdown(String database) {
            try {
                connect(database + ";shutdown=true").close();
            } catch (SQLException e) {
                System.out.println("shutdown " + e.getSQLState());
            }
        }

        private static Connection connect(String database) throws SQLException {
            return DriverManager.getConnection("jdbc:derby:" + database);
        }

        @FunctionalInterface
        private interface Work {
            void run() throws SQLException;
        }
    }
}
