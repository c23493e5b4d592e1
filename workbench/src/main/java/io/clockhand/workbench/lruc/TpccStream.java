// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.pages.driver.Transactions;
import io.clockhand.workbench.workload.Hash;
import java.util.SplittableRandom;

/**
 * The pages to which one of several threads refers if they run TPC-C (rev. 5.11): its five transactions in their mix,
 * each at a warehouse drawn uniformly, with the pages that they read and change. It is of the kind of TPC-C, and not
 * the benchmark: there are no rows, locks, waits or aborts. Unlike the workload {@code tpcc:W} it fills any number of
 * pages, has threads, and writes.
 *
 * <p><b>Tables</b> lie in the leaves of B<sup>+</sup>-trees, in the order of their keys, on pages of 16 KiB, with as
 * many warehouses as fill the pages. A table's part of the pages is that of its rows in the bytes of all rows: their
 * numbers are those of clause 1.2.1, their lengths the typical ones of that clause and 20 bytes for the header and the
 * slot of each. With many warehouses, 41 % of the pages are stock, 28 % order lines, 26 % customers, 3 % history, 2 %
 * orders. Indexes by names and by customers are left out.
 *
 * <p><b>References.</b>
 *
 * <ul>
 *   <li>Customers, items and stock are drawn by TPC-C's own function for keys, NURand, customers by last name with its
 *       skew for names. The skew of pages follows from the number of rows on each.
 *   <li>A row costs the root, an inner page and the leaf. Roots and inner pages are never changed.
 *   <li>Threads share no state: a thread takes the number of the last order of a district to be as far as its own
 *       New-Orders make likely for all threads together. So all add orders to about the same pages. New orders take the
 *       places of the oldest, whose pages are read and changed, since the tables do not grow.
 *   <li>Delivery finds the orders that are 900 older than the last, and customers drawn anew. Stock-Level reads the
 *       lines of the last 20 orders, and the stock of 200 items drawn anew.
 * </ul>
 *
 * <p><b>Writes.</b> The ratio of page reads to page writes is that of Fig. 8 of the LRU-C paper: of misses to evictions
 * of dirty pages in an LRU pool with a tenth of the pages, to 6 %. TPC-C does 2:1. For fewer writes some rows that
 * TPC-C changes are only read, for more some that it reads are changed; each is drawn by lot. The paper changes the
 * parts of the transactions instead; here those stay as they are, so that the skew does.
 *
 * <p>Allocates nothing after its construction. Not thread-safe: one per thread.
 */
final class TpccStream extends Transactions {
    /** The fewest pages that have room for all tables. */
    static final int FEWEST_PAGES = 250;

    private static final int DISTRICTS = 10;
    private static final int CUSTOMERS = 3000;
    private static final int ITEMS = 100_000;
    private static final int ORDERS = 3000;
    private static final int LINES = 10;

    private static final int ITEM_BYTES = 82 + 20;
    private static final int STOCK_BYTES = 306 + 20;
    private static final int CUSTOMER_BYTES = 655 + 20;
    private static final int LINE_BYTES = 54 + 20;
    private static final int HISTORY_BYTES = 46 + 20;
    /** An order, and the mark that it is new, which three in ten have. */
    private static final double ORDER_BYTES = 24 + 20 + 0.3 * (8 + 20);

    private static final double WAREHOUSE_BYTES = (double) ITEMS * STOCK_BYTES
            + DISTRICTS
                    * ((double) CUSTOMERS * CUSTOMER_BYTES
                            + ORDERS * (LINES * LINE_BYTES + ORDER_BYTES + HISTORY_BYTES));
    private static final int WAREHOUSE_ROWS_PER_PAGE = 140;
    private static final int DISTRICT_ROWS_PER_PAGE = 133;
    /** A page filled in the order of the key is full but for a sixteenth. */
    private static final double PAGE_ROOM = 15 * 1024;

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

    /** Page writes for each page read of TPC-C. */
    private static final double DIRTY = 0.5;
    /** A page that is referred to again before its eviction is dirty more often than one lot says: fitted. */
    private static final double OF_KEPT = 1.3;

