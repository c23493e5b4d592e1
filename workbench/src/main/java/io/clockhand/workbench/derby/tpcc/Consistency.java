// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.Ledger.Order;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.sql.DataSource;

/** The twelve consistency conditions of clause 3.3.2, and the stock, of which they say nothing. */
public final class Consistency {
    /** Whose indexes are checked. */
    private static final int MOST_WAREHOUSES = 2;

    private final Scale scale;
    private final Ledger ledger;
    private final SortedMap<Integer, String> broken = new TreeMap<>();

    /**
     * The findings.
     *
     * @param broken the conditions that do not hold, each with its first violation in words; empty if all hold
     * @param stock how the stock contradicts the order lines, or null if it does not
     */
    public record Verdict(SortedMap<Integer, String> broken, String stock) {}

    private Consistency(Scale scale, Ledger ledger) {
        this.scale = scale;
        this.ledger = ledger;
    }

    /**
     * Checks a database at rest.
     *
     * @param delivered how many orders the delivery workers reported as delivered since the load, by district in the
     *     order (1, 1), (1, 2) … (2, 1) …
     */
    public static Verdict of(DataSource database, Scale scale, int[] delivered) throws SQLException {
        Consistency check = new Consistency(scale, Ledger.read(database, scale));
        for (int warehouse = 1; warehouse <= scale.warehouses(); warehouse++) {
            check.warehouse(warehouse);
            for (int district = 1; district <= scale.districts(); district++) {
                check.district(warehouse, district, delivered[check.ledger.district(warehouse, district)]);
                check.customers(warehouse, district);
            }
        }
        return new Verdict(check.broken, check.stock());
    }

    /** The same as {@code tpcc.json} has it: "1": true … "12": true. */
    static SortedMap<Integer, Boolean> asFlags(Map<Integer, String> broken) {
        SortedMap<Integer, Boolean> flags = new TreeMap<>();
        for (int condition = 1; condition <= 12; condition++) {
            flags.put(condition, !broken.containsKey(condition));
        }
        return flags;
    }

    /** Conditions 1 and 8. */
    private void warehouse(int warehouse) {
        long ytd = ledger.warehouseYtd[warehouse - 1];
        long districts = 0;
        for (int district = 1; district <= scale.districts(); district++) {
            districts += ledger.districtYtd[ledger.district(warehouse, district)];
        }
        String where = "warehouse " + warehouse;
        equal(1, where, "W_YTD in cents", ytd, "its districts' D_YTD", districts);
        equal(8, where, "W_YTD in cents", ytd, "the sum of H_AMOUNT", ledger.historyOfWarehouse[warehouse - 1]);
    }

    /** Conditions 2, 3, 4, 9 and 11; a district whose new orders are all delivered has no NO_O_ID to compare. */
    private void district(int warehouse, int district, int deliveredSinceLoad) {
        String where = where(warehouse, district);
        int index = ledger.district(warehouse, district);
        List<Order> orders = ledger.orders.get(index);
        int highest = 0;
        int highestNew = 0;
        int lowestNew = 0;
        int count = 0;
        int newOrders = 0;
        long announced = 0;
        long lines = 0;
        for (int id = 0; id < orders.size(); id++) {
            Order order = orders.get(id);
            order(where + ", order " + id, order);
            if (order.exists) {
                highest = id;
                count++;
                announced += order.announcedLines;
            }
            if (order.isNew) {
                highestNew = id;
                lowestNew = newOrders == 0 ? id : lowestNew;
                newOrders++;
            }
            lines += order.lines;
        }
        int last = ledger.nextOrderId[index] - 1;
        equal(2, where, "D_NEXT_O_ID - 1", last, "max(O_ID)", highest);
        if (newOrders > 0) {
            equal(2, where, "D_NEXT_O_ID - 1", last, "max(NO_O_ID)", highestNew);
            int span = highestNew - lowestNew + 1;
            equal(3, where, "max(NO_O_ID) - min(NO_O_ID) + 1", span, "the number of new orders", newOrders);
        }
        equal(4, where, "the sum of O_OL_CNT", announced, "the number of order lines", lines);
        long ytd = ledger.districtYtd[index];
        equal(9, where, "D_YTD in cents", ytd, "the sum of H_AMOUNT", ledger.historyOfDistrict[index]);
        int delivered = scale.firstUndelivered() - 1 + deliveredSinceLoad;
        equal(11, where, "orders - new orders", count - newOrders, "orders delivered by the load and since", delivered);
    }

    /** Conditions 5, 6 and 7. */
    private void order(String where, Order order) {
        if (!order.exists) {
            hold(5, !order.isNew, where, "is in NEW_ORDER but not in ORDERS");
            return;
        }
        hold(5, order.carried != order.isNew, where, order.carried ? "is new and has a carrier" : "has neither");
        equal(6, where, "O_OL_CNT", order.announcedLines, "the number of its lines", order.lines);
        int expected = order.carried ? order.lines : 0;
        equal(7, where, "lines with OL_DELIVERY_D", order.deliveredLines, "lines of a carried order", expected);
    }

    /** Conditions 10 and 12. */
    private void customers(int warehouse, int district) {
        long[] delivered = new long[scale.customers() + 1];
        for (Order order : ledger.orders.get(ledger.district(warehouse, district))) {
            delivered[order.customer] += order.deliveredCents;
        }
        for (int id = 1; id <= scale.customers(); id++) {
            int customer = ledger.customer(warehouse, district, id);
            long balance = ledger.customerBalance[customer];
            String where = where(warehouse, district) + ", customer " + id;
            long due = delivered[id] - ledger.historyOfCustomer[customer];
            equal(10, where, "C_BALANCE in cents", balance, "OL_AMOUNT delivered - H_AMOUNT", due);
            long turnover = balance + ledger.customerYtdPayment[customer];
            equal(12, where, "C_BALANCE + C_YTD_PAYMENT in cents", turnover, "OL_AMOUNT delivered", delivered[id]);
        }
    }

    /** S_YTD, S_ORDER_CNT and S_REMOTE_CNT are 0 after the load, and every line since adds to them. */
    private String stock() {
        List<String> columns = List.of("S_YTD", "S_ORDER_CNT", "S_REMOTE_CNT");
        for (int i = 0; i < columns.size(); i++) {
            int[] differences = ledger.stockDifference[i];
            for (int row = 0; row < differences.length; row++) {
                if (differences[row] != 0) {
                    return "warehouse " + (row / scale.items() + 1) + ", item " + (row % scale.items() + 1) + ": "
                            + columns.get(i) + " and the order lines since the load differ by " + differences[row];
                }
            }
        }
        return null;
    }

    private static String where(int warehouse, int district) {
        return "warehouse " + warehouse + ", district " + district;
    }

    private void equal(int condition, String where, String left, long leftValue, String right, long rightValue) {
        if (leftValue != rightValue) {
            hold(condition, false, where, left + " is " + leftValue + ", " + right + " " + rightValue);
        }
    }

    private void hold(int condition, boolean holds, String where, String violation) {
        if (!holds) {
            broken.putIfAbsent(condition, where + ": " + violation);
        }
    }

    /** Whether Derby's own check of the indexes of a database, some six seconds a warehouse, is affordable. */
    static boolean areIndexesChecked(int warehouses) {
        return warehouses <= MOST_WAREHOUSES;
    }

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
