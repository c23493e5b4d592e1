// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

import io.clockhand.workbench.pages.driver.Transactions.Tree;

/**
 * The tables of TPC-C on pages of 16 KiB, with as many warehouses as fill the pages. Immutable.
 *
 * <p>A table lies in the leaves of a B<sup>+</sup>-tree, in the order of its key. Its part of the pages is that of its
 * rows in the bytes of all rows: their numbers are those of clause 1.2.1, their lengths the typical ones of that clause
 * and 20 bytes for the header and the slot of each. A table's rows are spread evenly over its leaves. With many
 * warehouses, 41 % of the pages are stock, 28 % order lines, 26 % customers, 3 % history, 2 % orders. Indexes by names
 * and by customers are left out.
 */
final class TpccTables {
    /** The fewest pages that have room for all tables. */
    static final int FEWEST_PAGES = 250;

    static final int DISTRICTS = 10;
    static final int CUSTOMERS = 3000;
    static final int ITEMS = 100_000;
    /** Of a district; when there are as many, new ones take the places of the oldest. */
    static final int ORDERS = 3000;

    static final int LINES = 10;

    private static final int ROW_OVERHEAD = 20;
    private static final int ITEM_BYTES = 82 + ROW_OVERHEAD;
    private static final int STOCK_BYTES = 306 + ROW_OVERHEAD;
    private static final int CUSTOMER_BYTES = 655 + ROW_OVERHEAD;
    private static final int LINE_BYTES = 54 + ROW_OVERHEAD;
    /** An order, and the mark that it is new, which three in ten have. */
    private static final double ORDER_BYTES = 24 + ROW_OVERHEAD + 0.3 * (8 + ROW_OVERHEAD);

    private static final int HISTORY_BYTES = 46 + ROW_OVERHEAD;

    private static final int WAREHOUSE_ROWS_PER_PAGE = 140;
    private static final int DISTRICT_ROWS_PER_PAGE = 133;
    /** Of 16 KiB: a page filled in the order of the key is full but for a sixteenth. */
    private static final double PAGE_ROOM = 15 * 1024;

    private static final double DISTRICT_BYTES =
            (double) CUSTOMERS * CUSTOMER_BYTES + ORDERS * (LINES * LINE_BYTES + ORDER_BYTES + HISTORY_BYTES);
    private static final double WAREHOUSE_BYTES = (double) ITEMS * STOCK_BYTES + DISTRICTS * DISTRICT_BYTES;

    final int warehouses;
    final Tree items;
    final Tree stock;
    final Tree customers;
    final Tree lines;
    final Tree orders;
    final Tree history;

    private final int firstDistrictPage;

    /**
     * Lays the tables out.
     *
     * @param pages how many there are, from {@link #FEWEST_PAGES}; all are used
     */
    TpccTables(int pages) {
        if (pages < FEWEST_PAGES) {
            throw new IllegalArgumentException(
                    "TPC-C needs " + FEWEST_PAGES + " pages or more for its tables, not " + pages);
        }
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

    int warehousePage(int warehouse) {
        return warehouse / WAREHOUSE_ROWS_PER_PAGE;
    }

    /** Of a district, counted among those of all warehouses. */
    int districtPage(int district) {
        return firstDistrictPage + district / DISTRICT_ROWS_PER_PAGE;
    }

    int itemLeaf(int item) {
        return leaf(items, item, ITEMS);
    }

    int stockLeaf(int warehouse, int item) {
        return leaf(stock, (long) warehouse * ITEMS + item, (long) warehouses * ITEMS);
    }

    int customerLeaf(int district, int customer) {
        return leaf(customers, (long) district * CUSTOMERS + customer, districts() * CUSTOMERS);
    }

    /** Of an order by its number in the district, which may be any. */
    int orderLeaf(int district, long order) {
        return leaf(orders, place(district, order), districts() * ORDERS);
    }

    /** Of the lines of an order, which lie one behind the other. */
    int lineLeaf(int district, long order) {
        return leaf(lines, place(district, order), districts() * ORDERS);
    }

    /** Of a payment by its number among all, which may be any: there is one end to which payments are added. */
    int historyLeaf(long payment) {
        return leaf(history, Math.floorMod(payment, districts() * ORDERS), districts() * ORDERS);
    }

    private static long place(int district, long order) {
        return (long) district * ORDERS + Math.floorMod(order, (long) ORDERS);
    }

    private long districts() {
        return (long) warehouses * DISTRICTS;
    }

    private static int leaf(Tree tree, long row, long rows) {
        return (int) (row * tree.leaves() / rows);
    }
}
