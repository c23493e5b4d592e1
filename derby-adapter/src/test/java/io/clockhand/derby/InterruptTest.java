// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads that use Derby are interrupted at any moment, also in the middle of reads, writes and waits, while others
 * work. Derby may give the interrupted ones an error; the data stay right and nobody waits for ever.
 */
class InterruptTest {
    private static final int ACCOUNTS = 400;
    private static final int INTERRUPTED = 3;
    private static final int UNDISTURBED = 2;
    /**
     * Only a hang reaches it. Derby waits half a second, time and again, for a file that an interrupt has closed to be
     * open again.
     */
    private static final int PATIENCE_SECONDS = 240;
    /**
     * Of a thread in one transaction. One that is interrupted 120 times while it waits for a file gives up, and Derby
     * shuts the database down (XSDG9), whatever its cache.
     */
    private static final int MANY_INTERRUPTS = 30;
    /** In the default tier. */
    private static final int FEW_INTERRUPTS = 2;
    /** Before threads come to their ends. All of these come even if none came before all threads wait for them. */
    private static final int LEAST_INTERRUPTS = INTERRUPTED * FEW_INTERRUPTS;

    private final AtomicInteger interrupts = new AtomicInteger();
    private final CountDownLatch interrupted = new CountDownLatch(LEAST_INTERRUPTS);
    private final AtomicInteger errors = new AtomicInteger();
    /** Of each thread in its transaction, and those that it was spared. */
    private final AtomicIntegerArray attempts = new AtomicIntegerArray(INTERRUPTED);

    @Test
    void interruptsAtRandomLeaveTheDataRight() throws Exception {
        moveBesideInterrupts("interrupts", 40, FEW_INTERRUPTS);
    }

    @Tag("nightly")
    @Test
    void manyInterruptsAtRandomLeaveTheDataRight() throws Exception {
        for (int round = 0; round < 10; round++) {
            moveBesideInterrupts("interrupts-" + round, 600, MANY_INTERRUPTS);
        }
    }

    private void moveBesideInterrupts(String home, int transactions, int mostOfATransaction) throws Exception {
        long seed = new Random().nextLong();
        System.out.println("InterruptTest seed " + seed);
        try (DerbyHost host = DerbyHost.clockhand(DerbyHost.freshHome(home))) {
            try (Connection connection = host.create("db")) {
                fill(connection);
            }
            AtomicBoolean done = new AtomicBoolean();
            List<ManagerTest.Running<int[]>> movers = new ArrayList<>();
            for (int t = 0; t < INTERRUPTED + UNDISTURBED; t++) {
                int number = t;
                movers.add(ManagerTest.start(() -> move(host, number, transactions, new Random(seed + number))));
            }
            ManagerTest.Running<Void> interrupter = ManagerTest.start(() -> {
                Random random = new Random(~seed);
                while (!done.get()) {
                    int number = random.nextInt(INTERRUPTED);
                    if (attempts.incrementAndGet(number) <= mostOfATransaction) {
                        movers.get(number).thread.interrupt();
                        interrupts.incrementAndGet();
                        interrupted.countDown();
                    }
                    LockSupport.parkNanos(random.nextInt(3_000_000));
                }
                return null;
            });
            int[][] counts = new int[movers.size()][];
            try {
                for (int t = 0; t < counts.length; t++) {
                    counts[t] = movers.get(t).result(PATIENCE_SECONDS);
                }
            } finally {
                done.set(true);
            }
            interrupter.result();
            System.out.println("InterruptTest " + interrupts + " interrupts, " + errors + " errors");
            assertThat(interrupts.get()).isPositive();
            try (Connection connection = host.connect("db")) {
                verify(connection, counts);
            }
            assertThat(host.isClockhandInForce()).isTrue();
        }
    }

