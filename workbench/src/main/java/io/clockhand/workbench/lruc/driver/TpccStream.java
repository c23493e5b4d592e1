// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

import io.clockhand.workbench.pages.driver.Transactions;
import io.clockhand.workbench.workload.Hash;
import java.util.SplittableRandom;

/**
 * The pages to which one of several threads refers if they run TPC-C (rev. 5.11): its five transactions in their mix,
 * each at a warehouse drawn uniformly, with the pages that they read and change. It is of the kind of TPC-C, and not
 * the benchmark: {@link TpccTables} states which tables there are, and there are no rows, locks, waits or aborts.
 *
 * <ul>
 *   <li>Customers, items and stock are drawn by TPC-C's own function for keys, NURand, customers by last name with its
 *       skew for names. The skew of pages follows from the number of rows on each.
 *   <li>A row costs the root, an inner page and the leaf. Roots and inner pages are never changed.
 *   <li>Threads share no state: a thread takes the number of the last order of a district to be as far as its own
 *       New-Orders make likely for all threads together. So all add orders to about the same pages. New orders take the
 *       places of the oldest, whose pages are read and changed, since the tables do not grow.
 *   <li>Delivery finds the orders that are 900 older than the last, and customers drawn anew. Stock-Level reads the
 *       lines of the last 20 orders, and the stock of 200 items drawn anew, although those of recent orders may still
 *       be in memory.
 *   <li>Which references to leaves are changes is TPC-C's share, or another one: see {@link WriteMix}.
 * </ul>
 *
 * <p>Allocates nothing after its construction. Not thread-safe: one per thread.
 */
public final class TpccStream extends Transactions {
    private static final int PERCENT = 100;
    private static final int NURAND_ITEMS = 8191;
    private static final int NURAND_CUSTOMERS = 1023;
    private static final int NURAND_NAMES = 255;
    private static final int NAMES = 1000;
    /** NURand's constant, the same for all. */
    private static final int C = 123;

    private static final int FEWEST_LINES = 5;
    private static final int MOST_LINES = 15;
    private static final int UNDELIVERED = 900;
    private static final int RECENT_ORDERS = 20;

    private final TpccTables tables;
    private final WriteMix mix;
    private final int threads;
    private long ownOrders;
    private long ownPayments;

    /**
     * Makes the stream of a thread.
     *
     * @param pages of the database, from 250; the stream refers to those from 0 to {@code pages − 1}
     * @param thread from 0
     * @param threads that run such streams together
     * @param mix which of the references are writes
     * @param seed of all that is drawn, the same for all threads
     * @throws IllegalArgumentException if there are too few pages
     */
    public TpccStream(int pages, int thread, int threads, WriteMix mix, long seed) {
        super(new SplittableRandom(Hash.of(Hash.begin(seed), thread)));
        this.tables = new TpccTables(pages);
        this.mix = mix;
        this.threads = threads;
    }

    @Override
    protected void transact() {
        int warehouse = random().nextInt(tables.warehouses);
        int lot = random().nextInt(PERCENT);
        if (lot < 45) {
            newOrder(warehouse);
        } else if (lot < 88) {
            payment(warehouse);
        } else if (lot < 92) {
            orderStatus(district(warehouse));
        } else if (lot < 96) {
            delivery(warehouse);
        } else {
            stockLevel(warehouse, district(warehouse));
        }
    }

    /** Clause 2.4. */
    private void newOrder(int warehouse) {
        int district = district(warehouse);
        refer(tables.warehousePage(warehouse));
        change(tables.districtPage(district));
        read(tables.customers, tables.customerLeaf(district, customer()));
        int count = FEWEST_LINES + random().nextInt(MOST_LINES - FEWEST_LINES + 1);
        for (int i = 0; i < count; i++) {
            int item = nurand(NURAND_ITEMS, TpccTables.ITEMS);
            int supplier = random().nextInt(PERCENT) == 0 ? random().nextInt(tables.warehouses) : warehouse;
            read(tables.items, tables.itemLeaf(item));
            write(tables.stock, tables.stockLeaf(supplier, item));
        }
        ownOrders++;
        long order = lastOrder();
        write(tables.orders, tables.orderLeaf(district, order));
        for (int i = 0; i < count; i++) {
            write(tables.lines, tables.lineLeaf(district, order));
        }
    }

