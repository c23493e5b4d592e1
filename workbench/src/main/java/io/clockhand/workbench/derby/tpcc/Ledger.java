// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Scale;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * The sums in the tables, read in one pass over each of them.
 *
 * <p>Twelve joins and groupings inside Derby would sort the order lines several times over; reading every row once
 * and adding up here takes a few seconds per million rows. Money is in cents.
 */
final class Ledger {
    private final Scale scale;
    final long[] warehouseYtd;
    final long[] districtYtd;
    final int[] nextOrderId;
    /** By district, then by O_ID; some numbers may have no order. */
    final List<List<Order>> orders;
    /** H_AMOUNT by the warehouse and by the district that was paid, and by the paying customer. */
    final long[] historyOfWarehouse;

    final long[] historyOfDistrict;
    final long[] historyOfCustomer;
    final long[] customerBalance;
    final long[] customerYtdPayment;

    /**
     * By warehouse and item, what the order lines since the load have taken from the stock, less what STOCK says of
     * it: pieces, lines, and lines of other warehouses.
     */
    final int[][] stockDifference;

    /** What ORDERS, NEW_ORDER and ORDER_LINE tell of an order. */
    static final class Order {
        /** Whether ORDERS has it, and whether NEW_ORDER has. */
        boolean exists;

        boolean isNew;
        boolean carried;
        int customer;
        int announcedLines;
        /** The rows of ORDER_LINE, those with a delivery date, and the sum of the amounts of the latter. */
        int lines;

        int deliveredLines;
        long deliveredCents;
    }

    private Ledger(Scale scale) {
        this.scale = scale;
        warehouseYtd = new long[scale.warehouses()];
        historyOfWarehouse = new long[scale.warehouses()];
        districtYtd = new long[scale.allDistricts()];
        historyOfDistrict = new long[scale.allDistricts()];
        nextOrderId = new int[scale.allDistricts()];
        orders = IntStream.range(0, scale.allDistricts())
                .<List<Order>>mapToObj(district -> new ArrayList<>())
                .toList();
        int customers = scale.allDistricts() * scale.customers();
        historyOfCustomer = new long[customers];
        customerBalance = new long[customers];
        customerYtdPayment = new long[customers];
        stockDifference = new int[3][Math.multiplyExact(scale.warehouses(), scale.items())];
    }

    /** Reads a database that nobody changes meanwhile. */
    static Ledger read(DataSource database, Scale scale) throws SQLException {
        Ledger ledger = new Ledger(scale);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            ledger.readMoney(statement);
            ledger.readOrders(statement);
            ledger.readStock(statement);
        }
        return ledger;
    }

    int district(int warehouse, int district) {
        return (warehouse - 1) * scale.districts() + district - 1;
    }

    int customer(int warehouse, int district, int customer) {
        return district(warehouse, district) * scale.customers() + customer - 1;
    }

    private Order order(int warehouse, int district, int id) {
        List<Order> ofDistrict = orders.get(district(warehouse, district));
        while (ofDistrict.size() <= id) {
            ofDistrict.add(new Order());
        }
        return ofDistrict.get(id);
    }

    private void readMoney(Statement database) throws SQLException {
        scan(database, "SELECT w_id, w_ytd FROM warehouse", row -> warehouseYtd[row.getInt(1) - 1] = cents(row, 2));
        scan(database, "SELECT d_w_id, d_id, d_ytd, d_next_o_id FROM district", row -> {
            int district = district(row.getInt(1), row.getInt(2));
            districtYtd[district] = cents(row, 3);
            nextOrderId[district] = row.getInt(4);
        });
        scan(database, "SELECT c_w_id, c_d_id, c_id, c_balance, c_ytd_payment FROM customer", row -> {
            int customer = customer(row.getInt(1), row.getInt(2), row.getInt(3));
            customerBalance[customer] = cents(row, 4);
            customerYtdPayment[customer] = cents(row, 5);
        });
        scan(database, "SELECT h_w_id, h_d_id, h_c_w_id, h_c_d_id, h_c_id, h_amount FROM history", row -> {
            long amount = cents(row, 6);
            historyOfWarehouse[row.getInt(1) - 1] += amount;
            historyOfDistrict[district(row.getInt(1), row.getInt(2))] += amount;
            historyOfCustomer[customer(row.getInt(3), row.getInt(4), row.getInt(5))] += amount;
        });
    }

    private void readOrders(Statement database) throws SQLException {
        scan(database, "SELECT o_w_id, o_d_id, o_id, o_c_id, o_ol_cnt, o_carrier_id FROM orders", row -> {
            Order order = order(row.getInt(1), row.getInt(2), row.getInt(3));
            order.exists = true;
            order.customer = row.getInt(4);
            order.announcedLines = row.getInt(5);
            order.carried = row.getObject(6) != null;
        });
        scan(
                database,
                "SELECT no_w_id, no_d_id, no_o_id FROM new_order",
                row -> order(row.getInt(1), row.getInt(2), row.getInt(3)).isNew = true);
        String lines = "SELECT ol_w_id, ol_d_id, ol_o_id, ol_delivery_d, ol_amount, ol_supply_w_id, ol_i_id,"
                + " ol_quantity FROM order_line";
        scan(database, lines, row -> {
            int warehouse = row.getInt(1);
            int id = row.getInt(3);
            Order order = order(warehouse, row.getInt(2), id);
            order.lines++;
            if (row.getTimestamp(4) != null) {
                order.deliveredLines++;
                order.deliveredCents += cents(row, 5);
            }
            if (id > scale.orders()) {
                int supply = row.getInt(6);
                addStock(supply, row.getInt(7), row.getInt(8), 1, supply == warehouse ? 0 : 1);
            }
        });
    }

    private void readStock(Statement database) throws SQLException {
        scan(
                database,
                "SELECT s_w_id, s_i_id, s_ytd, s_order_cnt, s_remote_cnt FROM stock",
                row -> addStock(row.getInt(1), row.getInt(2), -row.getInt(3), -row.getInt(4), -row.getInt(5)));
    }

    private void addStock(int warehouse, int item, int pieces, int lines, int remoteLines) {
        int index = (warehouse - 1) * scale.items() + item - 1;
        stockDifference[0][index] += pieces;
        stockDifference[1][index] += lines;
        stockDifference[2][index] += remoteLines;
    }

    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    /** Reads the heap from front to back: the hint keeps Derby from walking an index. */
    private static void scan(Statement database, String sql, RowReader reader) throws SQLException {
        try (ResultSet rows = database.executeQuery(sql + " --DERBY-PROPERTIES index=null\n")) {
            while (rows.next()) {
                reader.read(rows);
            }
        }
    }

    /** Every amount of TPC-C has two decimals. */
    private static long cents(ResultSet row, int column) throws SQLException {
        BigDecimal amount = row.getBigDecimal(column);
        return amount.unscaledValue().longValueExact();
    }
}
