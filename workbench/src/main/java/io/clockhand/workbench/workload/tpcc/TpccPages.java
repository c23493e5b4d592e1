// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import io.clockhand.workbench.workload.tpcc.Draw.NonUniformConstants;
import io.clockhand.workbench.workload.tpcc.Kind.Deck;
import io.clockhand.workbench.workload.tpcc.Orders.Order;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * The pages that the transactions of TPC-C refer to (rev. 5.11), in a database of heaps and B+-trees with pages of 4
 * KiB: the standard mix, one transaction after the other, each at a warehouse drawn uniformly.
 *
 * <p>A row that is found by a key costs the pages from the root of the index to its leaf, and the page of the heap.
 * Lines of an order are adjacent in their index, so they cost each of its leaves once, and a page of the heap each. A
 * new row costs the last page of the heap, and the path to its place in every index. Only the last leaves of the
 * districts split, in the indexes of orders, new orders and order lines; deleted rows leave their place empty. There
 * are no pages of a log, a catalogue or a free-space map.
 *
 * <p>Not thread-safe.
 */
public final class TpccPages {
    /** The bytes of columns in keys. */
    private static final int NUMBER = 4;

    private static final int NAME = 16;
    private static final int RECENT_ORDERS = 20;

    private final Scale scale;
    private final NonUniformConstants constants;
    private final Draw draw;
    private final Deck deck;
    private final LongConsumer pages;
    private final Map<Integer, Orders> orders = new HashMap<>();
    /** By last name: its place in the alphabet. */
    private final int[] nameRanks;

    private int segments;
    private final Table warehouses;
    private final Table districts;
    private final Table customers;
    private final Table items;
    private final Table stocks;
    private final Table newOrders;
    private final Table lines;
    private final Table allOrders;
    private final Index customerNames;
    private final Index orderCustomers;
    private final Heap history;

    /** A table with an index of its primary key. */
    private record Table(Index index, Heap rows) {

        /** Refers to a row of a table whose index is one group. */
        void fetch(int row) {
            fetch(0, row, row);
        }

        void fetch(int group, int entry, long row) {
            index.search(group, entry);
            rows.fetch(row);
        }

        /** Adds a row; returns its number. */
        long append(int group, int entry) {
            long row = rows.append();
            index.search(group, entry);
            return row;
        }
    }

    /** The lengths of rows are the typical ones of clause 1.2.1. */
    private TpccPages(Scale scale, LongConsumer pages) {
        this.scale = scale;
        this.constants = NonUniformConstants.ofRun(scale.seed());
        this.draw = new Draw(scale.seed());
        this.deck = new Deck(draw);
        this.pages = pages;
        this.nameRanks = nameRanks(scale.lastNames());
        int all = scale.allDistricts();
        int allCustomers = all * scale.customers();
        int perDistrict = scale.orders();
        int linesPerDistrict = perDistrict * (Orders.FEWEST_LINES + Orders.MOST_LINES) / 2;
        long loaded = (long) all * perDistrict;
        warehouses = table(NUMBER, 1, scale.warehouses(), 89);
        districts = table(2 * NUMBER, 1, all, 95);
        customers = table(3 * NUMBER, 1, allCustomers, 655);
        items = table(NUMBER, 1, scale.items(), 82);
        stocks = table(2 * NUMBER, 1, scale.warehouses() * scale.items(), 306);
        allOrders = table(3 * NUMBER, all, perDistrict, 24);
        newOrders = new Table(
                index(3 * NUMBER, all, perDistrict),
                heap(8, (long) all * (perDistrict - scale.firstUndelivered() + 1)));
        lines = new Table(index(4 * NUMBER, all, linesPerDistrict), heap(54, loaded * Orders.MOST_LINES));
        customerNames = index(2 * NUMBER + 2 * NAME, 1, allCustomers);
        orderCustomers = index(4 * NUMBER, 1, allCustomers);
        history = heap(46, loaded);
    }

    private Table table(int keyBytes, int groups, int rowsPerGroup, int rowBytes) {
        return new Table(index(keyBytes, groups, rowsPerGroup), heap(rowBytes, (long) groups * rowsPerGroup));
    }

    private Index index(int keyBytes, int groups, int entriesPerGroup) {
        return new Index(pages, segments++, keyBytes, groups, entriesPerGroup);
    }

    private Heap heap(int rowBytes, long rows) {
        return new Heap(pages, segments++, rowBytes, rows);
    }

    private static int[] nameRanks(int names) {
        List<String> sorted =
                IntStream.range(0, names).mapToObj(Draw::lastName).sorted().toList();
        return IntStream.range(0, names)
                .map(number -> sorted.indexOf(Draw.lastName(number)))
                .toArray();
    }

    /**
     * Hands over the references of as many transactions as it takes, and no more references than were asked for.
     *
     * @param warehouses from 1 to 1000
     * @param seed of all that is drawn
     * @param count how many references
     */
    public static void draw(int warehouses, long seed, long count, LongConsumer pages) {
        long[] left = {count};
        TpccPages all = new TpccPages(Scale.standard(warehouses, seed), page -> {
            if (left[0] > 0) {
                left[0]--;
                pages.accept(page);
            }
        });
        while (left[0] > 0) {
            all.transaction();
        }
    }

    private void transaction() {
        int warehouse = draw.between(0, scale.warehouses() - 1);
        switch (deck.deal()) {
            case NEW_ORDER -> newOrder(warehouse);
            case PAYMENT -> payment(warehouse);
            case ORDER_STATUS -> orderStatus(warehouse);
            case DELIVERY -> delivery(warehouse);
            case STOCK_LEVEL -> stockLevel(warehouse);
        }
    }

    // --- transactions ------------------------------------------------------------------------------------------------

