// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.select;

import io.clockhand.workbench.experiment.report.Figures;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.DoubleConsumer;
import javax.sql.DataSource;

/** The rows of the one table: key and content follow from the number of a row and the seed. */
record Rows(int count, long seed) {
    /** With its key and Derby's headers such a row takes about 205 bytes of a page. */
    static final int CONTENT_BYTES = 184;

    private static final int BATCH = 1000;
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    @Override
    public String toString() {
        return Figures.of("%,d", count) + (count == 1 ? " row" : " rows");
    }

    byte[] content(int key) {
        byte[] content = new byte[CONTENT_BYTES];
        for (int at = 0; at < CONTENT_BYTES; at += Long.BYTES) {
            WORDS.set(content, at, word(key, at));
        }
        return content;
    }

    /** Whether this is the content of the row with that key, to the last byte. */
    boolean isContent(int key, byte[] read) {
        long differences = read.length ^ CONTENT_BYTES;
        for (int at = 0; at < CONTENT_BYTES && differences == 0; at += Long.BYTES) {
            differences = (long) WORDS.get(read, at) ^ word(key, at);
        }
        return differences == 0;
    }

    /** SplitMix64's mixing function, of a number that no other word has. */
    private long word(int key, int at) {
        long bits = seed * 0x9E3779B97F4A7C15L + (long) key * CONTENT_BYTES + at;
        bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        return bits ^ bits >>> 31;
    }

    /** In the order of the keys; the primary key comes last, so that Derby sorts its index instead of growing it. */
    void load(DataSource database, DoubleConsumer progress) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("CREATE TABLE selected (id INT NOT NULL, content CHAR(" + CONTENT_BYTES
                    + ") FOR BIT DATA NOT NULL)");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO selected VALUES (?, ?)")) {
                for (int key = 1; key <= count; key++) {
                    insert.setInt(1, key);
                    insert.setBytes(2, content(key));
                    insert.addBatch();
                    if (key % BATCH == 0 || key == count) {
                        insert.executeBatch();
                        connection.commit();
                        progress.accept((double) key / count);
                    }
                }
            }
            statement.execute("ALTER TABLE selected ADD CONSTRAINT selected_pk PRIMARY KEY (id)");
            statement.execute("CALL SYSCS_UTIL.SYSCS_UPDATE_STATISTICS('APP', 'SELECTED', NULL)");
            connection.commit();
        }
    }
}
