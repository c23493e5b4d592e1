// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.StringReader;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import java.util.Random;

/** Values that are larger than a page, written and read as streams. */
final class LargeObjectScenarios {
    private static final int[] LENGTHS = {0, 1, 4_000, 33_000, 70_000, 400_000};

    private LargeObjectScenarios() {}

    static List<Scenario> all() {
        return List.of(
                new Scenario("large objects as streams", LargeObjectScenarios::streams),
                new Scenario("large objects changed in place", LargeObjectScenarios::locators));
    }

    private static void streams(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table files (id int not null primary key, bytes blob, text clob)");
            session.autoCommit(false);
            for (int round = 0; round < 2; round++) {
                try (PreparedStatement insert =
                        session.connection.prepareStatement("insert into files values (?, ?, ?)")) {
                    for (int i = 0; i < LENGTHS.length; i++) {
                        byte[] bytes = new byte[LENGTHS[i]];
                        new Random(i).nextBytes(bytes);
                        insert.setInt(1, i);
                        insert.setBinaryStream(2, new ByteArrayInputStream(bytes));
                        insert.setCharacterStream(3, new StringReader("x\u20ac\u00e4".repeat(LENGTHS[i] / 3)));
                        insert.executeUpdate();
                    }
                }
                session.commit();
                session.checksum("select * from files order by id");
                session.sql("update files set bytes = null where id = 3");
                session.sql("update files set text = text || text where id > 2");
                session.sql("select id, length(bytes), length(text) from files order by id");
                session.rollback();
                session.sql("select id, bytes, text from files order by id desc");
                session.attempt("a stream of the wrong length", () -> {
                    try (PreparedStatement update =
                            session.connection.prepareStatement("update files set bytes = ? where id = 1")) {
                        update.setBinaryStream(1, new ByteArrayInputStream(new byte[10_000]), 90_000);
                        update.executeUpdate();
                    }
                });
                session.sql("delete from files where id <> 2");
                session.commit();
                session.sql("select * from files");
                session.sql("delete from files");
                session.commit();
            }
            session.check();
        }
    }

    private static void locators(Stage stage) throws Exception {
        try (Session session = stage.open()) {
            session.sql("create table files (id int not null primary key, bytes blob, text clob)");
            session.autoCommit(false);
            try (PreparedStatement insert = session.connection.prepareStatement("insert into files values (1, ?, ?)")) {
                insert.setBytes(1, new byte[100_000]);
                insert.setString(2, "abcde".repeat(20_000));
                insert.executeUpdate();
            }
            session.commit();
            try (PreparedStatement select =
                            session.connection.prepareStatement("select bytes, text from files for update");
                    ResultSet rows = select.executeQuery()) {
                rows.next();
                Blob blob = rows.getBlob(1);
                Clob clob = rows.getClob(2);
                session.note("found at " + clob.position("eab", 50_000));
                blob.setBytes(90_000, new byte[] {1, 2, 3, 4});
                clob.setString(99_990, "longer than before");
                try (InputStream in = blob.getBinaryStream(89_990, 20)) {
                    session.note("part " + Cells.bytes(in));
                }
                session.note("length " + clob.length() + " " + clob.getSubString(99_980, 20));
                session.attempt("out of range", () -> clob.getSubString(900_000, 1));
                blob.truncate(95_000);
                try (PreparedStatement update =
                        session.connection.prepareStatement("update files set bytes = ?, text = ?")) {
                    update.setBlob(1, blob);
                    update.setClob(2, clob);
                    update.executeUpdate();
                }
            }
            session.commit();
            session.sql("select * from files");
            session.commit();
            session.check();
        }
    }
}
