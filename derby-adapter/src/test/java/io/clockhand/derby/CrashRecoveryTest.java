// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Committed rows survive when the process is killed while it writes. */
class CrashRecoveryTest {
    @Test
    void committedRowsSurviveAKilledProcessOnClockhandAndOnStock() throws Exception {
        killAndRecover(0);
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void committedRowsSurviveManyKilledProcesses(int run) throws Exception {
        killAndRecover(run);
    }

    private static void killAndRecover(int run) throws Exception {
        long seed = new Random().nextLong();
        System.out.println("CrashRecoveryTest seed " + seed);
        Path home = DerbyHost.freshHome("crash-" + run);
        int[] committed = writeUntilKilled(home, seed);
        Path copy = home.resolveSibling("crash-" + run + "-stock");
        DerbyHost.copy(home, copy);

        try (DerbyHost host = DerbyHost.clockhand(home)) {
            verify(host, committed);
            assertThat(host.isClockhandInForce()).isTrue();
            assertThat(host.log()).doesNotContain("ERROR");
        }
        try (DerbyHost host = DerbyHost.stock(copy)) {
            verify(host, committed);
            assertThat(host.isClockhandInForce()).isFalse();
        }
    }

    /** {@return how many rows of each owner were committed for sure} */
    private static int[] writeUntilKilled(Path home, long seed) throws Exception {
        Files.writeString(
                home.resolve("derby.properties"),
                "derby.module.clockhand=" + ClockhandCacheFactory.class.getName()
                        + "\nderby.storage.pageCacheSize=40\nderby.locks.deadlockTimeout=1\n");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dderby.system.home=" + home,
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledWriter.class.getName(),
                        Long.toString(seed))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        int lines = 60 + new Random(seed).nextInt(100);
        int[] committed = new int[KilledWriter.OWNERS];
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).isEqualTo("force true");
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                assertThat(line).doesNotStartWith("failed");
                if (line.matches("\\d+ \\d+")) {
                    String[] words = line.split(" ", 2);
                    committed[Integer.parseInt(words[0])] = Integer.parseInt(words[1]);
                }
                if (--lines == 0) {
                    // Through the handle: what was printed before can still be read.
                    process.toHandle().destroyForcibly();
                }
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(2, TimeUnit.MINUTES))
                .as("the killed process ends")
                .isTrue();
        assertThat(lines).as("lines that the process would still have written").isLessThanOrEqualTo(0);
        return committed;
    }

    private static void verify(DerbyHost host, int[] committed) throws SQLException {
        try (Connection connection = host.connect("db");
                Statement sql = connection.createStatement()) {
            for (String table : new String[] {"WRITTEN", "COUNTED"}) {
                try (ResultSet check =
                        sql.executeQuery("values SYSCS_UTIL.SYSCS_CHECK_TABLE('APP', '" + table + "')")) {
                    check.next();
                    assertThat(check.getInt(1)).isEqualTo(1);
                }
            }
            for (int owner = 0; owner < committed.length; owner++) {
                try (ResultSet rows = sql.executeQuery("select count(*), max(id), (select rows_written from counted"
                        + " where owner = " + owner + ") from written where owner = " + owner)) {
                    rows.next();
                    int count = rows.getInt(1);
                    assertThat(count).as("rows of " + owner).isGreaterThanOrEqualTo(committed[owner]);
                    assertThat(count % KilledWriter.ROWS_PER_TRANSACTION)
                            .as("whole transactions")
                            .isZero();
                    assertThat(rows.getInt(3)).as("the count of " + owner).isEqualTo(count);
                    if (count > 0) {
                        assertThat(rows.getInt(2)).isEqualTo(count - 1);
                    }
                }
            }
        }
    }
}
