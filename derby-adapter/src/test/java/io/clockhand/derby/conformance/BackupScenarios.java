// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Copies taken of a database that is written to. */
final class BackupScenarios {
    private static final int ACCOUNTS = 300;
    private static final String FILLER = "'" + "e".repeat(500) + "'";

    private BackupScenarios() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("backup beside writers", BackupScenarios::backup),
                new Scenario("rolled forward from a backup", BackupScenarios::rollForward),
                new Scenario("frozen", BackupScenarios::frozen));
    }

    private static void fill(Session session) throws Exception {
        session.sql("create table accounts (id int not null primary key, balance int, filler varchar(600))");
        session.autoCommit(false);
        session.each("insert into accounts values (:i, 100, " + FILLER + ")", 0, ACCOUNTS);
        session.commit();
        session.autoCommit(true);
    }

    /** The balances move, their sum stays: in the copy, too. */
    private static void backup(Stage stage) throws Exception {
        String database = stage.database("db");
        Path copies = stage.subfolder("copies");
        try (Session session = stage.create(database)) {
            fill(session);
        }
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch moving = new CountDownLatch(3);
        stage.together(4, number -> {
            try (Session own = stage.open(database)) {
                if (number == 3) {
                    try {
                        moving.await(60, TimeUnit.SECONDS);
                        for (int copy = 0; copy < 2; copy++) {
                            own.sql(
                                    "call SYSCS_UTIL.SYSCS_BACKUP_DATABASE(?)",
                                    copies.resolve("copy" + copy).toString());
                        }
                    } finally {
                        done.set(true);
                    }
                    return null;
                }
                own.connection.setAutoCommit(false);
                for (int i = 0; !done.get(); i++) {
                    // The smaller number first, so that there is no deadlock.
                    int from = (i * 7 + number) % (ACCOUNTS / 2);
                    int to = ACCOUNTS / 2 + (i * 31 + 13) % (ACCOUNTS / 2);
                    Stage.retried(
                            own.connection,
                            () -> own.quietly(
                                    "update accounts set balance = balance - 1 where id = " + from,
                                    "update accounts set balance = balance + 1 where id = " + to));
                    moving.countDown();
                }
                return null;
            }
        });
        try (Session session = stage.open(database)) {
            session.sql("select count(*), sum(balance) from accounts");
            session.check();
        }
        stage.host.shutdown(database);
        for (int copy = 0; copy < 2; copy++) {
            Path from = copies.resolve("copy" + copy).resolve(database);
            String restored = stage.database("restored" + copy);
            try (Session session = stage.open(restored + ";restoreFrom=" + from)) {
                session.sql("select count(*), sum(balance), min(length(filler)) from accounts");
                session.check();
                session.sql("update accounts set balance = 0");
                session.sql("select sum(balance) from accounts");
            }
            stage.host.shutdown(restored);
        }
    }

    private static void rollForward(Stage stage) throws Exception {
        String database = stage.database("db");
        Path copies = stage.subfolder("copies");
        try (Session session = stage.create(database)) {
            fill(session);
            session.sql("call SYSCS_UTIL.SYSCS_BACKUP_DATABASE_AND_ENABLE_LOG_ARCHIVE_MODE(?, 0)", copies.toString());
            session.sql("update accounts set balance = id where id > 10");
            session.sql("create table later as select id, filler from accounts with no data");
            session.sql("insert into later select id, filler from accounts where id < 100");
            session.autoCommit(false);
            session.sql("delete from accounts where id < 50");
            session.rollback();
            session.sql("delete from accounts where id > 250");
            session.commit();
            session.sql("update accounts set balance = -1");
        }
        stage.host.shutdown(database);
        try (Session session = stage.open(database + ";rollForwardRecoveryFrom=" + copies.resolve(database))) {
            session.checksum("select * from accounts order by id");
            session.checksum("select * from later order by id");
            session.check();
        }
        stage.host.shutdown(database);
    }

    /**
     * Readers find what they need, also what is not in the cache yet, in many files. Each query has a predicate: after
     * a scan of a whole table Derby stores the number of its rows in the header of the file, and a cleaner that writes
     * the header waits on the frozen database with the monitor of the file, for which the next reader waits.
     */
    private static void frozen(Stage stage) throws Exception {
        String database = stage.database("db");
        try (Session session = stage.create(database)) {
            fill(session);
            for (int i = 0; i < 120; i++) {
                session.quietly("create table t" + i + " (id int)", "insert into t" + i + " values (" + i + ")");
            }
            session.autoCommit(false);
            session.sql("update accounts set balance = balance + id where mod(id, 3) = 0");
            session.sql("call SYSCS_UTIL.SYSCS_FREEZE_DATABASE()");
            List<Long> sums;
            try {
                sums = stage.together(3, number -> {
                    try (Session own = stage.open(database)) {
                        own.connection.setTransactionIsolation(java.sql.Connection.TRANSACTION_READ_UNCOMMITTED);
                        long sum = own.number("select sum(balance) + sum(length(filler)) from accounts where id >= 0");
                        for (int i = number; i < 120; i++) {
                            sum += own.number("select id from t" + i + " where id >= 0");
                        }
                        return sum;
                    }
                });
            } finally { // if that failed, a rollback may wait for those that wait on the frozen database
                session.sql("call SYSCS_UTIL.SYSCS_UNFREEZE_DATABASE()");
            }
            session.note("read " + sums);
            session.commit();
            session.checksum("select * from accounts order by id");
            session.commit();
            session.check();
        }
        stage.host.shutdown(database);
    }
}
