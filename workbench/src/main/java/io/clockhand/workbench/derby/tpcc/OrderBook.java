// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.tpcc;

import java.util.Arrays;

/** One district's orders, as ORDERS, NEW_ORDER and ORDER_LINE tell of them, by order number. */
final class OrderBook {
    private static final int ABSENT = -1;

    /** O_OL_CNT and O_C_ID; {@link #ABSENT} where ORDERS has no such row. */
    private int[] announcedLines = {};

    private int[] customer = {};
    private boolean[] carried = {};
    private boolean[] isNew = {};

    /** From ORDER_LINE: rows, rows with a delivery date, and the sum of the amounts of the latter in cents. */
    private int[] lines = {};

    private int[] deliveredLines = {};
    private long[] deliveredCents = {};

    private int orders;
    private int newOrders;
    private int lowestNew = Integer.MAX_VALUE;
    private int highestNew;
    private int highestOrder;

    void addOrder(int id, int orderCustomer, boolean hasCarrier, int lineCount) {
        if (id >= announcedLines.length) {
            int grown = grown(id);
            int old = announcedLines.length;
            announcedLines = Arrays.copyOf(announcedLines, grown);
            Arrays.fill(announcedLines, old, grown, ABSENT);
            customer = Arrays.copyOf(customer, grown);
            carried = Arrays.copyOf(carried, grown);
        }
        announcedLines[id] = lineCount;
        customer[id] = orderCustomer;
        carried[id] = hasCarrier;
        highestOrder = Math.max(highestOrder, id);
        orders++;
    }

    void addNewOrder(int id) {
        if (id >= isNew.length) {
            isNew = Arrays.copyOf(isNew, grown(id));
        }
        isNew[id] = true;
        lowestNew = Math.min(lowestNew, id);
        highestNew = Math.max(highestNew, id);
        newOrders++;
    }

    void addLine(int id, boolean delivered, long cents) {
        if (id >= lines.length) {
            int grown = grown(id);
            lines = Arrays.copyOf(lines, grown);
            deliveredLines = Arrays.copyOf(deliveredLines, grown);
            deliveredCents = Arrays.copyOf(deliveredCents, grown);
        }
        lines[id]++;
        if (delivered) {
            deliveredLines[id]++;
            deliveredCents[id] += cents;
        }
    }

    private static int grown(int id) {
        return Math.max(4096, id + (id >> 1) + 1);
    }

    int orders() {
        return orders;
    }

    int newOrders() {
        return newOrders;
    }

    int lowestNew() {
        return lowestNew;
    }

    int highestNew() {
        return highestNew;
    }

    int highestOrder() {
        return highestOrder;
    }

    /** The highest order number that any of the three tables mentions may be just below this. */
    int bound() {
        return Math.max(announcedLines.length, Math.max(isNew.length, lines.length));
    }

    boolean hasOrder(int id) {
        return id < announcedLines.length && announcedLines[id] != ABSENT;
    }

    int announcedLines(int id) {
        return announcedLines[id];
    }

    int customer(int id) {
        return customer[id];
    }

    boolean isCarried(int id) {
        return carried[id];
    }

    boolean isNew(int id) {
        return id < isNew.length && isNew[id];
    }

    int lines(int id) {
        return id < lines.length ? lines[id] : 0;
    }

    int deliveredLines(int id) {
        return id < lines.length ? deliveredLines[id] : 0;
    }

    long deliveredCents(int id) {
        return id < lines.length ? deliveredCents[id] : 0;
    }
}
