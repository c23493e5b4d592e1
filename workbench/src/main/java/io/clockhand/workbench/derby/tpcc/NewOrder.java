// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Kind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The New-Order transaction (clause 2.4): five to fifteen lines, one in a hundred ends with an unused item. */
final class NewOrder extends Transaction {
    private static final String WAREHOUSE_TAX = "SELECT w_tax FROM warehouse WHERE w_id = ?";
    private static final String DISTRICT =
            "SELECT d_tax, d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ? FOR UPDATE OF d_next_o_id";
    private static final String NEXT_ORDER = "UPDATE district SET d_next_o_id = ? WHERE d_w_id = ? AND d_id = ?";
    private static final String CUSTOMER =
            "SELECT c_discount, c_last, c_credit FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    private static final String INSERT_ORDER = """
            INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """;
    private static final String INSERT_NEW_ORDER = "INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)";
    private static final String ITEM = "SELECT i_price, i_name, i_data FROM item WHERE i_id = ?";
    private static final List<String> STOCK_OF_DISTRICT = IntStream.rangeClosed(1, 10)
            .mapToObj(district -> String.format(Locale.ROOT, """
                    SELECT s_quantity, s_dist_%02d, s_data FROM stock WHERE s_w_id = ? AND s_i_id = ?
                    FOR UPDATE OF s_quantity, s_ytd, s_order_cnt, s_remote_cnt
                    """, district))
            .toList();
    private static final String UPDATE_STOCK = """
            UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1,
                s_remote_cnt = s_remote_cnt + ?
            WHERE s_w_id = ? AND s_i_id = ?
            """;
    private static final String INSERT_LINE = """
            INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity,
                ol_amount, ol_dist_info)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    /** A line of the order as typed. */
    record Line(int number, int item, int supplyWarehouse, int quantity) {}

    final int warehouse;
    final int district;
    final int customer;
    /** In the order of processing. */
    final List<Line> lines;
    /** O_ID of the order, and its price with taxes and discount. */
    int orderId;

    BigDecimal total = BigDecimal.ZERO;

    NewOrder(int warehouse, int district, int customer, List<Line> lines) {
        super(Kind.NEW_ORDER.jsonName());
        this.warehouse = warehouse;
        this.district = district;
        this.customer = customer;
        this.lines = List.copyOf(lines);
    }

    /**
     * Input data of clause 2.4.1.
     *
     * <p>The lines are processed in the order of their stock rows, so that two orders never wait for each other in a
     * ring; the line with the unused item stays last, since all others must have been processed before it.
     */
    static NewOrder drawn(Inputs inputs, int warehouse) {
        Draw draw = inputs.draw;
        int district = inputs.district();
        int customer = inputs.customer();
        int count = draw.between(5, 15);
        boolean unusedItem = draw.percent(1);
        List<Line> lines = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            int item = inputs.item();
            boolean unused = unusedItem && number == count;
            int supply = draw.percent(1) ? inputs.otherWarehouse(warehouse) : warehouse;
            int quantity = draw.between(1, 10);
            lines.add(new Line(number, unused ? inputs.scale.items() + 1 : item, supply, quantity));
        }
        lines.subList(0, unusedItem ? count - 1 : count)
                .sort(Comparator.comparingInt(Line::supplyWarehouse).thenComparingInt(Line::item));
        return new NewOrder(warehouse, district, customer, lines);
    }

    @Override
    boolean execute(Session session) throws SQLException {
        BigDecimal warehouseTax = (BigDecimal) session.row(WAREHOUSE_TAX, warehouse)[0];
        Object[] taxAndOrder = session.row(DISTRICT, warehouse, district);
        BigDecimal districtTax = (BigDecimal) taxAndOrder[0];
        orderId = (int) taxAndOrder[1];
        session.updateOne(NEXT_ORDER, orderId + 1, warehouse, district);
        BigDecimal discount = (BigDecimal) session.row(CUSTOMER, warehouse, district, customer)[0];
        boolean allLocal = lines.stream().allMatch(line -> line.supplyWarehouse() == warehouse);
        Timestamp now = new Timestamp(System.currentTimeMillis());
        session.updateOne(INSERT_ORDER, orderId, district, warehouse, customer, now, lines.size(), allLocal ? 1 : 0);
        session.updateOne(INSERT_NEW_ORDER, orderId, district, warehouse);

        BigDecimal sum = BigDecimal.ZERO;
        for (Line line : lines) {
            Object[] item = session.rowIfAny(ITEM, line.item());
            if (item == null) {
                return false;
            }
            BigDecimal amount = ((BigDecimal) item[0]).multiply(BigDecimal.valueOf(line.quantity()));
            deliverFromStock(session, line, amount);
            sum = sum.add(amount);
        }
        total = sum.multiply(BigDecimal.ONE.subtract(discount))
                .multiply(BigDecimal.ONE.add(warehouseTax).add(districtTax))
                .setScale(2, RoundingMode.HALF_UP);
        return true;
    }

    @Override
    int operations() {
        return 1;
    }

    private void deliverFromStock(Session session, Line line, BigDecimal amount) throws SQLException {
        Object[] stock = session.row(STOCK_OF_DISTRICT.get(district - 1), line.supplyWarehouse(), line.item());
        int quantity = (int) stock[0];
        int left = quantity >= line.quantity() + 10 ? quantity - line.quantity() : quantity - line.quantity() + 91;
        int remote = line.supplyWarehouse() == warehouse ? 0 : 1;
        session.updateOne(UPDATE_STOCK, left, line.quantity(), remote, line.supplyWarehouse(), line.item());
        session.updateOne(
                INSERT_LINE,
                orderId,
                district,
                warehouse,
                line.number(),
                line.item(),
                line.supplyWarehouse(),
                line.quantity(),
                amount,
                stock[1]);
    }
}