    private static void fill(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute("create table accounts (id int not null primary key, balance int, filler varchar(800))");
            sql.execute("create table moves (owner int not null, number int not null, filler varchar(500),"
                    + " primary key (owner, number))");
        }
        connection.setAutoCommit(false);
        try (PreparedStatement insert =
                connection.prepareStatement("insert into accounts values (?, 100, '" + "i".repeat(700) + "')")) {
            for (int id = 0; id < ACCOUNTS; id++) {
                insert.setInt(1, id);
                insert.executeUpdate();
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    /** {@return how many transactions were committed for sure, and how many may or may not have been} */
    private int[] move(DerbyHost host, int owner, int transactions, Random random) {
        int committed = 0;
        int unknown = 0;
        Connection connection = null;
        for (int number = 0; number < transactions; number++) {
            boolean committing = false;
            if (number == transactions / 2) {
                ManagerTest.await(interrupted);
            }
            if (owner < INTERRUPTED) {
                attempts.set(owner, 0);
            }
            try {
                if (connection == null || connection.isClosed()) {
                    connection = host.connect("db");
                    connection.setAutoCommit(false);
                }
                moveOnce(connection, owner, number, random);
                committing = true;
                connection.commit();
                committed++;
            } catch (SQLException e) {
                errors.incrementAndGet();
                boolean interrupted = Thread.interrupted();
                if (owner >= INTERRUPTED && !expected(e)) {
                    throw new AssertionError("a thread that nobody interrupts", e);
                }
                unknown += committing ? 1 : 0;
                rollBack(connection);
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            if (random.nextInt(20) == 0) {
                Thread.interrupted();
            }
        }
        Thread.interrupted();
        rollBack(connection);
        return new int[] {committed, unknown};
    }

    /** Deadlocks and lock time-outs. */
    private static boolean expected(SQLException e) {
        return e.getSQLState().startsWith("40");
    }

    private static void moveOnce(Connection connection, int owner, int number, Random random) throws SQLException {
        int from = random.nextInt(ACCOUNTS);
        int to = random.nextInt(ACCOUNTS);
        try (PreparedStatement update =
                        connection.prepareStatement("update accounts set balance = balance + ? where id = ?");
                PreparedStatement insert = connection.prepareStatement("insert into moves values (?, ?, ?)");
                PreparedStatement scan =
                        connection.prepareStatement("select count(filler) from moves where owner = ? and number > ?")) {
            // In the order of the keys, so that there are few deadlocks.
            for (int id : new int[] {Math.min(from, to), Math.max(from, to)}) {
                update.setInt(1, id == from ? -1 : 1);
                update.setInt(2, id);
                update.executeUpdate();
            }
            if (from == to) {
                update.setInt(1, 2);
                update.setInt(2, from);
                update.executeUpdate();
            }
            insert.setInt(1, owner);
            insert.setInt(2, number);
            insert.setString(3, "m".repeat(400));
            insert.executeUpdate();
            scan.setInt(1, owner);
            scan.setInt(2, number / 2);
            try (ResultSet rows = scan.executeQuery()) {
                rows.next();
            }
        }
    }

    private static void rollBack(Connection connection) {
        try {
            if (connection != null && !connection.isClosed()) {
                connection.rollback();
            }
        } catch (SQLException alsoInterrupted) {
            // The next one gets a new connection if this one is no good any more.
        }
    }

    private static void verify(Connection connection, int[][] counts) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            for (String table : new String[] {"ACCOUNTS", "MOVES"}) {
                try (ResultSet check =
                        sql.executeQuery("values SYSCS_UTIL.SYSCS_CHECK_TABLE('APP', '" + table + "')")) {
                    check.next();
                    assertThat(check.getInt(1)).isEqualTo(1);
                }
            }
            try (ResultSet rows = sql.executeQuery("select sum(balance), count(*) from accounts")) {
                rows.next();
                assertThat(rows.getInt(1)).isEqualTo(100 * ACCOUNTS);
                assertThat(rows.getInt(2)).isEqualTo(ACCOUNTS);
            }
            for (int owner = 0; owner < counts.length; owner++) {
                try (ResultSet rows = sql.executeQuery("select count(*) from moves where owner = " + owner)) {
                    rows.next();
                    assertThat(rows.getInt(1))
                            .as("transactions of thread " + owner)
                            .isBetween(counts[owner][0], counts[owner][0] + counts[owner][1]);
                }
            }
        }
    }
}
