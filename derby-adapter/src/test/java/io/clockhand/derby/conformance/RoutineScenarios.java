// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import java.sql.CallableStatement;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.Types;
import java.util.List;

/** Statements that the database keeps: triggers, views, procedures, functions, and those of its metadata. */
final class RoutineScenarios {
    private RoutineScenarios() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("triggers", RoutineScenarios::triggers),
                new Scenario("views", RoutineScenarios::views),
                new Scenario("functions and procedures", RoutineScenarios::routines),
                new Scenario("metadata", RoutineScenarios::metadata));
    }

    /** More of them than stored statements are cached. */
    private static void triggers(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table t (id int not null primary key, n int)");
            session.sql("create table journal (number int generated always as identity, what varchar(20), id int)");
            for (int i = 0; i < 35; i++) {
                if (i % 7 == 0) {
                    session.quietly("create table fired" + i / 7 + " (id int)");
                }
                session.quietly("create trigger on_insert" + i + " after insert on fired" + i / 7
                        + " referencing new as new for each row when (mod(new.id, 7) = " + i % 7
                        + ") insert into journal (what, id) values ('insert" + i + "', new.id)");
            }
            for (int i = 0; i < 10; i++) {
                session.each("insert into fired" + i % 5 + " values (:i)", 0, 5);
            }
            session.sql("create trigger on_update after update of n on t referencing old as old new as new"
                    + " for each row insert into journal (what, id) values ('update', new.n - old.n)");
            session.sql("create trigger on_delete after delete on t referencing old table as gone"
                    + " for each statement insert into journal (what, id) select 'delete', id from gone order by id");
            session.sql("create trigger cascading after insert on journal referencing new as new for each row"
                    + " when (new.what = 'update') update t set n = n where id = -1");
            session.each("insert into t values (:i, :i)", 30, 66);
            session.sql("update t set n = n + 5 where id < 36");
            session.sql("delete from t where id > 60");
            session.sql("select * from journal where number > 20 order by number");
            session.checksum("select what, id from journal order by number");
            session.sql("create trigger recursive after update on t for each row update t set n = n + 1");
            session.sql("update t set n = 0 where id = 1");
            session.sql("drop trigger recursive");
            session.sql("alter table journal drop column what cascade");
            session.sql("insert into t values (500, 0)");
            session.sql("select count(*) from journal");
            session.check();
        }
    }

    private static void views(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table t (id int not null primary key, n int)");
            session.each("insert into t values (:i, mod(:i, 7))", 0, 100);
            session.sql("create view v0 as select id, n from t where n > 1");
            for (int i = 1; i < 8; i++) {
                session.sql("create view v" + i + " as select id, n + 1 as n from v" + (i - 1) + " where id > " + i);
            }
            session.sql("select n, count(*), sum(id) from v7 group by n order by n");
            session.sql("delete from t where id < 20");
            session.checksum("select * from v7 order by id");
            session.sql("drop view v3");
            session.sql("drop table t");
            session.sql("alter table t add column more int");
            session.sql("drop view v7");
            session.sql("select * from v7");
            session.checksum("select * from v6 order by id");
            session.check();
        }
    }

    private static void routines(Stage stage) throws Exception {
        String at = "external name '" + Routines.class.getName();
        try (Session session = stage.open()) {
            session.note("create the routines");
            session.quietly(
                    "create table numbers (n int not null primary key)",
                    "create function twice (n int) returns int language java parameter style java no sql " + at
                            + ".twice'",
                    "create function picky (n int) returns int language java parameter style java no sql " + at
                            + ".picky'",
                    "create function rows_below (n int) returns int language java parameter style java"
                            + " reads sql data " + at + ".rowsBelow'",
                    "create procedure fill (in f int, in t int, out filled int) language java parameter style java"
                            + " modifies sql data dynamic result sets 1 " + at + ".fill'");
            session.autoCommit(false);
            for (int from = 0; from < 30; from += 10) {
                try (CallableStatement call = session.connection.prepareCall("call fill(?, ?, ?)")) {
                    call.setInt(1, from);
                    call.setInt(2, from + 10);
                    call.registerOutParameter(3, Types.INTEGER);
                    call.execute();
                    session.note("filled " + call.getInt(3));
                    try (ResultSet rows = call.getResultSet()) {
                        session.note("  " + Cells.checksum(rows));
                    }
                }
            }
            session.commit();
            session.sql("select n, twice(n), rows_below(n) from numbers where mod(n, 5) = 0 order by n");
            session.sql("select picky(10 - n) from numbers order by n");
            session.sql("values nosuch(1)");
            session.sql("create table derived (n int, m generated always as (twice(n)))");
            session.sql("drop function twice");
            session.sql("drop procedure fill");
            session.sql("call fill(1, 2, ?)");
            session.commit();
            session.check();
        }
    }

    private static void metadata(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table parent (id int not null primary key, c varchar(10) default 'x')");
            session.sql("create table child (id int references parent, unique_one int not null unique)");
            session.sql("create view both_of_them as select p.id, c.unique_one from parent p, child c");
            for (int round = 0; round < 2; round++) {
                DatabaseMetaData data = session.connection.getMetaData();
                names(session, data.getTables(null, stage.schema, "%", null), "TABLE_NAME", "TABLE_TYPE");
                names(session, data.getColumns(null, stage.schema, "%", "%"), "COLUMN_NAME", "COLUMN_DEF");
                names(session, data.getPrimaryKeys(null, stage.schema, "PARENT"), "COLUMN_NAME", "KEY_SEQ");
                names(session, data.getImportedKeys(null, stage.schema, "CHILD"), "PKCOLUMN_NAME", "DELETE_RULE");
                names(session, data.getExportedKeys(null, stage.schema, "PARENT"), "FKCOLUMN_NAME", "UPDATE_RULE");
                names(session, data.getIndexInfo(null, stage.schema, "CHILD", false, true), "COLUMN_NAME", "TYPE");
                names(session, data.getBestRowIdentifier(null, stage.schema, "PARENT", 0, true), "COLUMN_NAME");
                names(session, data.getProcedures(null, "SYSCS_UTIL", "SYSCS_E%"), "PROCEDURE_NAME");
                names(session, data.getFunctions(null, "SYSCS_UTIL", "SYSCS_C%"), "FUNCTION_NAME");
                names(session, data.getTypeInfo(), "TYPE_NAME", "DATA_TYPE");
                names(session, data.getSchemas(null, stage.schema), "TABLE_SCHEM");
                names(session, data.getTableTypes(), "TABLE_TYPE");
                names(session, data.getTablePrivileges(null, stage.schema, "%"), "GRANTEE");
                names(session, data.getVersionColumns(null, stage.schema, "PARENT"), "COLUMN_NAME");
                session.sql("alter table child add column late" + round + " int");
            }
            session.check();
        }
    }

    private static void names(Session session, ResultSet rows, String... columns) throws Exception {
        try (rows) {
            StringBuilder names = new StringBuilder("  ");
            while (rows.next()) {
                for (String column : columns) {
                    names.append(' ').append(rows.getString(column));
                }
                names.append(';');
            }
            session.note(names.toString());
        }
    }
}
