// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** Transactions that are undone, wait for one another, or outlive the engine. */
final class TransactionScenarios {
    private static final String FILLER = "'" + "t".repeat(700) + "'";

    private TransactionScenarios() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("rollbacks and savepoints", TransactionScenarios::savepoints),
                new Scenario("a large transaction undone", TransactionScenarios::largeRollback),
                new Scenario("lock time out", TransactionScenarios::lockTimeout),
                new Scenario("deadlock", TransactionScenarios::deadlock),
                new Scenario("restarts", TransactionScenarios::restarts),
                new Scenario("distributed transactions", TransactionScenarios::distributed));
    }

    private static void savepoints(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table t (id int not null primary key, filler varchar(1000))");
            session.autoCommit(false);
            session.each("insert into t values (:i, " + FILLER + ")", 0, 30);
            session.commit();
            session.sql("update t set filler = 'first' where id < 10");
            Savepoint one = session.connection.setSavepoint("one");
            session.each("insert into t values (:i, " + FILLER + ")", 100, 200);
            Savepoint two = session.connection.setSavepoint();
            session.sql("delete from t where id < 150");
            session.sql("insert into t values (199, 'twice')");
            session.checksum("select * from t order by id");
            session.attempt("back to two", () -> session.connection.rollback(two));
            session.checksum("select * from t order by id");
            session.attempt("release two", () -> session.connection.releaseSavepoint(two));
            session.attempt("back to one", () -> session.connection.rollback(one));
            session.attempt("back to two", () -> session.connection.rollback(two));
            session.checksum("select * from t order by id");
            session.rollback();
            session.checksum("select * from t order by id");
            session.sql("create table undone (id int)");
            session.sql("insert into undone select id from t");
            session.sql("drop table t");
            session.rollback();
            session.sql("select * from undone");
            session.sql("select count(*) from t");
            session.commit();
            session.check();
        }
    }

    private static void largeRollback(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table t (id int not null primary key, n int, filler varchar(1500))");
            session.sql("create index t_n on t (n)");
            session.autoCommit(false);
            session.each("insert into t values (:i, :i, " + FILLER + ")", 0, 150);
            session.commit();
            session.sql("update t set n = -n, filler = filler || filler");
            session.each("insert into t values (:i, :i, " + FILLER + ")", 150, 500);
            session.sql("delete from t where mod(id, 2) = 0");
            session.checksum("select * from t order by n");
            session.rollback();
            session.checksum("select * from t order by n");
            session.commit();
            session.check();
        }
    }

    private static void lockTimeout(Stage stage) throws Exception {
        try (Session owner = stage.open();
                Session waiter = stage.open()) {
            owner.sql("create table t (id int not null primary key, n int)");
            owner.sql("insert into t values (1, 1), (2, 2)");
            owner.autoCommit(false);
            waiter.autoCommit(false);
            owner.sql("update t set n = 10 where id = 1");
            waiter.sql("update t set n = 20 where id = 2");
            waiter.sql("select n from t where id = 1");
            owner.commit();
            waiter.sql("select * from t order by id");
            waiter.commit();
            owner.sql("lock table t in exclusive mode");
            waiter.sql("values SYSCS_UTIL.SYSCS_GET_DATABASE_PROPERTY('no.such')");
            owner.commit();
            waiter.commit();
            owner.check();
        }
    }

    /** Which of the two is undone is up to chance. */
    private static void deadlock(Stage stage) throws Exception {
        String database = stage.database("db");
        try (Session session = stage.create(database)) {
            session.sql("call SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.database.propertiesOnly', 'true')");
            session.sql("call SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.locks.deadlockTimeout', '0')");
            session.sql("call SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.locks.waitTimeout', '60')");
        }
        stage.host.shutdown(database);
        try (Session session = stage.open(database)) {
            session.sql("create table t (id int not null primary key, n int)");
            session.sql("insert into t values (0, 0), (1, 0)");
            CyclicBarrier both = new CyclicBarrier(2);
            List<String> ends = stage.together(2, number -> {
                try (Session own = stage.open(database)) {
                    own.connection.setAutoCommit(false);
                    own.quietly("update t set n = n + 1 where id = " + number);
                    both.await(60, TimeUnit.SECONDS);
                    try {
                        own.quietly("update t set n = n + 1 where id = " + (1 - number));
                        own.connection.commit();
                        return "done";
                    } catch (SQLException e) {
                        own.connection.rollback();
                        return Session.states(e);
                    }
                }
            });
            session.note("ends " + ends.stream().sorted().toList());
            session.sql("select * from t order by id");
            session.check();
        }
        stage.host.shutdown(database);
    }

    private static void restarts(Stage stage) throws Exception {
        String database = stage.database("db");
        stage.create(database).close();
        for (int round = 0; round < 3; round++) {
            int from = round * 100;
            try (Session session = stage.open(database)) {
                session.sql("create table t (id int not null primary key, filler varchar(1000))");
                session.autoCommit(false);
                session.each("insert into t values (:i, " + FILLER + ")", from, from + 60);
                session.commit();
                session.each("insert into t values (:i, " + FILLER + ")", from + 60, from + 100);
                session.sql("update t set filler = 'lost' where id < 1000");
            }
            stage.host.shutdown(database);
            stage.connectAttempt("without a boot", "nosuch-" + database);
            try (Session session = stage.open(database)) {
                session.checksum("select * from t order by id");
                session.sql("update t set filler = 'changed' || cast(id as char(5)) where mod(id, 7) = 0");
                session.check();
            }
            stage.host.shutdown(database);
        }
        try (Session session = stage.open(database)) {
            session.checksum("select * from t order by id");
            session.check();
        }
    }

    private record Id(byte number) implements Xid {
        @Override
        public int getFormatId() {
            return 4711;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {number};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1, number};
        }
    }

    private static void distributed(Stage stage) throws Exception {
        String database = stage.database("db");
        try (Session session = stage.create(database)) {
            session.sql("create table t (id int not null primary key, filler varchar(1000))");
        }
        XADataSource source = (XADataSource) stage.host
                .loader()
                .loadClass("org.apache.derby.jdbc.EmbeddedXADataSource")
                .getConstructor()
                .newInstance();
        source.getClass().getMethod("setDatabaseName", String.class).invoke(source, database);
        for (byte number = 0; number < 3; number++) {
            XAConnection connection = source.getXAConnection();
            XAResource resource = connection.getXAResource();
            Id id = new Id(number);
            resource.start(id, XAResource.TMNOFLAGS);
            try (Session session = new Session(connection.getConnection(), stage.transcript)) {
                session.quietly("set schema " + stage.schema);
                session.each("insert into t values (:i, " + FILLER + ")", number * 100, number * 100 + 50);
                resource.end(id, XAResource.TMSUCCESS);
            }
            stage.transcript.add("prepared " + resource.prepare(id));
            if (number == 2) {
                resource.commit(id, false);
            }
            connection.close();
        }
        stage.host.shutdown(database);
        XAConnection connection = source.getXAConnection();
        XAResource resource = connection.getXAResource();
        Xid[] left = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        stage.transcript.add("left in doubt " + left.length);
        resource.commit(new Id((byte) 0), false);
        resource.rollback(new Id((byte) 1));
        connection.close();
        try (Session session = stage.open(database)) {
            session.checksum("select * from t order by id");
            session.check();
        }
    }
}
