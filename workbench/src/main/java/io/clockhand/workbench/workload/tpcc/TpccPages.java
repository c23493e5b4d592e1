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
    public static final int MOST_WAREHOUSES = 1000;

    private static final int NUMBER = Integer.BYTES;
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

    private final Heap warehouseRows;
    private final Heap districtRows;
    private final Heap customerRows;
    private final Heap historyRows;
    private final Heap newOrderRows;
    private final Heap orderRows;
    private final Heap lineRows;
    private final Heap itemRows;
    private final Heap stockRows;

    private final Index warehouses;
    private final Index districts;
    private final Index customers;
    private final Index customerNames;
    private final Index items;
    private final Index stocks;
    private final Index orderNumbers;
    private final Index orderCustomers;
    private final Index newOrders;
    private final Index orderLines;

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
        int allStocks = scale.warehouses() * scale.items();
        int perDistrict = scale.orders();
        int linesPerDistrict = perDistrict * (Orders.FEWEST_LINES + Orders.MOST_LINES) / 2;
        long allOrders = (long) all * perDistrict;
        int segment = 0;
        warehouseRows = new Heap(segment++, 89, scale.warehouses());
        districtRows = new Heap(segment++, 95, all);
        customerRows = new Heap(segment++, 655, allCustomers);
        historyRows = new Heap(segment++, 46, allOrders);
        newOrderRows = new Heap(segment++, 8, (long) all * (perDistrict - scale.firstUndelivered() + 1));
        orderRows = new Heap(segment++, 24, allOrders);
        lineRows = new Heap(segment++, 54, allOrders * Orders.MOST_LINES);
        itemRows = new Heap(segment++, 82, scale.items());
        stockRows = new Heap(segment++, 306, allStocks);
        warehouses = new Index(segment++, NUMBER, 1, scale.warehouses());
        districts = new Index(segment++, 2 * NUMBER, 1, all);
        customers = new Index(segment++, 3 * NUMBER, 1, allCustomers);
        customerNames = new Index(segment++, 2 * NUMBER + 2 * NAME, 1, allCustomers);
        items = new Index(segment++, NUMBER, 1, scale.items());
        stocks = new Index(segment++, 2 * NUMBER, 1, allStocks);
        orderNumbers = new Index(segment++, 3 * NUMBER, all, perDistrict);
        orderCustomers = new Index(segment++, 4 * NUMBER, 1, allCustomers);
        newOrders = new Index(segment++, 3 * NUMBER, all, perDistrict);
        orderLines = new Index(segment, 4 * NUMBER, all, linesPerDistrict);
    }

    private static int[] nameRanks(int names) {
        int[] byName = IntStream.range(0, names)
                .boxed()
                .sorted((a, b) -> Draw.lastName(a).compareTo(Draw.lastName(b)))
                .mapToInt(Integer::intValue)
                .toArray();
        int[] ranks = new int[names];
        for (int rank = 0; rank < names; rank++) {
            ranks[byName[rank]] = rank;
        }
        return ranks;
    }

    /**
     * Hands over the references of as many transactions as it takes, and no more references than were asked for.
     *
     * @param warehouses from 1 to {@link #MOST_WAREHOUSES}
     * @param seed of all that is drawn
     * @param count how many references
     * @param pages takes the ids of the pages: any longs
     */
    public static void draw(int warehouses, long seed, long count, LongConsumer pages) {
        draw(Scale.standard(warehouses, seed), count, pages);
    }

    static void draw(Scale scale, long count, LongConsumer pages) {
        long[] left = {count};
        TpccPages all = new TpccPages(scale, page -> {
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
        int lines = draw.between(Orders.FEWEST_LINES, Orders.MOST_LINES);
        boolean rolledBack = draw.percent(1);
        warehouseRow(warehouse);
        districtRow(district);
        customerRow(district, customer);
        List<Integer> ordered = new ArrayList<>(lines);
        for (int line = 0; line < lines; line++) {
            int item = item();
            int supplier = draw.percent(1) ? otherWarehouse(warehouse) : warehouse;
            if (rolledBack && line == lines - 1) {
                items.search(0, scale.items() - 1, pages);
                return;
            }
            items.search(0, item, pages);
            itemRows.fetch(item, pages);
            stockRow(supplier, item);
            ordered.add(item);
        }
        insert(district, customer, ordered);
    }

    private void insert(int district, int customer, List<Integer> ordered) {
        Orders all = orders(district);
        int firstEntry = all.entries();
        int number = all.count();
        long row = orderRows.append(pages);
        orderNumbers.search(district, number, pages);
        orderCustomers.search(0, district * scale.customers() + customer, pages);
        long newOrderRow = newOrderRows.append(pages);
        newOrders.search(district, number, pages);
        long firstLineRow = lineRows.rows();
        for (int line = 0; line < ordered.size(); line++) {
            lineRows.append(pages);
            orderLines.search(district, firstEntry + line, pages);
        }
        all.add(new Order(number, customer, row, newOrderRow, firstEntry, firstLineRow, ordered));
    }

    /** Clause 2.5: 15 in a hundred pay for a customer of another warehouse. */
    private void payment(int warehouse) {
        int district = district(warehouse);
        boolean remote = draw.percent(15);
        int customersDistrict = remote ? district(otherWarehouse(warehouse)) : district;
        warehouseRow(warehouse);
        districtRow(district);
        chosenCustomer(customersDistrict);
        historyRows.append(pages);
    }

    /** Clause 2.6. */
    private void orderStatus(int warehouse) {
        int district = district(warehouse);
        int customer = chosenCustomer(district);
        Order order = orders(district).lastOf(customer);
        orderCustomers.search(0, district * scale.customers() + customer, pages);
        orderRows.fetch(order.row(), pages);
        lines(district, order);
    }

    /** Clause 2.7: the oldest order of each district that waits for it. */
    private void delivery(int warehouse) {
        for (int d = 0; d < scale.districts(); d++) {
            int district = warehouse * scale.districts() + d;
            Order order = orders(district).deliver();
            if (order != null) {
                newOrders.search(district, order.number(), pages);
                newOrderRows.fetch(order.newOrderRow(), pages);
                orderNumbers.search(district, order.number(), pages);
                orderRows.fetch(order.row(), pages);
                lines(district, order);
                customerRow(district, order.customer());
            }
        }
    }

    /** Clause 2.8: the lines of the last twenty orders, and the stock of each item in them. */
    private void stockLevel(int warehouse) {
        int district = district(warehouse);
        districtRow(district);
        Orders all = orders(district);
        Order first = all.get(Math.max(0, all.count() - RECENT_ORDERS));
        leaves(district, first.firstEntry(), all.entries());
        Set<Integer> wanted = new LinkedHashSet<>();
        for (int number = first.number(); number < all.count(); number++) {
            Order order = all.get(number);
            for (int line = 0; line < order.lines(); line++) {
                lineRows.fetch(order.firstLineRow() + line, pages);
            }
            wanted.addAll(order.items());
        }
        wanted.forEach(item -> stockRow(warehouse, item));
    }

    // --- rows --------------------------------------------------------------------------------------------------------

    private void warehouseRow(int warehouse) {
        warehouses.search(0, warehouse, pages);
        warehouseRows.fetch(warehouse, pages);
    }

    private void districtRow(int district) {
        districts.search(0, district, pages);
        districtRows.fetch(district, pages);
    }

    private void customerRow(int district, int customer) {
        int place = district * scale.customers() + customer;
        customers.search(0, place, pages);
        customerRows.fetch(place, pages);
    }

    private void stockRow(int warehouse, int item) {
        int place = warehouse * scale.items() + item;
        stocks.search(0, place, pages);
        stockRows.fetch(place, pages);
    }

    /** By last name in 60 of a hundred cases; of those with one name, the same one each time. */
    private int chosenCustomer(int district) {
        if (!draw.percent(60)) {
            int customer = customer();
            customerRow(district, customer);
            return customer;
        }
        int name = draw.nonUniform(255, constants.lastName(), 0, scale.lastNames() - 1);
        int perName = scale.customers() / scale.lastNames();
        customerNames.search(0, district * scale.customers() + nameRanks[name] * perName, pages);
        int customer = new Draw((long) district * scale.lastNames() + name).between(0, scale.customers() - 1);
        customerRows.fetch((long) district * scale.customers() + customer, pages);
        return customer;
    }

    private void lines(int district, Order order) {
        leaves(district, order.firstEntry(), order.firstEntry() + order.lines());
        for (int line = 0; line < order.lines(); line++) {
            lineRows.fetch(order.firstLineRow() + line, pages);
        }
    }

    /** The path to the first of these lines, and the next leaves that have others. */
    private void leaves(int district, int from, int to) {
        orderLines.search(district, from, pages);
        int perPage = orderLines.entriesPerPage();
        for (int leaf = from / perPage + 1; leaf <= (to - 1) / perPage; leaf++) {
            orderLines.leaf(district, leaf, pages);
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
