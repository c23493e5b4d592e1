// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.pages.driver.Transactions;
import java.util.SplittableRandom;

/**
 * References of the kind of DBT-2, which is of the kind of TPC-C, on as many pages as there are: the five transactions
 * of TPC-C in their mix, each with the pages that it would read and change if its tables lay in B<sup>+</sup>-trees.
 * Rows, locks and times to think are left out, and a warehouse is smaller than TPC-C's.
 *
 * <ul>
 *   <li>A warehouse's and its districts' page are very hot, and so are the roots. A thread has its home warehouse.
 *   <li>Customers, items and stock are drawn by TPC-C's NURand, so that some pages are used more than others.
 *   <li>Orders are added at the end of the home warehouse's part of the orders, which begins anew when it is full; the
 *       other transactions read the latest of them.
 * </ul>
 *
 * <p>Source: TPC-C, revision 5.11, clauses 2.1.6 and 2.4 to 2.8.
 */
final class Dbt2 extends Transactions {
    private static final int ITEMS = 100_000;
    private static final int NURAND_ITEMS = 8191;
    private static final int DISTRICTS = 10;
    private static final int CUSTOMERS = 3000;
    private static final int NURAND_CUSTOMERS = 1023;
    /** NURand's constant, the same for all. */
    private static final int C = 123;

    private static final int ORDERS_PER_PAGE = 8;
    /** How many of the last pages of orders are read again. */
    private static final int RECENT = 4;

    private final int warehouses;
    private final Tree items;
    private final Tree stock;
    private final Tree customers;
    private final Tree orders;
    private final int home;
    private final int ownOrderLeaves;
    private int newOrders;

    Dbt2(int pages, int thread, SplittableRandom random) {
        super(random);
        warehouses = Math.max(1, pages / 500);
        items = Tree.on(2 * warehouses, pages * 4 / 100);
        stock = Tree.on(items.end(), pages * 40 / 100);
        customers = Tree.on(stock.end(), pages * 24 / 100);
        orders = Tree.on(customers.end(), pages - customers.end());
        home = thread % warehouses;
        ownOrderLeaves = orders.leaves() / warehouses;
        newOrders = random.nextInt(ownOrderLeaves * ORDERS_PER_PAGE);
    }

    @Override
    protected void transact() {
        int lot = random().nextInt(100);
        if (lot < 45) {
            newOrder();
        } else if (lot < 88) {
            payment();
        } else if (lot < 92) {
            orderStatus();
        } else if (lot < 96) {
            delivery();
        } else {
            stockLevel();
        }
    }

    private void newOrder() {
        refer(2 * home); // the page of the warehouse
        refer(2 * home + 1); // that of its districts
        descend(customers, customerLeaf(home));
        int lines = 5 + random().nextInt(11);
        for (int i = 0; i < lines; i++) {
            int item = nurand(NURAND_ITEMS, ITEMS);
            int supplier = random().nextInt(100) == 0 ? random().nextInt(warehouses) : home;
            descend(items, (int) ((long) item * items.leaves() / ITEMS));
            descend(stock, stockLeaf(supplier, item));
        }
        newOrders++;
        descend(orders, orderLeaf(0));
        for (int i = 0; i < lines; i++) {
            refer(orders.leafPage(orderLeaf(0)));
        }
    }

    private void payment() {
        refer(2 * home); // the page of the warehouse
        refer(2 * home + 1); // that of its districts
        int warehouse = random().nextInt(100) < 85 ? home : random().nextInt(warehouses);
        int leaf = customerLeaf(warehouse);
        descend(customers, leaf);
        if (random().nextInt(100) < 60) { // by the last name, which others have too
            refer(customers.leafPage((leaf + 1) % customers.leaves()));
            refer(customers.leafPage((leaf + 2) % customers.leaves()));
        }
        refer(orders.leafPage(orderLeaf(0))); // for the history
    }

    private void orderStatus() {
        descend(customers, customerLeaf(home));
        descend(orders, orderLeaf(random().nextInt(RECENT)));
    }

    private void delivery() {
        for (int district = 0; district < DISTRICTS; district++) {
            descend(orders, orderLeaf(RECENT));
            descend(customers, customerLeaf(home));
        }
    }

    private void stockLevel() {
        refer(2 * home + 1); // that of its districts
        for (int back = 0; back < RECENT; back++) {
            descend(orders, orderLeaf(back));
        }
        for (int i = 0; i < 20; i++) {
            descend(stock, stockLeaf(home, nurand(NURAND_ITEMS, ITEMS)));
        }
    }

    private int stockLeaf(int warehouse, int item) {
        return (int) (((long) warehouse * ITEMS + item) * stock.leaves() / ((long) warehouses * ITEMS));
    }

    private int customerLeaf(int warehouse) {
        long customer = ((long) warehouse * DISTRICTS + random().nextInt(DISTRICTS)) * CUSTOMERS
                + nurand(NURAND_CUSTOMERS, CUSTOMERS);
        return (int) (customer * customers.leaves() / ((long) warehouses * DISTRICTS * CUSTOMERS));
    }

    /** The page that is {@code back} pages before that of the latest order. */
    private int orderLeaf(int back) {
        return home * ownOrderLeaves + Math.floorMod(newOrders / ORDERS_PER_PAGE - back, ownOrderLeaves);
    }

    /** A key from 0 to {@code keys − 1}, some oftener than others. */
    private int nurand(int a, int keys) {
        return ((random().nextInt(a + 1) | random().nextInt(keys)) + C) % keys;
    }
}
