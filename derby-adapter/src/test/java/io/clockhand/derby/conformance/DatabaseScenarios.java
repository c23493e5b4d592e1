// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Databases of every kind, and the users that may connect to them. */
final class DatabaseScenarios {
    private static final String FILLER = "'" + "d".repeat(600) + "'";

    private DatabaseScenarios() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("a database in memory", DatabaseScenarios::inMemory),
                new Scenario("an encrypted database", DatabaseScenarios::encrypted),
                new Scenario("a database in a jar", DatabaseScenarios::inAJar),
                new Scenario("several databases", DatabaseScenarios::several),
                new Scenario("permissions", DatabaseScenarios::permissions));
    }

    private static void fill(Session session) throws Exception {
        session.sql("create table t (id int not null primary key, filler varchar(1000))");
        session.sql("create index t_filler on t (filler, id desc)");
        session.autoCommit(false);
        session.each("insert into t values (:i, " + FILLER + " || cast(:i as char(6)))", 0, 150);
        session.commit();
        session.each("update t set filler = 'short' where id = :i", 100, 120);
        session.rollback();
        session.autoCommit(true);
    }

    private static void look(Stage stage, String database) throws Exception {
        try (Session session = stage.open(database)) {
            session.checksum("select * from t order by filler");
            session.checksum("select a.* from t a, t b where a.id = b.id + 1 order by a.id desc");
            session.check();
        }
    }

    private static void inMemory(Stage stage) throws Exception {
        String database = "memory:" + stage.database("db");
        try (Session session = stage.create(database)) {
            fill(session);
        }
        look(stage, database);
        stage.host.shutdown(database);
        look(stage, database);
        stage.host.shutdown(database);
        stage.connectAttempt("to drop it", database + ";drop=true");
        stage.connectAttempt("after it was dropped", database);
    }

    private static void encrypted(Stage stage) throws Exception {
        String database = stage.database("db");
        String key = ";bootPassword=clockhand1";
        try (Session session = stage.create(database + ";dataEncryption=true" + key)) {
            fill(session);
        }
        stage.host.shutdown(database);
        stage.connectAttempt("without the key", database);
        stage.connectAttempt("with a wrong key", database + ";bootPassword=clockhand2");
        look(stage, database + key);
        stage.host.shutdown(database);
        stage.connectAttempt("with a new key", database + key + ";newBootPassword=clockhand3");
        look(stage, database);
        stage.host.shutdown(database);
        stage.connectAttempt("with the old key", database + key);
        look(stage, database + ";bootPassword=clockhand3");
        stage.host.shutdown(database);
    }

    private static void inAJar(Stage stage) throws Exception {
        String source = stage.database("source");
        try (Session session = stage.create(source)) {
            fill(session);
        }
        stage.host.shutdown(source);
        Path jar = stage.folder.resolve("database.jar");
        pack(stage.home(source), jar);
        String database = "jar:(" + jar + ")inside";
        for (int round = 0; round < 2; round++) {
            look(stage, database);
            try (Session session = stage.open(database)) {
                session.sql("insert into t values (1000, 'x')");
                session.sql("create table more (id int)");
                session.checksum("select * from t order by filler desc, id");
            }
            stage.host.shutdown(database);
        }
    }

    private static void pack(Path database, Path jar) throws Exception {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> walk = Files.walk(database)) {
            for (Path path : walk.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new ZipEntry(
                        "inside/" + database.relativize(path).toString().replace('\\', '/')));
                Files.copy(path, out);
                out.closeEntry();
            }
        }
    }

    private static void several(Stage stage) throws Exception {
        List<Session> sessions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sessions.add(stage.create(stage.database("db" + i)));
        }
        for (int i = 0; i < 3; i++) {
            fill(sessions.get(i));
            sessions.get(i).sql("update t set id = id + ? where id > 50", 1_000 * i);
        }
        stage.host.shutdown(stage.database("db1"));
        sessions.get(1).sql("select count(*) from t");
        sessions.get(0).checksum("select * from t order by id");
        sessions.get(2).checksum("select * from t order by id");
        look(stage, stage.database("db1"));
        for (Session session : List.of(sessions.get(0), sessions.get(2))) {
            session.check();
            session.close();
        }
        for (int i = 0; i < 3; i++) {
            stage.host.shutdown(stage.database("db" + i));
        }
    }

    /** More of them than are cached. */
    private static void permissions(Stage stage) throws Exception {
        String database = stage.database("db");
        String owner = database + ";user=owner";
        try (Session session = stage.create(owner)) {
            session.sql("call SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.database.sqlAuthorization', 'true')");
        }
        stage.host.shutdown(owner);
        try (Session session = stage.open(owner);
                Session one = new Session(stage.host.connect(database + ";user=one"), stage.transcript);
                Session two = new Session(stage.host.connect(database + ";user=two"), stage.transcript)) {
            for (int i = 0; i < 40; i++) {
                session.quietly("create table t" + i + " (id int primary key, secret int)");
                session.quietly("insert into t" + i + " values (1, 2)");
                session.quietly("grant select" + (i % 2 == 0 ? " (id)" : ", update") + " on t" + i + " to one");
            }
            session.sql("create role readers");
            session.sql("grant select on t0 to readers");
            session.sql("grant readers to two");
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 40; i += 3) {
                    for (Session user : List.of(one, two)) {
                        user.sql("select id from " + stage.schema + ".t" + i);
                        user.sql("select secret from " + stage.schema + ".t" + i);
                        user.sql("update " + stage.schema + ".t" + i + " set secret = secret + 1");
                    }
                }
                two.sql("set role readers");
                two.sql("select * from " + stage.schema + ".t0");
                two.sql("insert into " + stage.schema + ".t0 values (5, 5)");
                session.quietly("revoke update on t3 from one", "grant select on t9 to public");
                one.sql("drop table " + stage.schema + ".t1");
                one.sql("create table mine" + round + " (id int)");
                one.sql("grant select on mine" + round + " to two");
                two.sql("select * from one.mine" + round);
                session.sql("revoke readers from two");
                two.sql("select * from " + stage.schema + ".t0");
                session.sql("grant readers to two");
            }
            session.sql("select count(*) from sys.systableperms");
            session.sql("select count(*) from sys.syscolperms");
            session.sql("select roleid, grantee from sys.sysroles order by 1, 2");
            session.check();
        }
        stage.host.shutdown(owner);
    }
}
