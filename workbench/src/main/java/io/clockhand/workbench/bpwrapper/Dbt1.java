// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.pages.driver.Transactions;
import java.util.SplittableRandom;

/**
 * References of the kind of DBT-1, which is of the kind of TPC-W, an on-line bookstore: visitors look for books, look
 * at them, and buy a few. Each interaction refers to the pages that it would read and change if its tables lay in
 * B<sup>+</sup>-trees. Rows, locks, pictures and times to think are left out, and the mix is a rough one.
 *
 * <ul>
 *   <li>Items and authors are drawn after Zipf's law with the exponent 0.8, by pages; customers alike.
 *   <li>Orders are added at one end, from which lists of what sells best read.
 * </ul>
 */
final class Dbt1 extends Transactions {
    private static final int ORDERS_PER_PAGE = 8;

    private final Tree items;
    private final Tree authors;
    private final Tree customers;
    private final Tree orders;
    private final double itemSpan;
    private final double authorSpan;
    private int newOrders;

    Dbt1(int pages, SplittableRandom random) {
        super(random);
        items = Tree.on(0, pages * 40 / 100);
        authors = Tree.on(items.end(), pages * 6 / 100);
        customers = Tree.on(authors.end(), pages * 30 / 100);
        orders = Tree.on(customers.end(), pages - customers.end());
        itemSpan = span(items.leaves());
        authorSpan = span(authors.leaves());
        newOrders = random.nextInt(orders.leaves() * ORDERS_PER_PAGE);
    }

    @Override
    protected void transact() {
        int lot = random().nextInt(100);
        if (lot < 16) {
            home();
        } else if (lot < 38) {
            detail();
        } else if (lot < 76) {
            search();
        } else if (lot < 86) {
            bestSellers();
        } else if (lot < 97) {
            cart();
        } else {
            buy();
        }
    }

    private void home() {
        customer();
        items(5);
    }

    private void detail() {
        items(1);
        author();
    }

    /** By the author: the items that are found lie here and there. */
    private void search() {
        author();
        items(3 + random().nextInt(6));
    }

    /** Made of the last pages of orders. */
    private void bestSellers() {
        for (int back = 0; back < 5; back++) {
            descend(orders, orderLeaf(back));
        }
        items(10);
    }

    private void cart() {
        items(1 + random().nextInt(3));
    }

    private void buy() {
        customer();
        cart();
        newOrders++;
        descend(orders, orderLeaf(0));
    }

    private void items(int count) {
        for (int i = 0; i < count; i++) {
            descend(items, zipf(itemSpan, items.leaves()));
        }
    }

    private void author() {
        descend(authors, zipf(authorSpan, authors.leaves()));
    }

    private void customer() {
        descend(customers, random().nextInt(customers.leaves()));
    }

    /** The page that is {@code back} pages before that of the latest order. */
    private int orderLeaf(int back) {
        return Math.floorMod(newOrders / ORDERS_PER_PAGE - back, orders.leaves());
    }

    /**
     * A rank from 0 to {@code ranks − 1} after Zipf's law, by its continuous form: the sum of {@code x^-0.8} up to a
     * rank is {@code 5 (rank^0.2 − 1)}, which is turned round.
     */
    private int zipf(double span, int ranks) {
        double root = 1 + random().nextDouble() * span;
        double square = root * root;
        return Math.min((int) (square * square * root) - 1, ranks - 1);
    }

    private static double span(int ranks) {
        return Math.pow(ranks + 1.0, 0.2) - 1;
    }
}