    /**
     * Clause 2.4: one in a hundred finds that its last item does not exist, and is rolled back before it inserts
     * anything.
     */
    private void newOrder(int warehouse) {
        int district = district(warehouse);
        int customer = customer();
        int count = draw.between(Orders.FEWEST_LINES, Orders.MOST_LINES);
        boolean rolledBack = draw.percent(1);
        warehouses.fetch(warehouse);
        districts.fetch(district);
        customers.fetch(place(district, customer));
        List<Integer> ordered = new ArrayList<>(count);
        for (int line = 0; line < count; line++) {
            int item = item();
            int supplier = draw.percent(1) ? otherWarehouse(warehouse) : warehouse;
            if (rolledBack && line == count - 1) {
                items.index.search(0, scale.items() - 1);
                return;
            }
            items.fetch(item);
            stocks.fetch(supplier * scale.items() + item);
            ordered.add(item);
        }
        insert(district, customer, ordered);
    }

    private void insert(int district, int customer, List<Integer> ordered) {
        Orders all = orders(district);
        int firstEntry = all.entries();
        int number = all.count();
        long row = allOrders.append(district, number);
        orderCustomers.search(0, place(district, customer));
        long newOrderRow = newOrders.append(district, number);
        long firstLineRow = lines.rows.rows();
        for (int line = 0; line < ordered.size(); line++) {
            lines.append(district, firstEntry + line);
        }
        all.add(new Order(number, customer, row, newOrderRow, firstEntry, firstLineRow, ordered));
    }

    /** Clause 2.5: 15 in a hundred pay for a customer of another warehouse. */
    private void payment(int warehouse) {
        int district = district(warehouse);
        boolean remote = draw.percent(15);
        int customersDistrict = remote ? district(otherWarehouse(warehouse)) : district;
        warehouses.fetch(warehouse);
        districts.fetch(district);
        chosenCustomer(customersDistrict);
        history.append();
    }

    /** Clause 2.6. */
    private void orderStatus(int warehouse) {
        int district = district(warehouse);
        int customer = chosenCustomer(district);
        Order order = orders(district).lastOf(customer);
        orderCustomers.search(0, place(district, customer));
        allOrders.rows.fetch(order.row());
        lines(district, order);
    }

    /** Clause 2.7: the oldest order of each district that waits for it. */
    private void delivery(int warehouse) {
        for (int d = 0; d < scale.districts(); d++) {
            int district = warehouse * scale.districts() + d;
            Order order = orders(district).deliver();
            if (order != null) {
                newOrders.fetch(district, order.number(), order.newOrderRow());
                allOrders.fetch(district, order.number(), order.row());
                lines(district, order);
                customers.fetch(place(district, order.customer()));
            }
        }
    }

    /** Clause 2.8: the lines of the last twenty orders, and the stock of each item in them. */
    private void stockLevel(int warehouse) {
        int district = district(warehouse);
        districts.fetch(district);
        Orders all = orders(district);
        Order first = all.get(Math.max(0, all.count() - RECENT_ORDERS));
        leaves(district, first.firstEntry(), all.entries());
        Set<Integer> wanted = new LinkedHashSet<>();
        for (int number = first.number(); number < all.count(); number++) {
            Order order = all.get(number);
            lineRows(order);
            wanted.addAll(order.items());
        }
        wanted.forEach(item -> stocks.fetch(warehouse * scale.items() + item));
    }

    // --- rows --------------------------------------------------------------------------------------------------------

    /** Of a customer, among those of all districts. */
    private int place(int district, int customer) {
        return district * scale.customers() + customer;
    }

    /** By last name in 60 of a hundred cases; of those with one name, the same one each time. */
    private int chosenCustomer(int district) {
        if (!draw.percent(60)) {
            int customer = customer();
            customers.fetch(place(district, customer));
            return customer;
        }
        int name = draw.nonUniform(255, constants.lastName(), 0, scale.lastNames() - 1);
        int perName = scale.customers() / scale.lastNames();
        customerNames.search(0, place(district, nameRanks[name] * perName));
        int customer = new Draw((long) district * scale.lastNames() + name).between(0, scale.customers() - 1);
        customers.rows.fetch(place(district, customer));
        return customer;
    }

    private void lines(int district, Order order) {
        leaves(district, order.firstEntry(), order.firstEntry() + order.items().size());
        lineRows(order);
    }

    private void lineRows(Order order) {
        for (int line = 0; line < order.items().size(); line++) {
            lines.rows.fetch(order.firstLineRow() + line);
        }
    }

    /** The path to the first of these lines, and the next leaves that have others. */
    private void leaves(int district, int from, int to) {
        lines.index.search(district, from);
        int perPage = lines.index.entriesPerPage();
        for (int leaf = from / perPage + 1; leaf <= (to - 1) / perPage; leaf++) {
            lines.index.leaf(district, leaf);
        }
    }

    // --- draws -------------------------------------------------------------------------------------------------------

    private Orders orders(int district) {
        return orders.computeIfAbsent(district, absent -> new Orders(scale, district));
    }

    /** Among all districts. */
    private int district(int warehouse) {
        return warehouse * scale.districts() + draw.between(0, scale.districts() - 1);
    }

    private int customer() {
        return draw.nonUniform(1023, constants.customer(), 0, scale.customers() - 1);
    }

    private int item() {
        return draw.nonUniform(8191, constants.item(), 0, scale.items() - 1);
    }

    /** Any but this one, unless there is no other. */
    private int otherWarehouse(int warehouse) {
        if (scale.warehouses() == 1) {
            return warehouse;
        }
        int other = draw.between(0, scale.warehouses() - 2);
        return other < warehouse ? other : other + 1;
    }
}
