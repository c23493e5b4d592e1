// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.derby.tpcc.Inputs.CustomerChoice;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The transactions that terminals reported as committed, compared with the content of a database.
 *
 * <p>A receipt is a line for a row that a transaction has left for good: {@code order w d o customer lines},
 * {@code payment w d customer's-w customer's-d customer amount}, {@code delivery w d o}.
 */
final class Receipts {
    private static final String ORDER = "order";
    private static final String PAYMENT = "payment";
    private static final String DELIVERY = "delivery";

    private final Scale scale;
    /** What receipts would say of the rows that the database holds, those of the load included. */
    private final List<String> rows = new ArrayList<>();

    private final int[] delivered;

    private Receipts(Scale scale) {
        this.scale = scale;
        delivered = new int[scale.allDistricts()];
        Arrays.fill(delivered, 1 - scale.firstUndelivered());
    }

    /** One for each row that a committed transaction has left; none for one that only reads. */
    static List<String> of(Transaction committed) {
        if (committed instanceof NewOrder order) {
            int lines = order.lines.size();
            return List.of(line(ORDER, order.warehouse, order.district, order.orderId, order.customer, lines));
        }
        if (committed instanceof Payment payment) {
            CustomerChoice choice = payment.choice;
            return List.of(line(
                    PAYMENT,
                    payment.warehouse,
                    payment.district,
                    choice.warehouse(),
                    choice.district(),
                    payment.customer,
                    payment.amount));
        }
        if (committed instanceof Delivery delivery) {
            return delivery.delivered.stream()
                    .map(order -> line(DELIVERY, order.warehouse(), order.district(), order.order()))
                    .toList();
        }
        return List.of();
    }

    private static String line(String kind, Object... values) {
        return kind + " " + Stream.of(values).map(String::valueOf).collect(Collectors.joining(" "));
    }

    /** Reads a database at rest. */
    static Receipts read(DataSource database, Scale scale) throws SQLException {
        Receipts receipts = new Receipts(scale);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            String orders = " FROM orders --DERBY-PROPERTIES index=null\n";
            receipts.read(ORDER, statement, "SELECT o_w_id, o_d_id, o_id, o_c_id, o_ol_cnt" + orders);
            receipts.read(
                    DELIVERY, statement, "SELECT o_w_id, o_d_id, o_id" + orders + "WHERE o_carrier_id IS NOT NULL");
            receipts.read(
                    PAYMENT, statement, "SELECT h_w_id, h_d_id, h_c_w_id, h_c_d_id, h_c_id, h_amount FROM history");
        }
        return receipts;
    }

    private void read(String kind, Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                Object[] values = new Object[row.getMetaData().getColumnCount()];
                for (int i = 0; i < values.length; i++) {
                    values[i] = row.getObject(i + 1);
                }
                rows.add(line(kind, values));
                if (kind.equals(DELIVERY)) {
                    delivered[Consistency.district(scale, row.getInt(1), row.getInt(2))]++;
                }
            }
        }
    }

    /** How many orders of each district were delivered since the load, by {@link Consistency#district}. */
    int[] deliveredSinceLoad() {
        return delivered;
    }

    /**
     * How the database contradicts what was reported since the load.
     *
     * @param unreported the transactions that may have committed without a report: one for every terminal that was
     *     killed
     */
    List<String> contradictions(List<String> reported, int unreported) {
        List<String> contradictions = new ArrayList<>();
        Map<String, Integer> left = new HashMap<>();
        rows.forEach(row -> left.merge(row, 1, Integer::sum));
        for (String receipt : reported) {
            if (left.merge(receipt, -1, Integer::sum) < 0) {
                contradictions.add("was committed, but is lost: " + receipt);
            }
        }
        int districts = scale.allDistricts();
        Map.of(
                        ORDER, districts * scale.orders() + unreported,
                        PAYMENT, districts * scale.customers() + unreported,
                        DELIVERY, districts * (scale.firstUndelivered() - 1) + unreported * scale.districts())
                .forEach((kind, most) -> {
                    if (count(rows, kind) > most + count(reported, kind)) {
                        contradictions.add("has more rows for " + kind + " than can be committed");
                    }
                });
        return contradictions;
    }

    private static long count(Collection<String> lines, String kind) {
        return lines.stream().filter(line -> line.startsWith(kind)).count();
    }
}