    /** Clause 2.5. */
    private void payment(int warehouse) {
        int remote = random().nextInt(PERCENT) < 85 ? warehouse : random().nextInt(tables.warehouses);
        change(tables.warehousePage(warehouse));
        change(tables.districtPage(district(warehouse)));
        write(tables.customers, tables.customerLeaf(district(remote), chosenCustomer()));
        write(tables.history, tables.historyLeaf(ownPayments++ * threads));
    }

    /** Clause 2.6: any of a district's orders may be the last one of its customer. */
    private void orderStatus(int district) {
        read(tables.customers, tables.customerLeaf(district, chosenCustomer()));
        long order = lastOrder() - random().nextInt(TpccTables.ORDERS);
        read(tables.orders, tables.orderLeaf(district, order));
        read(tables.lines, tables.lineLeaf(district, order));
    }

    /** Clause 2.7. */
    private void delivery(int warehouse) {
        long order = lastOrder() - UNDELIVERED;
        for (int d = 0; d < TpccTables.DISTRICTS; d++) {
            int district = warehouse * TpccTables.DISTRICTS + d;
            write(tables.orders, tables.orderLeaf(district, order));
            write(tables.lines, tables.lineLeaf(district, order));
            write(tables.customers, tables.customerLeaf(district, customer()));
        }
    }

    /** Clause 2.8. */
    private void stockLevel(int warehouse, int district) {
        refer(tables.districtPage(district));
        int last = tables.lineLeaf(district, lastOrder());
        int first = tables.lineLeaf(district, lastOrder() - RECENT_ORDERS);
        read(tables.lines, first);
        if (first != last) {
            read(tables.lines, last);
        }
        for (int i = 0; i < RECENT_ORDERS * TpccTables.LINES; i++) {
            read(tables.stock, tables.stockLeaf(warehouse, nurand(NURAND_ITEMS, TpccTables.ITEMS)));
        }
    }

    // --- references --------------------------------------------------------------------------------------------------

    /** Refers to a row that TPC-C does not change. */
    private void read(Tree tree, int leaf) {
        row(tree, leaf, random().nextDouble() < mix.added());
    }

    /** Refers to a row that TPC-C changes. */
    private void write(Tree tree, int leaf) {
        row(tree, leaf, random().nextDouble() < mix.kept());
    }

    private void row(Tree tree, int leaf, boolean isWrite) {
        refer(tree.root());
        refer(tree.innerPage(leaf));
        int page = tree.leafPage(leaf);
        refer(isWrite ? ~page : page);
    }

    /** Changes one of the few pages that always stay in memory. */
    private void change(int page) {
        refer(~page);
    }

    // --- draws -------------------------------------------------------------------------------------------------------

    /** The number of the last order, which is about the same in all districts. */
    private long lastOrder() {
        return ownOrders * threads / ((long) tables.warehouses * TpccTables.DISTRICTS);
    }

    /** Among the districts of all warehouses. */
    private int district(int warehouse) {
        return warehouse * TpccTables.DISTRICTS + random().nextInt(TpccTables.DISTRICTS);
    }

    /** By last name in 60 of a hundred cases: one of the three customers who have the name. */
    private int chosenCustomer() {
        return random().nextInt(PERCENT) < 60
                ? nurand(NURAND_NAMES, NAMES) + NAMES * random().nextInt(TpccTables.CUSTOMERS / NAMES)
                : customer();
    }

    private int customer() {
        return nurand(NURAND_CUSTOMERS, TpccTables.CUSTOMERS);
    }

    /** A key from 0 to {@code keys − 1}, some oftener than others. */
    private int nurand(int a, int keys) {
        return ((random().nextInt(a + 1) | random().nextInt(keys)) + C) % keys;
    }
}
