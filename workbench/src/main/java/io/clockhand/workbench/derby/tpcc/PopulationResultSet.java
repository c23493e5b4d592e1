// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import io.clockhand.workbench.workload.tpcc.Draw;
import io.clockhand.workbench.workload.tpcc.Draw.NonUniformConstants;
import io.clockhand.workbench.workload.tpcc.Scale;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.Iterator;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.derby.vti.VTITemplate;

/** The rows of one table as a virtual table of Derby, so that its bulk insert can read them. */
public final class PopulationResultSet extends VTITemplate {
    private final Table table;
    private final Iterator<Object[]> rows;
    private Object[] row = {};
    private boolean lastWasNull;

    /** Called by Derby, with the last argument of SYSCS_BULK_INSERT as {@code scale}. */
    public PopulationResultSet(String schema, String table, String scale) {
        this.table = Table.valueOf(table);
        this.rows = new Population(Scale.parse(scale)).rows(this.table);
    }

    @Override
    public boolean next() {
        boolean hasNext = rows.hasNext();
        row = hasNext ? rows.next() : row;
        return hasNext;
    }

    @Override
    public int getInt(int column) {
        Integer value = (Integer) at(column);
        return value == null ? 0 : value;
    }

    @Override
    public String getString(int column) {
        return (String) at(column);
    }

    @Override
    public BigDecimal getBigDecimal(int column) {
        return (BigDecimal) at(column);
    }

    @Override
    public Timestamp getTimestamp(int column) {
        return (Timestamp) at(column);
    }

    private Object at(int column) {
        Object value = row[column - 1];
        lastWasNull = value == null;
        return value;
    }

    @Override
    public boolean wasNull() {
        return lastWasNull;
    }

    @Override
    public void close() {}

