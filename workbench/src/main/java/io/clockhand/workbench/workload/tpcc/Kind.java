// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

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

    /** Deals the transactions from a shuffled deck of cards (clause 5.2.4.2), so that the mix holds at any time. */
    public static final class Deck {
        private final Draw draw;
        private final List<Kind> cards = new ArrayList<>();
        private int next;

        public Deck(Draw draw) {
            this.draw = draw;
            for (Kind kind : Kind.values()) {
                cards.addAll(Collections.nCopies(kind.cards(), kind));
            }
            next = cards.size();
        }

        public Kind deal() {
            if (next == cards.size()) {
                shuffle();
                next = 0;
            }
            return cards.get(next++);
        }

        private void shuffle() {
            for (int i = cards.size() - 1; i > 0; i--) {
                Collections.swap(cards, i, draw.between(0, i));
            }
        }
    }
}
