// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

/** The five transactions, with their cards in the deck and the times of a person at a terminal (clause 5.2). */
public enum Kind {
    NEW_ORDER("newOrder", 10, 18, 12),
    PAYMENT("payment", 10, 3, 12),
    ORDER_STATUS("orderStatus", 1, 2, 10),
    DELIVERY("delivery", 1, 2, 5),
    STOCK_LEVEL("stockLevel", 1, 2, 5);

    private final String jsonName;
    private final int cards;
    private final int keyingSeconds;
    private final int thinkSeconds;

    Kind(String jsonName, int cards, int keyingSeconds, int thinkSeconds) {
        this.jsonName = jsonName;
        this.cards = cards;
        this.keyingSeconds = keyingSeconds;
        this.thinkSeconds = thinkSeconds;
    }

    /** The name in {@code tpcc.json}. */
    public String jsonName() {
        return jsonName;
    }

    /** Of 23 cards: 43.5 % payments and 4.3 % of each of the last three, just above the minimum of clause 5.2.3. */
    int cards() {
        return cards;
    }

    public int keyingSeconds() {
        return keyingSeconds;
    }

    /** The mean of the think time, which is exponential. */
    public int thinkSeconds() {
        return thinkSeconds;
    }
}
