// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby.conformance;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The Java methods behind the databases' procedures and functions. */
public final class Routines {
    private Routines() {}

    /** A function without SQL. */
    public static int twice(int n) {
        return 2 * n;
    }

    /** A function that fails where SQL has a state for it. */
    public static int picky(int n) throws SQLException {
        if (n < 0) {
            throw new SQLException("negative", "38123");
        }
        return n;
    }

    /** A function that reads. */
    public static int rowsBelow(int n) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:default:connection");
                PreparedStatement count = connection.prepareStatement("select count(*) from numbers where n < ?")) {
            count.setInt(1, n);
            try (ResultSet rows = count.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    /** A procedure that writes, with a parameter out and a result set. */
    public static void fill(int from, int to, int[] filled, ResultSet[] all) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:default:connection")) {
            try (PreparedStatement insert = connection.prepareStatement("insert into numbers values (?)")) {
                for (int n = from; n < to; n++) {
                    insert.setInt(1, n);
                    filled[0] += insert.executeUpdate();
                }
            }
            all[0] = connection
                    .prepareStatement("select n from numbers order by n")
                    .executeQuery();
        }
    }
}
