// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/**
 * Writes to a database until its process is killed, and prints a line for each transaction after its commit. Each
 * transaction adds rows of one owner and counts them in another table.
 */
final class KilledWriter {
    static final int OWNERS = 3;
    static final int ROWS_PER_TRANSACTION = 4;

    private KilledWriter() {}

    /** Started by {@link CrashRecoveryTest} with the seed. */
    public static void main(String[] args) throws SQLException {
        long seed = Long.parseLong(args[0]);
        try (Connection connection = DriverManager.getConnection("jdbc:derby:db;create=true");
                Statement sql = connection.createStatement()) {
            sql.execute("create table written (owner int not null, id int not null, filler varchar(2000),"
                    + " primary key (owner, id))");
            sql.execute("create index written_id on written (id)");
            sql.execute("create table counted (owner int not null primary key, rows_written int not null)");
            for (int owner = 0; owner < OWNERS; owner++) {
                sql.execute("insert into counted values (" + owner + ", 0)");
            }
        }
        say("force " + ClockhandDerby.inForce());
        for (int owner = 0; owner < OWNERS; owner++) {
            int mine = owner;
            new Thread(() -> write(mine, new Random(seed + mine))).start();
        }
    }

    private static void write(int owner, Random random) {
        try (Connection connection = DriverManager.getConnection("jdbc:derby:db");
                PreparedStatement insert = connection.prepareStatement("insert into written values (?, ?, ?)");
                PreparedStatement touch =
                        connection.prepareStatement("update written set filler = ? where owner = ? and id = ?");
                PreparedStatement count =
                        connection.prepareStatement("update counted set rows_written = ? where owner = ?")) {
            connection.setAutoCommit(false);
            for (int id = 0; ; ) {
                for (int i = 0; i < ROWS_PER_TRANSACTION; i++) {
                    insert.setInt(1, owner);
                    insert.setInt(2, id++);
                    insert.setString(3, "z".repeat(500 + random.nextInt(1_000)));
                    insert.executeUpdate();
                    touch.setString(1, "t".repeat(random.nextInt(1_500)));
                    touch.setInt(2, owner);
                    touch.setInt(3, random.nextInt(id));
                    touch.executeUpdate();
                }
                count.setInt(1, id);
                count.setInt(2, owner);
                count.executeUpdate();
                if (owner == 0 && random.nextInt(20) == 0) {
                    Workload.call(connection, "SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE()");
                }
                if (random.nextInt(8) == 0) {
                    connection.rollback();
                    id -= ROWS_PER_TRANSACTION;
                } else {
                    connection.commit();
                    say(owner + " " + id);
                }
            }
        } catch (SQLException e) {
            say("failed " + e);
            Runtime.getRuntime().halt(1);
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
