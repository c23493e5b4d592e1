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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * The transactions that terminals reported as committed, compared with the content of a database.
 *
 * <p>A receipt is a line for a row that a transaction has left for good: {@code order w d o customer lines},
 * {@code payment w d customer's-w customer's-d customer amount}, {@code delivery w d o}.
 */
public final class Receipts {
    private static final String ORDER = "order";
    private static final String PAYMENT = "payment";
    private static final String DELIVERY = "delivery";

    private final Scale scale;
    /** How often the database holds what a receipt says. */
    private final Map<String, Integer> found = new HashMap<>();

    private final Map<String, Integer> rows = new HashMap<>();
    private final int[] carried;

    private Receipts(Scale scale) {
        this.scale = scale;
        this.carried = new int[scale.allDistricts()];
    }

    /** One for each row that a committed transaction has left; none for one that only reads. */
    public static List<String> of(Transaction committed) {
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
            return delivery.delivered().stream()
                    .map(order -> line(DELIVERY, order.warehouse(), order.district(), order.order()))
                    .toList();
        }
        return List.of();
    }

    /** Whether a line that a child JVM has printed is a receipt. */
    public static boolean isReceipt(String line) {
        return line.startsWith(ORDER) || line.startsWith(PAYMENT) || line.startsWith(DELIVERY);
    }

    private static String line(String kind, Object... values) {
        StringBuilder line = new StringBuilder(kind);
        for (Object value : values) {
            line.append(' ').append(value);
        }
        return line.toString();
    }

    /** Reads a database at rest. */
    public static Receipts read(DataSource database, Scale scale) throws SQLException {
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
                found.merge(line(kind, values), 1, Integer::sum);
                rows.merge(kind, 1, Integer::sum);
                if (kind.equals(DELIVERY)) {
                    carried[(row.getInt(1) - 1) * scale.districts() + row.getInt(2) - 1]++;
                }
            }
        }
    }

    /** How many orders of each district were delivered since the load, as {@code Consistency.of} wants it. */
    public int[] deliveredSinceLoad() {
        int[] delivered = carried.clone();
        for (int district = 0; district < delivered.length; district++) {
            delivered[district] -= scale.firstUndelivered() - 1;
        }
        return delivered;
    }

    /**
     * How the database contradicts what was reported since the load.
     *
     * @param unreported the transactions that may have committed without a report: one for every terminal that was
     *     killed
     */
    public List<String> contradictions(List<String> reported, int unreported) {
        List<String> contradictions = new ArrayList<>();
        Map<String, Integer> left = new HashMap<>(found);
        Map<String, Integer> reports = new HashMap<>();
        for (String receipt : reported) {
            reports.merge(receipt.substring(0, receipt.indexOf(' ')), 1, Integer::sum);
            if (left.merge(receipt, -1, Integer::sum) < 0) {
                contradictions.add("was committed, but is lost: " + receipt);
            }
        }
        int districts = scale.allDistricts();
        bound(ORDER, districts * scale.orders(), reports, unreported, contradictions);
        bound(PAYMENT, districts * scale.customers(), reports, unreported, contradictions);
        int deliveries = unreported * scale.districts();
        bound(DELIVERY, districts * (scale.firstUndelivered() - 1), reports, deliveries, contradictions);
        return contradictions;
    }

    private void bound(
            String kind, int loaded, Map<String, Integer> reports, int unreported, List<String> contradictions) {
        int most = loaded + reports.getOrDefault(kind, 0) + unreported;
        int rowsNow = rows.getOrDefault(kind, 0);
        if (rowsNow > most) {
            contradictions.add(rowsNow + " rows for " + kind + " are more than the " + most + " that can be committed");
        }
    }
}
