// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The twelve consistency conditions of clause 3.3.2, and the stock, of which they say nothing.
 *
 * <p>Twelve joins and groupings inside Derby would sort the order lines several times over; reading every row once and
 * adding up here takes a few seconds per million rows. Money is in cents.
 */
final class Consistency {
    private static final List<String> STOCK_COLUMNS = List.of("S_YTD", "S_ORDER_CNT", "S_REMOTE_CNT");

    /** The content of ORDERS, NEW_ORDER and ORDER_LINE for one order. */
    private static final class Order {
        private boolean exists;
        private boolean isNew;
        private boolean carried;
        private int customer;
        private int announcedLines;
        private int lines;
        private int deliveredLines;
    }

    private final Scale scale;

    // Differences of two sums, by warehouse, by district, and by customer.
    private final long[] warehouseLessDistricts;
    private final long[] warehouseLessHistory;
    private final long[] districtLessHistory;
    private final long[] balanceLessDue;
    private final long[] turnoverLessDelivered;
    /** By column, then by row: what STOCK says of the time since the load, less what the order lines say. */
    private final int[][] stockLessLines;

    private final int[] nextOrderId;
    /** By district, then by O_ID; some numbers may have no order. */
    private final List<List<Order>> orders;
    /** The conditions that do not hold, each with its first violation in words. */
    private final SortedMap<Integer, String> broken = new TreeMap<>();

    private Consistency(Scale scale) {
        this.scale = scale;
        int districts = scale.allDistricts();
        warehouseLessDistricts = new long[scale.warehouses()];
        warehouseLessHistory = new long[scale.warehouses()];
        districtLessHistory = new long[districts];
        balanceLessDue = new long[districts * scale.customers()];
        turnoverLessDelivered = new long[districts * scale.customers()];
        stockLessLines = new int[STOCK_COLUMNS.size()][Math.multiplyExact(scale.warehouses(), scale.items())];
        nextOrderId = new int[districts];
        orders = Stream.<List<Order>>generate(ArrayList::new).limit(districts).toList();
    }

