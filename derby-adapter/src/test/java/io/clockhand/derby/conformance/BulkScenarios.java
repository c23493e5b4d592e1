// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Much at once: import and export, truncation and compression, sorts and temporary tables. */
final class BulkScenarios {
    private static final String FILLER = "'" + "b".repeat(500) + "'";

    private BulkScenarios() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("export and import", BulkScenarios::importExport),
                new Scenario("compressed and truncated tables", BulkScenarios::compressed),
                new Scenario("sorts that spill", BulkScenarios::sorts),
                new Scenario("temporary tables", BulkScenarios::temporaryTables));
    }

    private static void importExport(Stage stage) throws Exception {
        Path file = stage.folder.resolve("rows.csv");
        Path objects = stage.folder.resolve("objects.dat");
        try (Session session = stage.open()) {
            session.sql("create table source (id int not null primary key, text varchar(600), object blob)");
            session.sql("create table target (id int not null primary key, text varchar(600), object blob)");
            session.sql("create index target_text on target (text)");
            session.each(
                    "insert into source values (:i, cast(:i as char(8)) || " + FILLER
                            + ", cast(X'0102030405' as blob))",
                    0,
                    200);
            session.sql(
                    "call SYSCS_UTIL.SYSCS_EXPORT_TABLE_LOBS_TO_EXTFILE(?, 'SOURCE', ?, null, null, null, ?)",
                    stage.schema,
                    file.toString(),
                    objects.getFileName().toString());
            session.note("  lines " + Files.readAllLines(file).size());
            for (int replace : new int[] {0, 1, 0}) {
                session.sql(
                        "call SYSCS_UTIL.SYSCS_IMPORT_TABLE_LOBS_FROM_EXTFILE(?, 'TARGET', ?, null, null, null, "
                                + replace + ")",
                        stage.schema,
                        file.toString());
                session.checksum("select * from target order by text");
            }
            session.sql("delete from target");
            session.sql(
                    "call SYSCS_UTIL.SYSCS_IMPORT_DATA(?, 'TARGET', 'ID,TEXT', '1,2', ?, null, null, null, 0)",
                    stage.schema,
                    file.toString());
            session.checksum("select * from target order by id desc");
            session.sql(
                    "call SYSCS_UTIL.SYSCS_IMPORT_TABLE(?, 'NOSUCH', ?, null, null, null, 0)", stage.schema, "nosuch");
            session.check();
        }
    }

    private static void compressed(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table big (id int not null primary key, n int, filler varchar(1500))");
            session.sql("create index big_n on big (n)");
            for (int round = 0; round < 2; round++) {
                session.autoCommit(false);
                session.each("insert into big values (:i, :i, " + FILLER + " || " + FILLER + ")", 0, 250);
                session.commit();
                session.autoCommit(true);
                session.sql("delete from big where mod(id, 4) <> " + round);
                session.sql("call SYSCS_UTIL.SYSCS_INPLACE_COMPRESS_TABLE(?, 'BIG', 1, 1, 1)", stage.schema);
                session.checksum("select * from big order by n");
                session.sql("call SYSCS_UTIL.SYSCS_COMPRESS_TABLE(?, 'BIG', ?)", stage.schema, round);
                session.checksum("select * from big order by n desc");
                session.sql("select conglomeratename, numallocatedpages from"
                        + " table(SYSCS_DIAG.SPACE_TABLE('" + stage.schema + "', 'BIG')) x"
                        + " where conglomeratename like 'BIG%' order by 1");
                session.sql("call SYSCS_UTIL.SYSCS_UPDATE_STATISTICS(?, 'BIG', null)", stage.schema);
                session.sql("truncate table big");
                session.sql("select count(*) from big");
            }
            session.check();
        }
    }

    private static void sorts(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table unsorted (id int, filler varchar(1000))");
            session.autoCommit(false);
            session.each("insert into unsorted values (mod(:i * 7919, 2003), " + FILLER + ")", 0, 400);
            session.commit();
            session.checksum("select a.id, a.filler, b.filler from unsorted a join unsorted b on a.id = b.id"
                    + " order by a.filler, a.id desc");
            session.sql("select count(distinct a.filler || cast(a.id as char(10))) from unsorted a");
            session.sql("create index sorted on unsorted (id desc, filler)");
            session.commit();
            session.checksum("select id from unsorted order by id desc");
            session.check();
        }
    }

    private static void temporaryTables(Stage stage) throws Exception {
        try (Session session = stage.open();
                Session other = stage.open()) {
            for (Session each : List.of(session, other)) {
                each.autoCommit(false);
                each.sql("declare global temporary table session.kept (id int, filler varchar(600))"
                        + " on commit preserve rows not logged");
                each.sql("declare global temporary table session.dropped (id int, filler varchar(600))"
                        + " on commit delete rows not logged");
            }
            for (int round = 0; round < 3; round++) {
                for (Session each : List.of(session, other)) {
                    each.each("insert into session.kept values (:i, " + FILLER + ")", 0, 80);
                    each.each("insert into session.dropped values (:i, " + FILLER + ")", 0, 120);
                    each.checksum("select * from session.dropped order by id");
                    each.commit();
                    each.sql("select count(*) from session.dropped");
                    each.sql("select count(*), sum(id) from session.kept");
                }
            }
            session.sql("delete from session.kept where id > 5");
            session.rollback();
            session.sql("select count(*) from session.kept");
            session.sql("drop table session.kept");
            session.sql("select count(*) from session.kept");
            other.sql("select count(*) from session.kept");
        }
    }
}
