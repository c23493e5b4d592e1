// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The five transactions, with their cards in the deck (clause 5.2). */
public enum Kind {
    NEW_ORDER("newOrder", 10),
    PAYMENT("payment", 10),
    ORDER_STATUS("orderStatus", 1),
    DELIVERY("delivery", 1),
    STOCK_LEVEL("stockLevel", 1);

    private final String jsonName;
    /** Of 23: 43.5 % payments and 4.3 % of each of the last three, just above the minimum of clause 5.2.3. */
    private final int cards;

    Kind(String jsonName, int cards) {
        this.jsonName = jsonName;
        this.cards = cards;
    }

    /** The name in {@code tpcc.json}. */
    public String jsonName() {
        return jsonName;
    }

    /** Deals the transactions from a shuffled deck of cards (clause 5.2.4.2), so that the mix holds at any time. */
    public static final class Deck {
        private final Draw draw;
        private final List<Kind> cards = new ArrayList<>();
        private int next;

        public Deck(Draw draw) {
            this.draw = draw;
            for (Kind kind : Kind.values()) {
                cards.addAll(Collections.nCopies(kind.cards, kind));
            }
            next = cards.size();
        }

        public Kind deal() {
            if (next == cards.size()) {
                for (int i = cards.size() - 1; i > 0; i--) {
                    Collections.swap(cards, i, draw.between(0, i));
                }
                next = 0;
            }
            return cards.get(next++);
        }
    }
}