    /**
     * Checks a database that nobody changes meanwhile.
     *
     * @param delivered how many orders the delivery workers reported as delivered since the load, by {@link #district}
     * @return what is wrong with its data, in words
     */
    static List<String> violations(DataSource database, Scale scale, int[] delivered) throws SQLException {
        Consistency check = new Consistency(scale);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            check.readMoney(statement);
            check.readOrders(statement);
            check.readStock(statement);
        }
        for (int warehouse = 0; warehouse < scale.warehouses(); warehouse++) {
            check.warehouse(warehouse);
        }
        for (int district = 0; district < delivered.length; district++) {
            check.district(district, delivered[district]);
        }
        List<String> violations = new ArrayList<>();
        check.broken.forEach((condition, violation) ->
                violations.add("breaks consistency condition " + condition + " in " + violation));
        check.addStock(violations);
        return violations;
    }

    /** The index of a district among all, in the order (1, 1), (1, 2) … (2, 1) … */
    static int district(Scale scale, int warehouse, int district) {
        return (warehouse - 1) * scale.districts() + district - 1;
    }

    // --- the tables --------------------------------------------------------------------------------------------------

    private void readMoney(Statement database) throws SQLException {
        scan(database, "SELECT w_id, w_ytd FROM warehouse", row -> {
            warehouseLessDistricts[row.getInt(1) - 1] += cents(row, 2);
            warehouseLessHistory[row.getInt(1) - 1] += cents(row, 2);
        });
        scan(database, "SELECT d_w_id, d_id, d_ytd, d_next_o_id FROM district", row -> {
            int district = district(row, 1, 2);
            warehouseLessDistricts[row.getInt(1) - 1] -= cents(row, 3);
            districtLessHistory[district] += cents(row, 3);
            nextOrderId[district] = row.getInt(4);
        });
        scan(database, "SELECT c_w_id, c_d_id, c_id, c_balance, c_ytd_payment FROM customer", row -> {
            int customer = customer(district(row, 1, 2), row.getInt(3));
            balanceLessDue[customer] += cents(row, 4);
            turnoverLessDelivered[customer] += cents(row, 4) + cents(row, 5);
        });
        scan(database, "SELECT h_w_id, h_d_id, h_c_w_id, h_c_d_id, h_c_id, h_amount FROM history", row -> {
            warehouseLessHistory[row.getInt(1) - 1] -= cents(row, 6);
            districtLessHistory[district(row, 1, 2)] -= cents(row, 6);
            balanceLessDue[customer(district(row, 3, 4), row.getInt(5))] += cents(row, 6);
        });
    }

    private void readOrders(Statement database) throws SQLException {
        scan(database, "SELECT o_w_id, o_d_id, o_id, o_c_id, o_ol_cnt, o_carrier_id FROM orders", row -> {
            Order order = order(district(row, 1, 2), row.getInt(3));
            order.exists = true;
            order.customer = row.getInt(4);
            order.announcedLines = row.getInt(5);
            order.carried = row.getObject(6) != null;
        });
        scan(
                database,
                "SELECT no_w_id, no_d_id, no_o_id FROM new_order",
                row -> order(district(row, 1, 2), row.getInt(3)).isNew = true);
        String lines = "SELECT ol_w_id, ol_d_id, ol_o_id, ol_delivery_d, ol_amount, ol_supply_w_id, ol_i_id,"
                + " ol_quantity FROM order_line";
        scan(database, lines, row -> {
            int district = district(row, 1, 2);
            Order order = order(district, row.getInt(3));
            order.lines++;
            if (row.getTimestamp(4) != null) {
                order.deliveredLines++;
                if (order.exists) {
                    balanceLessDue[customer(district, order.customer)] -= cents(row, 5);
                    turnoverLessDelivered[customer(district, order.customer)] -= cents(row, 5);
                }
            }
            if (row.getInt(3) > scale.orders()) {
                int supply = row.getInt(6);
                addStock(supply, row.getInt(7), -row.getInt(8), -1, supply == row.getInt(1) ? 0 : -1);
            }
        });
    }

    private void readStock(Statement database) throws SQLException {
        scan(
                database,
                "SELECT s_w_id, s_i_id, s_ytd, s_order_cnt, s_remote_cnt FROM stock",
                row -> addStock(row.getInt(1), row.getInt(2), row.getInt(3), row.getInt(4), row.getInt(5)));
    }

    private void addStock(int warehouse, int item, int... amounts) {
        for (int i = 0; i < amounts.length; i++) {
            stockLessLines[i][(warehouse - 1) * scale.items() + item - 1] += amounts[i];
        }
    }

    private Order order(int district, int id) {
        List<Order> ofDistrict = orders.get(district);
        while (ofDistrict.size() <= id) {
            ofDistrict.add(new Order());
        }
        return ofDistrict.get(id);
    }

    private int district(ResultSet row, int warehouseColumn, int districtColumn) throws SQLException {
        return district(scale, row.getInt(warehouseColumn), row.getInt(districtColumn));
    }

    private int customer(int district, int id) {
        return district * scale.customers() + id - 1;
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
        return row.getBigDecimal(column).unscaledValue().longValueExact();
    }

    // --- the conditions ----------------------------------------------------------------------------------------------

    private void warehouse(int warehouse) {
        String where = "warehouse " + (warehouse + 1);
        expect(1, where, "W_YTD - the sum of D_YTD", warehouseLessDistricts[warehouse], 0);
        expect(8, where, "W_YTD - the sum of H_AMOUNT", warehouseLessHistory[warehouse], 0);
    }

    /** A district whose new orders are all delivered has no NO_O_ID to compare. */
    private void district(int district, int deliveredSinceLoad) {
        String where =
                "warehouse " + (district / scale.districts() + 1) + ", district " + (district % scale.districts() + 1);
        int highest = 0;
        int highestNew = 0;
        int lowestNew = 0;
        int count = 0;
        int newOrders = 0;
        long announced = 0;
        long lines = 0;
        for (int id = 0; id < orders.get(district).size(); id++) {
            Order order = orders.get(district).get(id);
            order(where + ", order " + id, order);
            if (order.exists) {
                highest = id;
                count++;
            }
            if (order.isNew) {
                highestNew = id;
                lowestNew = newOrders == 0 ? id : lowestNew;
                newOrders++;
            }
            announced += order.announcedLines;
            lines += order.lines;
        }
        int last = nextOrderId[district] - 1;
        expect(2, where, "max(O_ID)", highest, last);
        if (newOrders > 0) {
            expect(2, where, "max(NO_O_ID)", highestNew, last);
            expect(3, where, "max(NO_O_ID) - min(NO_O_ID) + 1", highestNew - lowestNew + 1, newOrders);
        }
        expect(4, where, "the number of order lines", lines, announced);
        expect(9, where, "D_YTD - the sum of H_AMOUNT", districtLessHistory[district], 0);
        int delivered = scale.firstUndelivered() - 1 + deliveredSinceLoad;
        expect(11, where, "orders - new orders", count - newOrders, delivered);
        for (int id = 1; id <= scale.customers(); id++) {
            int customer = customer(district, id);
            String who = where + ", customer " + id;
            expect(10, who, "C_BALANCE - OL_AMOUNT delivered + H_AMOUNT", balanceLessDue[customer], 0);
            expect(12, who, "C_BALANCE + C_YTD_PAYMENT - OL_AMOUNT delivered", turnoverLessDelivered[customer], 0);
        }
    }

    private void order(String where, Order order) {
        boolean undelivered = order.exists && !order.carried;
        expect(5, where, "the number of rows in NEW_ORDER", order.isNew ? 1 : 0, undelivered ? 1 : 0);
        expect(6, where, "the number of lines", order.lines, order.announcedLines);
        expect(
                7,
                where,
                "the number of lines with OL_DELIVERY_D",
                order.deliveredLines,
                order.carried ? order.lines : 0);
    }

    private void expect(int condition, String where, String figure, long value, long expected) {
        if (value != expected) {
            broken.putIfAbsent(condition, where + ": " + figure + " is " + value + ", not " + expected);
        }
    }

    /** The columns are 0 after the load, and every line since adds to them; adds the first that does not. */
    private void addStock(List<String> violations) {
        for (int i = 0; i < STOCK_COLUMNS.size(); i++) {
            for (int row = 0; row < stockLessLines[i].length; row++) {
                if (stockLessLines[i][row] != 0) {
                    violations.add("holds a wrong stock in warehouse " + (row / scale.items() + 1) + ", item "
                            + (row % scale.items() + 1) + ": " + STOCK_COLUMNS.get(i)
                            + " and the order lines since the load differ by " + stockLessLines[i][row]);
                    return;
                }
            }
        }
    }

    // --- indexes -----------------------------------------------------------------------------------------------------

    /** Derby's own check that every index agrees with its table, of which no condition says anything. */
    static List<String> brokenIndexes(DataSource database) throws SQLException {
        List<String> broken = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (Table table : Table.values()) {
                String sql = "VALUES SYSCS_UTIL.SYSCS_CHECK_TABLE('APP', '" + table.name() + "')";
                try (ResultSet verdict = statement.executeQuery(sql)) {
                    verdict.next();
                } catch (SQLException e) {
                    broken.add("SYSCS_CHECK_TABLE finds " + table.name() + " and its indexes inconsistent: "
                            + Failures.sentence(e));
                }
            }
        }
        return broken;
    }
}
