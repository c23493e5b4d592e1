// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that are interrupted in the middle of a read or a write close the channel of a file, while the page cache is
 * small and checkpoints write the header of the same file. The data stay right, and each thread comes to its end.
 *
 * <p>With its own cache, too, Derby may wait for a minute until another thread has opened the channel again. Then it
 * gives up and shuts the database down, so neither the length of a call nor the number of such shutdowns is asserted.
 * If it gives up the page of a row that it has found through an index, it drops the error, may leave the database open,
 * and answers that there is no such row. So only an update that has changed a row must be there afterwards.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class InterruptedFileTest {
    /** Derby's error when it gives up: it shuts the database down. */
    private static final String GAVE_UP = "XSDG9";
    /** Longer than Derby waits several times until it gives up: only a hang reaches it. */
    private static final int PATIENCE_SECONDS = 600;

    private static final int ROWS = 1_000;
    private static final int THREADS = 3;
    private static final int INTERRUPTED = 2;
    private static final int GREATEST_PAUSE_NANOS = 6_000_000;
    /**
     * Of a thread in one call. A thread that waits until a channel is open again waits 120 times for half a second, and
     * an interrupt ends one of these waits. A thread that is interrupted 120 times in one wait gives up, and Derby
     * shuts the database down (XSDG9), whatever its cache.
     */
    private static final int MANY_INTERRUPTS = 30;

    /**
     * The shortest time in which Derby gives up: it waits for half a second after each of 120 tries, and of these waits
     * interrupts end few.
     */
    private static final long LEAST_TO_GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final long seed = new Random().nextLong();
    private final AtomicLong attempted = new AtomicLong();
    private final AtomicLong updated = new AtomicLong();
    private final AtomicLong withoutRow = new AtomicLong();
    private final AtomicLong withoutRowAtOnce = new AtomicLong();
    private final Queue<SQLException> givenUp = new ConcurrentLinkedQueue<>();
    private final List<SQLException> failedCheckpoints = new ArrayList<>();

    @Test
    void shutdownsOfTheEngineThatInterruptThreadsLeaveTheDataRight() throws Exception {
        shutDownDuringWork(2);
    }

    @Tag("nightly")
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    @Test
    void manyShutdownsOfTheEngineThatInterruptThreadsLeaveTheDataRight() throws Exception {
        shutDownDuringWork(200);
    }

    private void shutDownDuringWork(int rounds) throws Exception {
        System.out.println("InterruptedFileTest seed " + seed);
        Path home = DerbyHost.freshHome("engine-shutdowns");
        try (DerbyHost host = boot(home);
                Connection connection = host.create("db")) {
            fill(connection);
        }
        for (int round = 0; round < rounds; round++) {
            shutDownDuringWork(home, new Random(seed + round));
        }
        try (DerbyHost host = boot(home);
                Connection connection = host.connect("db")) {
            verify(connection);
        }
    }

    private void shutDownDuringWork(Path home, Random random) throws Exception {
        DerbyHost host = boot(home);
        long withoutRowBefore = withoutRowAtOnce.get();
        List<ManagerTest.Running<Void>> threads = new ArrayList<>();
        CountDownLatch working = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
            Random own = new Random(random.nextLong());
            threads.add(ManagerTest.start(() -> workUntilTheShutdown(host, own, working)));
        }
        ManagerTest.await(working);
        long updates = attempted.get() + random.nextInt(300);
        ManagerTest.eventually("the threads work", () -> attempted.get() >= updates);
        assertThat(withoutRowAtOnce)
                .as("updates that found no row, with those of earlier shutdowns")
                .hasValue(withoutRowBefore);
        host.shutdownEngine();
        for (ManagerTest.Running<Void> thread : threads) {
            thread.result(PATIENCE_SECONDS);
        }
        host.close();
    }

    private Void workUntilTheShutdown(DerbyHost host, Random random, CountDownLatch working) {
        try (Connection connection = host.connect("db");
                PreparedStatement update = update(connection);
                PreparedStatement read = connection.prepareStatement("select filler from items where id = ?")) {
            for (; ; ) {
                update(update, random);
                working.countDown();
                read.setInt(1, random.nextInt(ROWS));
                read.executeQuery().close();
            }
        } catch (SQLException shutDown) {
            working.countDown();
            return null;
        }
    }

    @Test
    void checkpointsAndInterruptedThreadsLeaveTheDataRight() throws Exception {
        checkpointBesideInterrupts(10, 40, 1);
    }

    @Tag("nightly")
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    @Test
    void manyCheckpointsAndInterruptedThreadsLeaveTheDataRight() throws Exception {
        checkpointBesideInterrupts(10_000, 20_000, MANY_INTERRUPTS);
    }

    private void checkpointBesideInterrupts(int leastCheckpoints, int leastInterrupts, int mostOfACall)
            throws Exception {
        System.out.println("InterruptedFileTest seed " + seed);
        Path home = DerbyHost.freshHome("interrupted-checkpoints");
        AtomicInteger allInterrupts = new AtomicInteger();
        try (DerbyHost host = boot(home)) {
            try (Connection connection = host.create("db")) {
                fill(connection);
            }
            AtomicBoolean done = new AtomicBoolean();
            List<ManagerTest.Running<Void>> threads = new ArrayList<>();
            AtomicIntegerArray interrupts = new AtomicIntegerArray(THREADS);
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                threads.add(ManagerTest.start(() -> workThroughInterrupts(host, number, interrupts, done)));
            }
            ManagerTest.Running<Void> interrupter = ManagerTest.start(() -> {
                Random random = new Random(~seed);
                while (!done.get()) {
                    int number = random.nextInt(INTERRUPTED);
                    if (interrupts.incrementAndGet(number) <= mostOfACall) {
                        threads.get(number).thread.interrupt();
                        allInterrupts.incrementAndGet();
                    }
                    LockSupport.parkNanos(random.nextInt(GREATEST_PAUSE_NANOS));
                }
                return null;
            });
            // In a thread of its own, since Derby interrupts the threads that use a database when it shuts it down.
            ManagerTest.Running<Void> checkpoints = ManagerTest.start(() -> {
                Connection connection = null;
                for (int i = 0; i < leastCheckpoints || allInterrupts.get() < leastInterrupts; i++) {
                    connection = checkpoint(host, connection);
                }
                return null;
            });
            try {
                checkpoints.result(TimeUnit.HOURS.toSeconds(1));
            } finally {
                done.set(true);
            }
            interrupter.result();
            for (ManagerTest.Running<Void> thread : threads) {
                thread.result(PATIENCE_SECONDS);
            }
            if (givenUp.isEmpty()) {
                assertThat(failedCheckpoints).as("failed checkpoints").isEmpty();
                assertThat(withoutRowAtOnce)
                        .as("updates that found no row before Derby could give up")
                        .hasValue(0);
            } else {
                // Without a check of the caches: one of them still has the pages that Derby could not write.
                host.shutdownEngine();
            }
        }
        try (DerbyHost host = boot(home);
                Connection connection = host.connect("db")) {
            verify(connection);
        }
    }

    /** {@return the connection that the checkpoint has used, a new one if a shutdown of the database has closed it} */
    private Connection checkpoint(DerbyHost host, Connection connection) {
        Connection open = connection;
        try {
            open = reconnect(host, connection);
            Workload.call(open, "SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE()");
        } catch (SQLException e) {
            noteFailure(e);
            failedCheckpoints.add(e);
            pause();
        }
        return open;
    }

    private static Connection reconnect(DerbyHost host, Connection connection) throws SQLException {
        return connection == null || connection.isClosed() ? host.connect("db") : connection;
    }

    private Void workThroughInterrupts(DerbyHost host, int number, AtomicIntegerArray interrupts, AtomicBoolean done) {
        Random random = new Random(seed + number);
        Connection connection = null;
        while (!done.get()) {
            interrupts.set(number, 0);
            try {
                connection = reconnect(host, connection);
                try (PreparedStatement update = update(connection)) {
                    update(update, random);
                }
            } catch (SQLException interrupted) {
                noteFailure(interrupted);
                pause();
            }
        }
        return null; // the shutdown of the engine closes the connection
    }

    private void update(PreparedStatement update, Random random) throws SQLException {
        attempted.incrementAndGet();
        update.setInt(1, random.nextInt(ROWS));
        long begin = System.nanoTime();
        if (update.executeUpdate() == 1) {
            updated.incrementAndGet();
            return;
        }
        withoutRow.incrementAndGet();
        if (System.nanoTime() - begin < LEAST_TO_GIVE_UP_NANOS) {
            withoutRowAtOnce.incrementAndGet();
        }
    }

    /** Derby logs each connection that it refuses during a shutdown: without a pause, a million in a minute. */
    private static void pause() {
        Thread.interrupted();
        LockSupport.parkNanos(GREATEST_PAUSE_NANOS);
    }

    private void noteFailure(SQLException failure) {
        for (SQLException e = failure; e != null; e = e.getNextException()) {
            if (GAVE_UP.equals(e.getSQLState())) {
                givenUp.add(failure);
            }
        }
    }

    /** Small logs, so that Derby's daemon writes checkpoints, too. */
    private static DerbyHost boot(Path home) throws Exception {
        return DerbyHost.clockhand(
                home, "derby.storage.logSwitchInterval", "100000", "derby.storage.checkpointInterval", "100000");
    }

    /** About five times as many pages as the cache has. */
    private static void fill(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute("create table items (id int not null primary key, amount int, filler varchar(800))");
        }
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("insert into items values (?, 0, ?)")) {
            for (int id = 0; id < ROWS; id++) {
                insert.setInt(1, id);
                insert.setString(2, "i".repeat(700));
                insert.executeUpdate();
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private static PreparedStatement update(Connection connection) throws SQLException {
        return connection.prepareStatement("update items set amount = amount + 1 where id = ?");
    }

    /** Each update that has changed a row is there, and none that has found no row or was not attempted. */
    private void verify(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            try (ResultSet check = sql.executeQuery("values SYSCS_UTIL.SYSCS_CHECK_TABLE('APP', 'ITEMS')")) {
                check.next();
                assertThat(check.getInt(1)).isEqualTo(1);
            }
            try (ResultSet rows = sql.executeQuery("select count(*), sum(amount) from items")) {
                rows.next();
                assertThat(rows.getInt(1)).isEqualTo(ROWS);
                assertThat(updated).hasPositiveValue();
                assertThat(rows.getLong(2))
                        .as("updates that are there, after Derby has given up %d times", givenUp.size())
                        .isBetween(updated.get(), attempted.get() - withoutRow.get());
            }
        }
    }
}
