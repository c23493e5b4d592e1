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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads that are interrupted in the middle of a read or a write close the channel of a file, while the page cache is
 * small and checkpoints write the header of the same file. No thread may wait until Derby gives up, after a minute.
 */
class InterruptedFileTest {
    /** Derby's error when it gives up: it shuts the database down. */
    private static final String GAVE_UP = "XSDG9";
    /** Compared in long runs only. Derby waits for half a second, at times, for another thread to open a channel. */
    private static final Duration LONGEST = Duration.ofSeconds(15);

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

    private final long seed = new Random().nextLong();
    private final AtomicLong longest = new AtomicLong();
    private final AtomicLong attempted = new AtomicLong();
    private final AtomicLong updated = new AtomicLong();
    private final Queue<SQLException> givenUp = new ConcurrentLinkedQueue<>();

    @Test
    void shutdownOfTheEngineDoesNotWaitForTheThreadsThatItInterrupts() throws Exception {
        shutDownDuringWork(2);
    }

    @Tag("nightly")
    @Test
    void noOneOfManyShutdownsOfTheEngineTakesLong() throws Exception {
        shutDownDuringWork(200);
        assertNoThreadHasWaitedLong();
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
        assertNoThreadHasGivenUp();
        try (DerbyHost host = boot(home);
                Connection connection = host.connect("db")) {
            verify(connection);
        }
    }

    private void shutDownDuringWork(Path home, Random random) throws Exception {
        DerbyHost host = boot(home);
        List<ManagerTest.Running<Void>> threads = new ArrayList<>();
        CountDownLatch working = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
            Random own = new Random(random.nextLong());
            threads.add(ManagerTest.start(() -> workUntilTheShutdown(host, own, working)));
        }
        ManagerTest.await(working);
        long updates = attempted.get() + random.nextInt(300);
        ManagerTest.eventually("the threads work", () -> attempted.get() >= updates);
        long begin = System.nanoTime();
        host.shutdownEngine();
        note(begin);
        for (ManagerTest.Running<Void> thread : threads) {
            thread.result();
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
            noteFailure(shutDown);
            working.countDown();
            return null;
        }
    }

    @Test
    void checkpointsAndInterruptedThreadsDoNotWaitForEachOther() throws Exception {
        checkpointBesideInterrupts(10, 40, 1);
    }

    @Tag("nightly")
    @Test
    void noOneOfManyCheckpointsBesideInterruptedThreadsTakesLong() throws Exception {
        checkpointBesideInterrupts(10_000, 20_000, MANY_INTERRUPTS);
        assertNoThreadHasWaitedLong();
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
            try (Connection connection = host.connect("db");
                    Statement sql = connection.createStatement()) {
                for (int i = 0; i < leastCheckpoints || allInterrupts.get() < leastInterrupts; i++) {
                    long begin = System.nanoTime();
                    sql.execute("call SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE()");
                    note(begin);
                }
            } catch (SQLException e) {
                throw new AssertionError("A checkpoint has failed.", e);
            } finally {
                done.set(true);
            }
            interrupter.result();
            for (ManagerTest.Running<Void> thread : threads) {
                thread.result();
            }
        }

        assertNoThreadHasGivenUp();
        try (DerbyHost host = boot(home);
                Connection connection = host.connect("db")) {
            verify(connection);
        }
    }

    private Void workThroughInterrupts(DerbyHost host, int number, AtomicIntegerArray interrupts, AtomicBoolean done) {
        Random random = new Random(seed + number);
        Connection connection = null;
        while (!done.get()) {
            interrupts.set(number, 0);
            long begin = System.nanoTime();
            try {
                if (connection == null || connection.isClosed()) {
                    connection = host.connect("db");
                }
                try (PreparedStatement update = update(connection)) {
                    update(update, random);
                }
            } catch (SQLException interrupted) {
                noteFailure(interrupted);
                Thread.interrupted();
            }
            note(begin);
        }
        return null; // the shutdown of the engine closes the connection
    }

    private void update(PreparedStatement update, Random random) throws SQLException {
        attempted.incrementAndGet();
        update.setInt(1, random.nextInt(ROWS));
        update.executeUpdate();
        updated.incrementAndGet();
    }

    private void note(long begin) {
        longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
    }

    private void noteFailure(SQLException failure) {
        for (SQLException e = failure; e != null; e = e.getNextException()) {
            if (GAVE_UP.equals(e.getSQLState())) {
                givenUp.add(failure);
            }
        }
    }

    private void assertNoThreadHasGivenUp() {
        assertThat(givenUp).as("threads that gave up to wait for a channel").isEmpty();
    }

    private void assertNoThreadHasWaitedLong() {
        assertThat(Duration.ofNanos(longest.get()))
                .as("the longest of all calls")
                .isLessThan(LONGEST);
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

    /** Each update that has succeeded is there, and none that was not attempted. */
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
                assertThat(rows.getLong(2)).isBetween(updated.get(), attempted.get());
            }
        }
    }
}
