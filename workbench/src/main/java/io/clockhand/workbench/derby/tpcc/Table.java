// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The nine tables of clause 1.3 with their primary keys and the two indexes the transactions need. */
public enum Table {
    WAREHOUSE("w_id", """
            w_id INT, w_name VARCHAR(10), w_street_1 VARCHAR(20), w_street_2 VARCHAR(20), w_city VARCHAR(20),
            w_state CHAR(2), w_zip CHAR(9), w_tax DECIMAL(4,4), w_ytd DECIMAL(12,2)
            """),
    DISTRICT("d_w_id, d_id", """
            d_id INT, d_w_id INT, d_name VARCHAR(10), d_street_1 VARCHAR(20), d_street_2 VARCHAR(20),
            d_city VARCHAR(20), d_state CHAR(2), d_zip CHAR(9), d_tax DECIMAL(4,4), d_ytd DECIMAL(12,2),
            d_next_o_id INT
            """),
    CUSTOMER("c_w_id, c_d_id, c_id", """
            c_id INT, c_d_id INT, c_w_id INT, c_first VARCHAR(16), c_middle CHAR(2), c_last VARCHAR(16),
            c_street_1 VARCHAR(20), c_street_2 VARCHAR(20), c_city VARCHAR(20), c_state CHAR(2), c_zip CHAR(9),
            c_phone CHAR(16), c_since TIMESTAMP, c_credit CHAR(2), c_credit_lim DECIMAL(12,2),
            c_discount DECIMAL(4,4), c_balance DECIMAL(12,2), c_ytd_payment DECIMAL(12,2), c_payment_cnt INT,
            c_delivery_cnt INT, c_data VARCHAR(500)
            """, "CREATE INDEX customer_name ON customer (c_w_id, c_d_id, c_last, c_first)"),
    HISTORY(null, """
            h_c_id INT, h_c_d_id INT, h_c_w_id INT, h_d_id INT, h_w_id INT, h_date TIMESTAMP, h_amount DECIMAL(6,2),
            h_data VARCHAR(24)
            """),
    ITEM("i_id", "i_id INT, i_im_id INT, i_name VARCHAR(24), i_price DECIMAL(5,2), i_data VARCHAR(50)"),
    STOCK("s_w_id, s_i_id", """
            s_i_id INT, s_w_id INT, s_quantity INT, s_dist_01 CHAR(24), s_dist_02 CHAR(24), s_dist_03 CHAR(24),
            s_dist_04 CHAR(24), s_dist_05 CHAR(24), s_dist_06 CHAR(24), s_dist_07 CHAR(24), s_dist_08 CHAR(24),
            s_dist_09 CHAR(24), s_dist_10 CHAR(24), s_ytd INT, s_order_cnt INT, s_remote_cnt INT, s_data VARCHAR(50)
            """),
    ORDERS(
            "o_w_id, o_d_id, o_id",
            """
            o_id INT, o_d_id INT, o_w_id INT, o_c_id INT, o_entry_d TIMESTAMP, o_carrier_id INT NULL, o_ol_cnt INT,
            o_all_local INT
            """,
            "CREATE UNIQUE INDEX orders_customer ON orders (o_w_id, o_d_id, o_c_id, o_id DESC)"),
    NEW_ORDER("no_w_id, no_d_id, no_o_id", "no_o_id INT, no_d_id INT, no_w_id INT"),
    ORDER_LINE("ol_w_id, ol_d_id, ol_o_id, ol_number", """
            ol_o_id INT, ol_d_id INT, ol_w_id INT, ol_number INT, ol_i_id INT, ol_supply_w_id INT,
            ol_delivery_d TIMESTAMP NULL, ol_quantity INT, ol_amount DECIMAL(6,2), ol_dist_info CHAR(24)
            """);

    private final String primaryKey;
    /** Everything but the carrier and the date of a delivery is NOT NULL. */
    private final String columns;
    /** One more index, or null. */
    private final String index;

    Table(String primaryKey, String columns) {
        this(primaryKey, columns, null);
    }

    Table(String primaryKey, String columns, String index) {
        this.primaryKey = primaryKey;
        this.columns = columns;
        this.index = index;
    }

    /** CREATE TABLE with its primary key, which Derby names {@code TABLE_PK}, and the further indexes. */
    List<String> createStatements() {
        String key = primaryKey == null ? "" : ", CONSTRAINT " + name() + "_PK PRIMARY KEY (" + primaryKey + ")";
        String create = Arrays.stream(columns.strip().split(",\\s+", -1))
                .map(column -> column.endsWith(" NULL") ? column.replace(" NULL", "") : column + " NOT NULL")
                .collect(Collectors.joining(", ", "CREATE TABLE " + name() + " (", key + ")"));
        return index == null ? List.of(create) : List.of(create, index);
    }
}
