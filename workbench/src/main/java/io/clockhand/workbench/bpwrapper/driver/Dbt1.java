// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

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
    private static final int PERCENT = 100;
    /** Of all pages. */
    private static final int ITEM_PERCENT = 40;

    private static final int AUTHOR_PERCENT = 6;
    private static final int CUSTOMER_PERCENT = 30;

    private static final int PROMOTIONS = 5;
    private static final int BEST_SELLERS = 10;
    private static final int ORDERS_PER_PAGE = 8;
    /** How many of the last pages of orders lists of what sells best are made of. */
    private static final int RECENT = 5;

    private final Tree items;
    private final Tree authors;
    private final Tree customers;
    private final Tree orders;
    private final double itemSpan;
    private final double authorSpan;
    private int newOrders;

    Dbt1(int pages, SplittableRandom random) {
        super(random);
        items = Tree.on(0, (int) ((long) pages * ITEM_PERCENT / PERCENT));
        authors = Tree.on(items.end(), (int) ((long) pages * AUTHOR_PERCENT / PERCENT));
        customers = Tree.on(authors.end(), (int) ((long) pages * CUSTOMER_PERCENT / PERCENT));
        orders = Tree.on(customers.end(), pages - customers.end());
        itemSpan = span(items.leaves());
        authorSpan = span(authors.leaves());
        newOrders = random.nextInt(orders.leaves() * ORDERS_PER_PAGE);
    }

    @Override
    protected void transact() {
        int lot = random().nextInt(PERCENT);
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
        descend(customers, customer());
        for (int i = 0; i < PROMOTIONS; i++) {
            descend(items, item());
        }
    }

    private void detail() {
        descend(items, item());
        descend(authors, author());
    }

    /** By the author: the items that are found lie here and there. */
    private void search() {
        descend(authors, author());
        int found = 3 + random().nextInt(6);
        for (int i = 0; i < found; i++) {
            descend(items, item());
        }
    }

    private void bestSellers() {
        for (int back = 0; back < RECENT; back++) {
            descend(orders, orderLeaf(back));
        }
        for (int i = 0; i < BEST_SELLERS; i++) {
            descend(items, item());
        }
    }

    private void cart() {
        int bought = 1 + random().nextInt(3);
        for (int i = 0; i < bought; i++) {
            descend(items, item());
        }
    }

    private void buy() {
        descend(customers, customer());
        cart();
        newOrders++;
        descend(orders, orderLeaf(0));
    }

    private int item() {
        return zipf(itemSpan, items.leaves());
    }

    private int author() {
        return zipf(authorSpan, authors.leaves());
    }

    private int customer() {
        return random().nextInt(customers.leaves());
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
