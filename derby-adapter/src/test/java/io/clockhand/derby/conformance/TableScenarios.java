// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import java.util.List;

/** Tables, their indexes, constraints and pages. */
final class TableScenarios {
    private static final String FILLER = "'" + "f".repeat(690) + "' || cast(:i as char(10))";

    private TableScenarios() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("pages of four sizes", TableScenarios::pageSizes),
                new Scenario("keys and constraints", TableScenarios::constraints),
                new Scenario("trees that grow and shrink", TableScenarios::trees),
                new Scenario("more tables than descriptors are cached", TableScenarios::manyTables),
                new Scenario("altered tables", TableScenarios::altered),
                new Scenario("more statements than are cached", TableScenarios::manyStatements));
    }

    private static void pageSizes(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            int[] sizes = {4096, 8192, 16384, 32768};
            for (int size : sizes) {
                session.sql("call SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.storage.pageSize', '" + size + "')");
                session.sql("create table p" + size + " (id int not null primary key, filler varchar(3000), n int)");
                session.sql("create index i" + size + " on p" + size + " (n)");
            }
            session.sql("call SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.storage.pageSize', null)");
            session.autoCommit(false);
            for (int from = 0; from < 80; from += 40) {
                for (int size : sizes) {
                    session.each("insert into p" + size + " values (:i, " + FILLER + ", :i)", from, from + 40);
                }
                session.commit();
            }
            for (int size : sizes) {
                session.sql("update p" + size + " set filler = filler || filler, n = -n where mod(id, 3) = 0");
                session.sql("delete from p" + size + " where mod(id, 5) = 0");
            }
            session.commit();
            session.checksum("select a.id, a.filler, b.n, c.filler, d.n from p4096 a join p8192 b on a.id = b.id"
                    + " join p16384 c on a.id = c.id join p32768 d on a.id = d.id order by 1");
            session.sql("select conglomeratename, pagesize from sys.sysschemas s, sys.systables t,"
                    + " table(SYSCS_DIAG.SPACE_TABLE(s.schemaname, t.tablename)) x"
                    + " where s.schemaid = t.schemaid and s.schemaname = current schema"
                    + " and conglomeratename like 'P%' order by 1");
            session.commit();
            session.check();
        }
    }

    private static void constraints(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table parent (id int not null primary key, code char(4) unique)");
            session.sql("create table child (id int not null primary key, parent int not null"
                    + " references parent on delete cascade, amount int check (amount >= 0))");
            session.sql("create table restricted (parent int references parent on delete restrict)");
            session.sql("create table nulled (parent int references parent on delete set null)");
            for (int i = 0; i < 20; i++) {
                session.sql("insert into parent values (?, ?)", i, "c" + i);
                session.sql("insert into child values (?, ?, ?)", i, i / 2, i);
            }
            session.sql("insert into parent values (3, 'x')");
            session.sql("insert into parent values (30, 'c3')");
            session.sql("insert into parent values (null, 'y')");
            session.sql("insert into child values (100, 99, 1)");
            session.sql("insert into child values (100, 1, -1)");
            session.sql("update child set amount = amount - 5");
            session.sql("insert into restricted values (5)");
            session.sql("insert into nulled values (6)");
            session.sql("delete from parent where id = 5");
            session.sql("delete from parent where id in (2, 6)");
            session.sql("update parent set id = id + 1 where id > 15");
            session.sql("insert into parent select id + 100, code from parent");
            session.sql("alter table parent add constraint low check (id < 5)");
            session.sql("alter table child drop constraint nosuch");
            session.sql("drop table parent");
            session.sql("create table parent (id int)");
            session.sql("select * from parent order by id");
            session.sql("select * from child order by id");
            session.sql("select * from nulled");
            session.check();
        }
    }

    private static void trees(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table tree (id int not null primary key, name varchar(400), n int)");
            session.sql("create index tree_name on tree (name)");
            session.sql("create unique index tree_n on tree (n desc)");
            session.autoCommit(false);
            String insert = "insert into tree values (mod(:i * 37, 1009), '" + "k".repeat(200)
                    + "' || cast(mod(:i * 53, 1009) as char(5)), -:i)";
            for (int round = 0; round < 2; round++) {
                session.each(insert, 0, 300);
                session.commit();
                session.each("update tree set name = 'short' || cast(id as char(5)) where n = -:i", 0, 200);
                session.checksum("select name, id from tree where name > 'l' order by name");
                session.each("delete from tree where n = -:i", 100, 250);
                session.rollback();
                session.checksum("select * from tree order by n");
                session.each("delete from tree where n = -:i", 50, 300);
                session.commit();
                session.checksum("select * from tree order by name");
                session.sql("delete from tree");
                session.commit();
            }
            session.check();
        }
    }

    private static void manyTables(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.autoCommit(false);
            for (int i = 0; i < 72; i++) {
                session.quietly("create table many" + i + " (id int primary key, n int)");
                session.quietly("insert into many" + i + " values (1, " + i + "), (2, " + 2 * i + ")");
            }
            session.commit();
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 72; i += 7) {
                    session.sql("select * from many" + i + " order by id");
                }
                for (int i = round; i < 72; i += 11) {
                    session.sql("drop table many" + i);
                    session.sql("create table many" + i + " (other varchar(10), id int)");
                    session.sql("insert into many" + i + " values ('again', " + round + ")");
                    session.sql("select n from many" + i);
                    session.sql("select * from many" + i);
                }
                session.rollback();
            }
            session.check();
        }
    }

    private static void altered(Stage stage) throws Exception {
        try (Session session = stage.open();
                Session other = stage.open()) {
            session.sql("create table a (id int not null primary key, old varchar(50))");
            session.sql("insert into a values (1, 'one'), (2, 'two'), (3, 'three')");
            other.sql("select * from a order by id");
            session.sql("alter table a add column added int default 7");
            other.sql("select * from a order by id");
            session.sql("alter table a drop column old");
            other.sql("select * from a order by id");
            other.sql("select old from a");
            session.sql("rename table a to b");
            other.sql("select * from a");
            other.sql("select * from b order by id");
            session.sql("rename column b.added to renamed");
            session.sql("alter table b alter column renamed set data type bigint");
            session.sql("alter table b alter column renamed not null");
            other.sql("insert into b values (4, null)");
            session.sql("create index b_renamed on b (renamed)");
            session.sql("rename index b_renamed to b_index");
            session.sql("drop index b_renamed");
            session.sql("drop index b_index");
            session.autoCommit(false);
            session.sql("alter table b add column undone int");
            session.sql("create table c as select * from b with no data");
            session.rollback();
            other.sql("select * from b order by id");
            other.sql("select * from c");
            session.sql("truncate table b");
            session.rollback();
            session.sql("select count(*) from b");
            session.commit();
            session.check();
        }
    }

    private static void manyStatements(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table facts (id int primary key, n int)");
            session.each("insert into facts values (:i, :i * 3)", 0, 50);
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 30; i++) {
                    session.checksum("select n + " + i + " from facts where id >= " + i % 50 + " order by id");
                }
                session.sql("create index facts_n" + round + " on facts (n)");
                session.sql("call SYSCS_UTIL.SYSCS_EMPTY_STATEMENT_CACHE()");
            }
            session.check();
        }
    }
}
