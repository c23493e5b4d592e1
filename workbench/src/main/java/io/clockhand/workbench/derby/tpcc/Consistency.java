// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.Ledger.OrderBook;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.math.BigDecimal;
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
    static final int CONDITIONS = 12;

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
                check.orders(warehouse, district);
                check.customers(warehouse, district);
            }
        }
        return new Verdict(check.broken, check.stock());
    }

    /** The same as {@code tpcc.json} has it: "1": true … "12": true. */
    public static SortedMap<Integer, Boolean> asFlags(Map<Integer, String> broken) {
        SortedMap<Integer, Boolean> flags = new TreeMap<>();
        for (int condition = 1; condition <= CONDITIONS; condition++) {
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
        money(1, where, "W_YTD", ytd, "its districts' D_YTD", districts);
        money(8, where, "W_YTD", ytd, "the sum of H_AMOUNT", ledger.historyOfWarehouse[warehouse - 1]);
    }

    /** Conditions 2, 3, 9 and 11; a district whose new orders are all delivered has no NO_O_ID to compare. */
    private void district(int warehouse, int district, int deliveredSinceLoad) {
        int index = ledger.district(warehouse, district);
        OrderBook book = ledger.books[index];
        String where = where(warehouse, district);
        count(2, where, "D_NEXT_O_ID - 1", ledger.nextOrderId[index] - 1, "max(O_ID)", book.highestOrder);
        if (book.newOrders > 0) {
            count(2, where, "D_NEXT_O_ID - 1", ledger.nextOrderId[index] - 1, "max(NO_O_ID)", book.highestNew);
            int span = book.highestNew - book.lowestNew + 1;
            count(3, where, "max(NO_O_ID) - min(NO_O_ID) + 1", span, "the number of new orders", book.newOrders);
        }
        money(9, where, "D_YTD", ledger.districtYtd[index], "the sum of H_AMOUNT", ledger.historyOfDistrict[index]);
        count(
                11,
                where,
                "orders - new orders",
                book.orders - book.newOrders,
                "orders delivered by the load and since",
                scale.firstUndelivered() - 1 + deliveredSinceLoad);
    }

    /** Conditions 4, 5, 6 and 7. */
    private void orders(int warehouse, int district) {
        OrderBook book = ledger.books[ledger.district(warehouse, district)];
        String where = where(warehouse, district);
        long announced = 0;
        long present = 0;
        for (int id = 0; id < book.bound(); id++) {
            present += book.lines(id);
            String order = where + ", order " + id;
            if (!book.hasOrder(id)) {
                hold(5, !book.isNew(id), order, "is in NEW_ORDER but not in ORDERS");
                continue;
            }
            announced += book.announcedLines[id];
            boolean carried = book.carried[id];
            hold(5, carried != book.isNew(id), order, carried ? "is new and has a carrier" : "has neither");
            count(6, order, "O_OL_CNT", book.announcedLines[id], "the number of its lines", book.lines(id));
            int expected = carried ? book.lines(id) : 0;
            count(7, order, "lines with OL_DELIVERY_D", book.deliveredLines(id), "lines of a carried order", expected);
        }
        count(4, where, "the sum of O_OL_CNT", announced, "the number of order lines", present);
    }

    /** Conditions 10 and 12. */
    private void customers(int warehouse, int district) {
        OrderBook book = ledger.books[ledger.district(warehouse, district)];
        long[] delivered = new long[scale.customers() + 1];
        for (int id = 0; id < book.bound(); id++) {
            if (book.hasOrder(id)) {
                delivered[book.customer[id]] += book.deliveredCents(id);
            }
        }
        for (int id = 1; id <= scale.customers(); id++) {
            int customer = ledger.customer(warehouse, district, id);
            long balance = ledger.customerBalance[customer];
            String where = where(warehouse, district) + ", customer " + id;
            long due = delivered[id] - ledger.historyOfCustomer[customer];
            money(10, where, "C_BALANCE", balance, "OL_AMOUNT delivered - H_AMOUNT", due);
            long turnover = balance + ledger.customerYtdPayment[customer];
            money(12, where, "C_BALANCE + C_YTD_PAYMENT", turnover, "OL_AMOUNT delivered", delivered[id]);
        }
    }

    /** S_YTD, S_ORDER_CNT and S_REMOTE_CNT are 0 after the load, and every line since adds to them. */
    private String stock() {
        for (int warehouse = 1; warehouse <= scale.warehouses(); warehouse++) {
            for (int item = 1; item <= scale.items(); item++) {
                if (!ledger.stock.agrees(ledger.stockOfLines, warehouse, item)) {
                    return "warehouse " + warehouse + ", item " + item
                            + ": S_YTD, S_ORDER_CNT and S_REMOTE_CNT say " + ledger.stock.describe(warehouse, item)
                            + ", the order lines since the load " + ledger.stockOfLines.describe(warehouse, item);
                }
            }
        }
        return null;
    }

    private static String where(int warehouse, int district) {
        return "warehouse " + warehouse + ", district " + district;
    }

    private void money(int condition, String where, String left, long leftCents, String right, long rightCents) {
        if (leftCents != rightCents) {
            hold(condition, false, where, compared(left, amount(leftCents), right, amount(rightCents)));
        }
    }

    private void count(int condition, String where, String left, long leftCount, String right, long rightCount) {
        if (leftCount != rightCount) {
            hold(condition, false, where, compared(left, "" + leftCount, right, "" + rightCount));
        }
    }

    private static String compared(String left, String leftValue, String right, String rightValue) {
        return left + " is " + leftValue + ", " + right + " " + rightValue;
    }

    private static String amount(long cents) {
        return BigDecimal.valueOf(cents, 2).toPlainString();
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