    /** Those of the table to be filled. */
    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:default:connection");
                PreparedStatement all = connection.prepareStatement("SELECT * FROM " + table)) {
            return all.getMetaData();
        }
    }

    /**
     * The rows of the initial population (clause 4.3.3.1).
     *
     * <p>Every row is drawn from a generator of its own, seeded by table and row number: the same scale and seed give
     * the same rows in any order, and the lines of an order are known without reading the other table.
     */
    static final class Population {
        private static final BigDecimal TEN = new BigDecimal("10.00");

        private final Scale scale;
        private final NonUniformConstants constants;
        private final Timestamp now = new Timestamp(System.currentTimeMillis());

        Population(Scale scale) {
            this.scale = scale;
            this.constants = NonUniformConstants.ofLoad(scale.seed());
        }

        Iterator<Object[]> rows(Table table) {
            int customers = scale.allDistricts() * scale.customers();
            return switch (table) {
                case WAREHOUSE -> each(scale.warehouses(), this::warehouse);
                case DISTRICT -> each(scale.allDistricts(), this::district);
                case CUSTOMER -> each(customers, this::customer);
                case HISTORY -> each(customers, this::history);
                case ITEM -> each(scale.items(), this::item);
                case STOCK -> each(scale.warehouses() * scale.items(), this::stock);
                case ORDERS -> orders(1).map(this::order).iterator();
                case NEW_ORDER ->
                    orders(scale.firstUndelivered()).map(this::newOrder).iterator();
                case ORDER_LINE -> orders(1).flatMap(this::orderLines).iterator();
            };
        }

        private static Iterator<Object[]> each(int count, IntFunction<Object[]> row) {
            return IntStream.range(0, count).mapToObj(row).iterator();
        }

        /** A row of these values; an array stands for its values. */
        private static Object[] row(Object... values) {
            return Arrays.stream(values)
                    .flatMap(value -> value instanceof Object[] several ? Arrays.stream(several) : Stream.of(value))
                    .toArray();
        }

        /** Two streets, city, state and zip. */
        private static Object[] address(Draw draw) {
            return new Object[] {
                draw.letters(10, 20), draw.letters(10, 20), draw.letters(10, 20), draw.letters(2, 2), draw.zip()
            };
        }

        private static BigDecimal fraction(Draw draw, int most) {
            return BigDecimal.valueOf(draw.between(0, most), 4);
        }

        private static BigDecimal tens(long count) {
            return TEN.multiply(BigDecimal.valueOf(count));
        }

        /** Number and warehouse of a district among all. */
        private Object[] place(int district) {
            return new Object[] {district % scale.districts() + 1, district / scale.districts() + 1};
        }

        private Object[] warehouse(int row) {
            Draw draw = draw(Table.WAREHOUSE, row);
            BigDecimal yearToDate = tens((long) scale.districts() * scale.customers());
            return row(row + 1, draw.letters(6, 10), address(draw), fraction(draw, 2000), yearToDate);
        }

        private Object[] district(int row) {
            Draw draw = draw(Table.DISTRICT, row);
            Object[] head = row(place(row), draw.letters(6, 10), address(draw));
            return row(head, fraction(draw, 2000), tens(scale.customers()), scale.orders() + 1);
        }

        private Object[] customer(int row) {
            Draw draw = draw(Table.CUSTOMER, row);
            int id = row % scale.customers() + 1;
            int name = id <= scale.lastNames()
                    ? id - 1
                    : draw.nonUniform(255, constants.lastName(), 0, scale.lastNames() - 1);
            Object[] names = {draw.letters(8, 16), "OE", Draw.lastName(name)};
            Object[] contact = row(address(draw), draw.digits(16), now);
            Object[] credit = {draw.percent(10) ? "BC" : "GC", new BigDecimal("50000.00"), fraction(draw, 5000)};
            Object[] history = {TEN.negate(), TEN, 1, 0, draw.letters(300, 500)};
            return row(id, place(row / scale.customers()), names, contact, credit, history);
        }

        private Object[] history(int row) {
            Object[] place = place(row / scale.customers());
            String data = draw(Table.HISTORY, row).letters(12, 24);
            return row(row % scale.customers() + 1, place, place, now, TEN, data);
        }

        private Object[] item(int row) {
            Draw draw = draw(Table.ITEM, row);
            Object[] imageAndName = {draw.between(1, 10_000), draw.letters(14, 24)};
            return row(row + 1, imageAndName, BigDecimal.valueOf(draw.between(100, 10_000), 2), draw.itemData());
        }

        Object[] stock(int row) {
            Draw draw = draw(Table.STOCK, row);
            int quantity = draw.between(10, 100);
            Object[] districts =
                    Stream.generate(() -> draw.letters(24, 24)).limit(10).toArray();
            return row(row % scale.items() + 1, row / scale.items() + 1, quantity, districts, 0, 0, 0, draw.itemData());
        }

        /**
         * An order to be loaded; {@code lines} is drawn from its own number, so that both tables agree.
         *
         * @param district among all, from 0
         */
        private record LoadedOrder(int district, int id, int customer, int lines, long row) {}

        private Stream<LoadedOrder> orders(int first) {
            return IntStream.range(0, scale.allDistricts()).boxed().flatMap(district -> {
                int[] customers = permutation(district);
                return IntStream.rangeClosed(first, scale.orders()).mapToObj(id -> {
                    long row = (long) district * scale.orders() + id;
                    int lines = draw(Table.ORDERS, row).between(5, 15);
                    return new LoadedOrder(district, id, customers[id - 1], lines, row);
                });
            });
        }

        /** The customers of a district in the order in which they place their first order. */
        private int[] permutation(int district) {
            Draw draw = draw(Table.DISTRICT, -1L - district);
            int[] customers = IntStream.rangeClosed(1, scale.customers()).toArray();
            for (int i = customers.length - 1; i > 0; i--) {
                int j = draw.between(0, i);
                int swapped = customers[i];
                customers[i] = customers[j];
                customers[j] = swapped;
            }
            return customers;
        }

        private Object[] order(LoadedOrder order) {
            Integer carrier =
                    delivered(order) ? draw(Table.ORDERS, -order.row()).between(1, 10) : null;
            return row(order.id(), place(order.district()), order.customer(), now, carrier, order.lines(), 1);
        }

        private Object[] newOrder(LoadedOrder order) {
            return row(order.id(), place(order.district()));
        }

        private Stream<Object[]> orderLines(LoadedOrder order) {
            Draw draw = draw(Table.ORDER_LINE, order.row());
            return IntStream.rangeClosed(1, order.lines()).mapToObj(number -> {
                Object[] item = {draw.between(1, scale.items()), place(order.district())[1]};
                boolean delivered = delivered(order);
                int cents = delivered ? 0 : draw.between(1, 999_999);
                Object[] sale = {delivered ? now : null, 5, BigDecimal.valueOf(cents, 2), draw.letters(24, 24)};
                return row(order.id(), place(order.district()), number, item, sale);
            });
        }

        private boolean delivered(LoadedOrder order) {
            return order.id() < scale.firstUndelivered();
        }

        /** A generator of its own for each row of a table. */
        private Draw draw(Table table, long row) {
            long mixed = (scale.seed() * 31 + table.name().hashCode()) * 0x9E3779B97F4A7C15L;
            return new Draw(mixed ^ (row + 1) * 0xD1B54A32D192ED03L);
        }
    }
}