    private static final double OF_ADDED = 1.17;

    final int warehouses;
    final Tree stock;
    private final int firstDistrictPage;
    private final Tree items;
    private final Tree customers;
    private final Tree lines;
    private final Tree orders;
    private final Tree history;

    /** The part of the rows that TPC-C changes which are changed. */
    private final double kept;
    /** The part of the rows that TPC-C only reads which are changed nevertheless. */
    private final double added;

    private final int threads;
    private long ownOrders;
    private long ownPayments;

    /**
     * Makes the stream of a thread.
     *
     * @param pages of the database, from {@link #FEWEST_PAGES}; all are used
     * @param thread from 0
     * @param threads that run such streams together
     * @param readsPerWrite page reads for each page write, from 1
     * @param seed of all that is drawn, the same for all threads
     */
    TpccStream(int pages, int thread, int threads, double readsPerWrite, long seed) {
        super(new SplittableRandom(Hash.of(Hash.begin(seed), thread)));
        this.threads = threads;
        double dirty = 1 / readsPerWrite;
        kept = dirty < DIRTY ? Math.pow(dirty / DIRTY, OF_KEPT) : 1;
        added = dirty > DIRTY ? Math.pow((dirty - DIRTY) / (1 - DIRTY), OF_ADDED) : 0;

        double itemBytes = (double) ITEMS * ITEM_BYTES;
        warehouses = (int) Math.max(1, Math.round((pages * PAGE_ROOM - itemBytes) / WAREHOUSE_BYTES));
        firstDistrictPage = pagesFor(warehouses, WAREHOUSE_ROWS_PER_PAGE);
        int firstTree = firstDistrictPage + pagesFor(warehouses * DISTRICTS, DISTRICT_ROWS_PER_PAGE);
        double pagesPerByte = (pages - firstTree) / (itemBytes + warehouses * WAREHOUSE_BYTES);
        double perDistrictRow = pagesPerByte * warehouses * DISTRICTS;
        items = Tree.on(firstTree, (int) (pagesPerByte * itemBytes));
        stock = Tree.on(items.end(), (int) (pagesPerByte * warehouses * ITEMS * STOCK_BYTES));
        customers = Tree.on(stock.end(), (int) (perDistrictRow * CUSTOMERS * CUSTOMER_BYTES));
        orders = Tree.on(customers.end(), (int) (perDistrictRow * ORDERS * ORDER_BYTES));
        history = Tree.on(orders.end(), (int) (perDistrictRow * ORDERS * HISTORY_BYTES));
        lines = Tree.on(history.end(), pages - history.end());
    }

    private static int pagesFor(int rows, int rowsPerPage) {
        return (rows - 1) / rowsPerPage + 1;
    }

    @Override
    protected void transact() {
        int warehouse = random().nextInt(warehouses);
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
        refer(warehouse / WAREHOUSE_ROWS_PER_PAGE);
        refer(~districtPage(district));
        read(customers, customerLeaf(district, customer()));
        int count = FEWEST_LINES + random().nextInt(MOST_LINES - FEWEST_LINES + 1);
        for (int i = 0; i < count; i++) {
            int item = nurand(NURAND_ITEMS, ITEMS);
            int supplier = random().nextInt(PERCENT) == 0 ? random().nextInt(warehouses) : warehouse;
            read(items, leaf(items, item, ITEMS));
            write(stock, stockLeaf(supplier, item));
        }
        ownOrders++;
        long order = lastOrder();
        write(orders, orderLeaf(orders, district, order));
        for (int i = 0; i < count; i++) {
            write(lines, orderLeaf(lines, district, order));
        }
    }

    /** Clause 2.5. */
    private void payment(int warehouse) {
        int remote = random().nextInt(PERCENT) < 85 ? warehouse : random().nextInt(warehouses);
        refer(~(warehouse / WAREHOUSE_ROWS_PER_PAGE));
        refer(~districtPage(district(warehouse)));
        write(customers, customerLeaf(district(remote), chosenCustomer()));
        long rows = districts() * ORDERS;
        write(history, leaf(history, Math.floorMod(ownPayments++ * threads, rows), rows));
    }

