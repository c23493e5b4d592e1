// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Scale;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
    final OrderBook[] books;
    /** H_AMOUNT by the warehouse and by the district that was paid, and by the paying customer. */
    final long[] historyOfWarehouse;

    final long[] historyOfDistrict;
    final long[] historyOfCustomer;
    final long[] customerBalance;
    final long[] customerYtdPayment;
    /** The quantities taken since the load according to STOCK, and according to the order lines. */
    final StockBook stock;

    final StockBook stockOfLines;

    private Ledger(Scale scale) {
        this.scale = scale;
        warehouseYtd = new long[scale.warehouses()];
        historyOfWarehouse = new long[scale.warehouses()];
        districtYtd = new long[scale.allDistricts()];
        historyOfDistrict = new long[scale.allDistricts()];
        nextOrderId = new int[scale.allDistricts()];
        books = IntStream.range(0, scale.allDistricts())
                .mapToObj(district -> new OrderBook())
                .toArray(OrderBook[]::new);
        int customers = scale.allDistricts() * scale.customers();
        historyOfCustomer = new long[customers];
        customerBalance = new long[customers];
        customerYtdPayment = new long[customers];
        stock = new StockBook(scale);
        stockOfLines = new StockBook(scale);
    }

    /** Reads a database that nobody changes meanwhile; the order lines in a thread of their own. */
    static Ledger read(DataSource database, Scale scale) throws SQLException {
        Ledger ledger = new Ledger(scale);
        CompletableFuture<Void> lines = CompletableFuture.runAsync(() -> {
            try {
                ledger.readOrderLines(database);
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
        try {
            ledger.readMoney(database);
            ledger.readOrders(database);
            ledger.readStock(database);
        } finally {
            lines.exceptionally(failure -> null).join();
        }
        try {
            lines.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e.getCause());
        }
        return ledger;
    }

    int district(int warehouse, int district) {
        return (warehouse - 1) * scale.districts() + district - 1;
    }

    int customer(int warehouse, int district, int customer) {
        return district(warehouse, district) * scale.customers() + customer - 1;
    }

    private void readMoney(DataSource database) throws SQLException {
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

    private void readOrders(DataSource database) throws SQLException {
        scan(database, "SELECT o_w_id, o_d_id, o_id, o_c_id, o_carrier_id, o_ol_cnt FROM orders", row -> {
            OrderBook book = books[district(row.getInt(1), row.getInt(2))];
            row.getInt(5);
            boolean carried = !row.wasNull();
            book.addOrder(row.getInt(3), row.getInt(4), carried, row.getInt(6));
        });
        scan(
                database,
                "SELECT no_w_id, no_d_id, no_o_id FROM new_order",
                row -> books[district(row.getInt(1), row.getInt(2))].addNewOrder(row.getInt(3)));
    }

    private void readStock(DataSource database) throws SQLException {
        scan(
                database,
                "SELECT s_w_id, s_i_id, s_ytd, s_order_cnt, s_remote_cnt FROM stock",
                row -> stock.add(row.getInt(1), row.getInt(2), row.getInt(3), row.getInt(4), row.getInt(5)));
    }

    /** Touches other fields of the books than {@link #readOrders}, so that both may run at the same time. */
    private void readOrderLines(DataSource database) throws SQLException {
        String sql = "SELECT ol_w_id, ol_d_id, ol_o_id, ol_delivery_d, ol_amount, ol_supply_w_id, ol_i_id, ol_quantity"
                + " FROM order_line";
        scan(database, sql, row -> {
            int warehouse = row.getInt(1);
            OrderBook book = books[district(warehouse, row.getInt(2))];
            int order = row.getInt(3);
            boolean delivered = row.getTimestamp(4) != null;
            book.addLine(order, delivered, delivered ? cents(row, 5) : 0);
            if (order > scale.orders()) {
                int supply = row.getInt(6);
                stockOfLines.add(supply, row.getInt(7), row.getInt(8), 1, supply == warehouse ? 0 : 1);
            }
        });
    }

    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    /** Reads the heap from front to back: the hint keeps Derby from walking an index. */
    private static void scan(DataSource database, String sql, RowReader reader) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql + " --DERBY-PROPERTIES index=null\n")) {
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

    /** How much of each warehouse's stock of each item was taken since the load: pieces, order lines, remote lines. */
    static final class StockBook {
        /*
         * One word for each row of STOCK, to which every line adds
         *
         *     pieces        lines      remote lines
         *     63 ... 32     31 ... 16  15 ... 0
         *
         * A field that overflows carries into the next one whatever the order of the additions: two books with the same
         * additions are equal in any case, and only the description of a difference may then be wrong.
         */
        private static final int PIECES_SHIFT = 32;
        private static final int LINES_SHIFT = 16;
        private static final int FIELD_MASK = 0b1111_1111_1111_1111;

        private final int items;
        private final long[] taken;

        StockBook(Scale scale) {
            items = scale.items();
            taken = new long[Math.multiplyExact(scale.warehouses(), items)];
        }

        void add(int warehouse, int item, int pieces, int lines, int remoteLines) {
            taken[index(warehouse, item)] +=
                    ((long) pieces << PIECES_SHIFT) + ((long) lines << LINES_SHIFT) + remoteLines;
        }

        boolean agrees(StockBook other, int warehouse, int item) {
            return taken[index(warehouse, item)] == other.taken[index(warehouse, item)];
        }

        String describe(int warehouse, int item) {
            long word = taken[index(warehouse, item)];
            return (word >> PIECES_SHIFT) + " pieces in " + (word >> LINES_SHIFT & FIELD_MASK) + " lines, "
                    + (word & FIELD_MASK) + " of them remote";
        }

        private int index(int warehouse, int item) {
            return (warehouse - 1) * items + item - 1;
        }
    }

    /** One district's orders, as ORDERS, NEW_ORDER and ORDER_LINE tell of them, by order number. */
    static final class OrderBook {
        private static final int ABSENT = -1;

        /** O_OL_CNT and O_C_ID; {@link #ABSENT} where ORDERS has no such row. */
        int[] announcedLines = {};

        int[] customer = {};
        boolean[] carried = {};
        private boolean[] isNew = {};

        /** From ORDER_LINE: rows, rows with a delivery date, and the sum of the amounts of the latter in cents. */
        private int[] lines = {};

        private int[] deliveredLines = {};
        private long[] deliveredCents = {};

        int orders;
        int newOrders;
        int lowestNew = Integer.MAX_VALUE;
        int highestNew;
        int highestOrder;

        void addOrder(int id, int orderCustomer, boolean hasCarrier, int lineCount) {
            if (id >= announcedLines.length) {
                int grown = grown(id);
                int old = announcedLines.length;
                announcedLines = Arrays.copyOf(announcedLines, grown);
                Arrays.fill(announcedLines, old, grown, ABSENT);
                customer = Arrays.copyOf(customer, grown);
                carried = Arrays.copyOf(carried, grown);
            }
            announcedLines[id] = lineCount;
            customer[id] = orderCustomer;
            carried[id] = hasCarrier;
            highestOrder = Math.max(highestOrder, id);
            orders++;
        }

        void addNewOrder(int id) {
            if (id >= isNew.length) {
                isNew = Arrays.copyOf(isNew, grown(id));
            }
            isNew[id] = true;
            lowestNew = Math.min(lowestNew, id);
            highestNew = Math.max(highestNew, id);
            newOrders++;
        }

        void addLine(int id, boolean delivered, long cents) {
            if (id >= lines.length) {
                int grown = grown(id);
                lines = Arrays.copyOf(lines, grown);
                deliveredLines = Arrays.copyOf(deliveredLines, grown);
                deliveredCents = Arrays.copyOf(deliveredCents, grown);
            }
            lines[id]++;
            if (delivered) {
                deliveredLines[id]++;
                deliveredCents[id] += cents;
            }
        }

        private static int grown(int id) {
            return Math.max(4096, id + (id >> 1) + 1);
        }

        /** The highest order number that any of the three tables mentions may be just below this. */
        int bound() {
            return Math.max(announcedLines.length, Math.max(isNew.length, lines.length));
        }

        boolean hasOrder(int id) {
            return id < announcedLines.length && announcedLines[id] != ABSENT;
        }

        boolean isNew(int id) {
            return id < isNew.length && isNew[id];
        }

        int lines(int id) {
            return id < lines.length ? lines[id] : 0;
        }

        int deliveredLines(int id) {
            return id < lines.length ? deliveredLines[id] : 0;
        }

        long deliveredCents(int id) {
            return id < lines.length ? deliveredCents[id] : 0;
        }
    }
}
