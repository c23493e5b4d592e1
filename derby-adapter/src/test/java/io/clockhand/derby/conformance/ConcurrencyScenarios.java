// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import io.clockhand.derby.Workload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Concurrent threads, with transcripts that do not depend on the order of the threads. */
final class ConcurrencyScenarios {
    private static final int DEFINERS = 4;
    private static final String FILLER = "'" + "g".repeat(500) + "'";

    private ConcurrencyScenarios() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("rows and large objects of four threads", ConcurrencyScenarios::workload),
                new Scenario("one row of eight threads", ConcurrencyScenarios::hotRow),
                new Scenario("sixteen threads of definitions beside changes", ConcurrencyScenarios::definitions),
                new Scenario("tables that come and go beside checkpoints", ConcurrencyScenarios::comingAndGoing));
    }

    private static void workload(Stage stage) throws Exception {
        String database = stage.database("db");
        try (Session session = stage.create(database)) {
            session.quietly("set schema app");
            Workload.createTables(session.connection);
            new Workload(stage.host, database, 4711, 4, 25).run();
            session.note("checksum " + Workload.check(session.connection));
        }
        stage.host.shutdown(database);
        try (Session session = stage.open(database)) {
            session.quietly("set schema app");
            session.note("checksum " + Workload.check(session.connection));
        }
        stage.host.shutdown(database);
    }

    private static void hotRow(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table hot (id int primary key, n int)");
            session.sql("insert into hot values (1, 0)");
            session.sql("create sequence tickets");
            session.sql("create table taken (ticket int not null primary key)");
            stage.together(8, number -> {
                try (Session own = stage.open()) {
                    own.connection.setAutoCommit(false);
                    for (int i = 0; i < 25; i++) {
                        Stage.retried(
                                own.connection,
                                () -> own.quietly(
                                        "update hot set n = n + 1",
                                        "insert into taken values (next value for tickets)"));
                    }
                }
                return null;
            });
            session.sql("select * from hot");
            session.sql("select count(*) from taken");
            session.check();
        }
    }

    /** The tables have other owners, the catalogs and one table with changing indexes are shared. */
    private static void definitions(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table common (owner int not null, id int not null, n int, filler varchar(600),"
                    + " primary key (owner, id))");
            stage.together(16, number -> {
                try (Session own = stage.open()) {
                    if (number < DEFINERS) {
                        define(own, number);
                    } else {
                        change(own, number);
                    }
                }
                return null;
            });
            session.checksum("select * from common order by owner, id");
            for (int i = 0; i < DEFINERS; i++) {
                session.checksum("select * from own" + i + " order by id");
            }
            session.check();
        }
    }

    private static void define(Session own, int number) throws SQLException {
        String table = "own" + number;
        String[] texts = {
            "create table " + table + " (id int, n int)",
            "insert into " + table + " values (1, 1), (2, 2), (" + number + ", 3)",
            "create index index" + number + " on " + table + " (n)",
            "alter table " + table + " add column filler varchar(700) default " + FILLER,
            "update " + table + " set n = n + 1",
            "drop index index" + number,
            "create view view" + number + " as select id from " + table,
            "drop view view" + number,
            "truncate table " + table,
            "drop table " + table,
            "create table " + table + " (n int, id bigint)",
            "insert into " + table + " (id, n) values (5, " + number + "), (6, 7)"
        };
        for (String text : texts) {
            Stage.retried(own.connection, () -> own.quietly(text));
        }
        // One of them: the lock on the table that all change is what the others wait for.
        if (number == 0) {
            for (String text : List.of("create index common_n on common (n)", "drop index common_n")) {
                Stage.retried(own.connection, () -> own.quietly(text));
            }
        }
    }

    private static void change(Session own, int number) throws SQLException {
        Connection to = own.connection;
        try (PreparedStatement insert = Stage.prepared(to, "insert into common values (?, ?, 5, " + FILLER + ")");
                PreparedStatement update =
                        Stage.prepared(to, "update common set n = n + 10 where owner = ? and id <= ?");
                PreparedStatement delete = Stage.prepared(to, "delete from common where owner = ? and id = ?")) {
            for (int i = 0; i < 15; i++) {
                for (PreparedStatement statement : List.of(insert, update)) {
                    execute(own, statement, number, i);
                }
                if (i % 5 == 4) {
                    execute(own, delete, number, i - 1);
                }
            }
        }
    }

    private static void execute(Session own, PreparedStatement statement, int owner, int id) throws SQLException {
        Stage.retried(own.connection, () -> {
            statement.setInt(1, owner);
            statement.setInt(2, id);
            statement.executeUpdate();
        });
    }

    private static void comingAndGoing(Stage stage) throws Exception {
        String database = stage.database("db");
        stage.create(database).close();
        stage.together(4, number -> {
            try (Session own = stage.open(database)) {
                for (int round = 0; round < 4; round++) {
                    if (number == 3) {
                        Workload.call(own.connection, "SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE()");
                        continue;
                    }
                    String table = "t" + number;
                    Stage.retried(
                            own.connection, () -> own.quietly("create table " + table + " (id int, f varchar(600))"));
                    for (int i = 0; i < 50; i++) {
                        int id = i;
                        Stage.retried(
                                own.connection,
                                () -> own.quietly("insert into " + table + " values (" + id + ", " + FILLER + ")"));
                    }
                    if (round < 3) {
                        Stage.retried(own.connection, () -> own.quietly("drop table " + table));
                    }
                }
            }
            return null;
        });
        try (Session session = stage.open(database)) {
            for (int i = 0; i < 3; i++) {
                session.checksum("select * from t" + i + " order by id");
            }
            session.check();
        }
        stage.host.shutdown(database);
    }
}