    /** Clause 2.6: any of a district's orders may be the last one of its customer. */
    private void orderStatus(int district) {
        read(customers, customerLeaf(district, chosenCustomer()));
        long order = lastOrder() - random().nextInt(ORDERS);
        read(orders, orderLeaf(orders, district, order));
        read(lines, orderLeaf(lines, district, order));
    }

    /** Clause 2.7. */
    private void delivery(int warehouse) {
        long order = lastOrder() - UNDELIVERED;
        for (int d = 0; d < DISTRICTS; d++) {
            int district = warehouse * DISTRICTS + d;
            write(orders, orderLeaf(orders, district, order));
            write(lines, orderLeaf(lines, district, order));
            write(customers, customerLeaf(district, customer()));
        }
    }

    /** Clause 2.8. */
    private void stockLevel(int warehouse, int district) {
        refer(districtPage(district));
        int last = orderLeaf(lines, district, lastOrder());
        int first = orderLeaf(lines, district, lastOrder() - RECENT_ORDERS);
        read(lines, first);
        if (first != last) {
            read(lines, last);
        }
        for (int i = 0; i < RECENT_ORDERS * LINES; i++) {
            read(stock, stockLeaf(warehouse, nurand(NURAND_ITEMS, ITEMS)));
        }
    }

    /** Refers to a row that TPC-C does not change. */
    private void read(Tree tree, int leaf) {
        row(tree, leaf, random().nextDouble() < added);
    }

    /** Refers to a row that TPC-C changes. */
    private void write(Tree tree, int leaf) {
        row(tree, leaf, random().nextDouble() < kept);
    }

    private void row(Tree tree, int leaf, boolean isWrite) {
        refer(tree.root());
        refer(tree.innerPage(leaf));
        int page = tree.leafPage(leaf);
        refer(isWrite ? ~page : page);
    }

    // --- pages of rows; districts are counted among those of all warehouses ------------------------------------------

    private long districts() {
        return (long) warehouses * DISTRICTS;
    }

    private int districtPage(int district) {
        return firstDistrictPage + district / DISTRICT_ROWS_PER_PAGE;
    }

    int stockLeaf(int warehouse, int item) {
        return leaf(stock, (long) warehouse * ITEMS + item, (long) warehouses * ITEMS);
    }

    private int customerLeaf(int district, int customer) {
        return leaf(customers, (long) district * CUSTOMERS + customer, districts() * CUSTOMERS);
    }

    /** Of an order, or of its lines, by its number in the district, which may be any. */
    private int orderLeaf(Tree tree, int district, long order) {
        return leaf(tree, (long) district * ORDERS + Math.floorMod(order, (long) ORDERS), districts() * ORDERS);
    }

    private static int leaf(Tree tree, long row, long rows) {
        return (int) (row * tree.leaves() / rows);
    }

    // --- draws -------------------------------------------------------------------------------------------------------

    /** The number of the last order, which is about the same in all districts. */
    private long lastOrder() {
        return ownOrders * threads / districts();
    }

    private int district(int warehouse) {
        return warehouse * DISTRICTS + random().nextInt(DISTRICTS);
    }

    /** By last name in 60 of a hundred cases: one of the three customers who have the name. */
    private int chosenCustomer() {
        return random().nextInt(PERCENT) < 60
                ? nurand(NURAND_NAMES, NAMES) + NAMES * random().nextInt(CUSTOMERS / NAMES)
                : customer();
    }

    private int customer() {
        return nurand(NURAND_CUSTOMERS, CUSTOMERS);
    }

    /** A key from 0 to {@code keys − 1}, some oftener than others. */
    private int nurand(int a, int keys) {
        return ((random().nextInt(a + 1) | random().nextInt(keys)) + C) % keys;
    }
}
