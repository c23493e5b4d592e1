// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Cursors that are held, scrolled and written through. */
final class CursorScenarios {
    private static final String FILLER = "'" + "c".repeat(500) + "'";

    private CursorScenarios() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("held cursors", CursorScenarios::held),
                new Scenario("scrolled and updated cursors", CursorScenarios::scrolled),
                new Scenario("positioned updates", CursorScenarios::positioned),
                new Scenario("more files open than are cached", CursorScenarios::manyFiles));
    }

    private static void fill(Session session) throws SQLException {
        session.sql("create table t (id int not null primary key, n int, filler varchar(800))");
        session.autoCommit(false);
        session.each("insert into t values (:i, :i, " + FILLER + ")", 0, 200);
        session.commit();
    }

    private static void held(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            fill(session);
            for (int holdability : new int[] {ResultSet.HOLD_CURSORS_OVER_COMMIT, ResultSet.CLOSE_CURSORS_AT_COMMIT}) {
                try (Statement statement = session.connection.createStatement(
                                ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY, holdability);
                        ResultSet rows = statement.executeQuery("select id, filler from t order by id")) {
                    session.attempt("fetch across commits " + holdability, () -> {
                        for (int i = 0; i < 100; i++) {
                            rows.next();
                            if (i % 10 == 0) {
                                session.note("  " + Cells.row(rows));
                                session.quietly("update t set n = n + 1 where id = " + (i + 100));
                                session.connection.commit();
                            }
                        }
                    });
                    session.attempt("after a rollback", () -> {
                        session.connection.rollback();
                        rows.next();
                    });
                }
            }
            session.checksum("select * from t order by id");
            session.commit();
            session.check();
        }
    }

    private static void scrolled(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            fill(session);
            try (Statement statement = session.connection.createStatement(
                            ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                    ResultSet rows = statement.executeQuery("select id, n, filler from t")) {
                for (int row : new int[] {200, 1, 100, -1, 50, 199, 7}) {
                    session.attempt("to " + row, () -> {
                        rows.absolute(row);
                        session.note("  " + Cells.row(rows));
                        rows.updateInt("n", -row);
                        rows.updateString("filler", "updated");
                        rows.updateRow();
                        session.note("  " + Cells.row(rows) + " updated " + rows.rowUpdated());
                    });
                }
                session.attempt("delete", () -> {
                    rows.absolute(60);
                    rows.deleteRow();
                    rows.relative(-1);
                    rows.relative(1);
                    session.note("  deleted " + rows.rowDeleted());
                    rows.getInt(1);
                });
                session.attempt("insert", () -> {
                    rows.moveToInsertRow();
                    rows.updateInt(1, 1_000);
                    rows.updateInt(2, 5);
                    rows.insertRow();
                    rows.moveToCurrentRow();
                });
                session.attempt("insert twice", () -> {
                    rows.moveToInsertRow();
                    rows.updateInt(1, 1_000);
                    rows.insertRow();
                });
            }
            session.checksum("select * from t order by id");
            session.rollback();
            session.checksum("select * from t order by id");
            session.commit();
            session.check();
        }
    }

    private static void positioned(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            fill(session);
            try (Statement statement = session.connection.createStatement()) {
                statement.setCursorName("WALK");
                try (ResultSet rows = statement.executeQuery("select id, n from t where id > 20 for update of n");
                        PreparedStatement update =
                                session.connection.prepareStatement("update t set n = n + 1000 where current of WALK");
                        PreparedStatement delete =
                                session.connection.prepareStatement("delete from t where current of WALK")) {
                    int count = 0;
                    while (rows.next()) {
                        count += rows.getInt(1) % 3 == 0 ? delete.executeUpdate() : update.executeUpdate();
                    }
                    session.note("walked " + count);
                    session.attempt("past the end", update::executeUpdate);
                }
            }
            session.commit();
            session.checksum("select * from t order by id");
            session.commit();
            session.check();
        }
    }

    private static void manyFiles(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.autoCommit(false);
            for (int i = 0; i < 130; i++) {
                session.quietly("create table t" + i + " (id int)", "insert into t" + i + " values (" + i + "), (-1)");
            }
            session.commit();
            List<Statement> statements = new ArrayList<>();
            List<ResultSet> cursors = new ArrayList<>();
            for (int i = 0; i < 130; i++) {
                statements.add(session.connection.createStatement());
                cursors.add(statements.get(i).executeQuery("select id from t" + i));
                cursors.get(i).next();
            }
            long sum = 0;
            for (ResultSet rows : cursors) {
                sum += rows.getInt(1);
                rows.next();
                sum += 1_000L * rows.getInt(1);
            }
            session.note("sum " + sum);
            for (Statement statement : statements) {
                statement.close();
            }
            session.commit();
            for (int i = 0; i < 130; i += 2) {
                session.quietly("drop table t" + i);
            }
            session.commit();
            session.check();
        }
    }
}
