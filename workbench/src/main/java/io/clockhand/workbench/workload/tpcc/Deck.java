// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Deals the transactions from a shuffled deck of cards (clause 5.2.4.2), so that the mix holds at any time. */
public final class Deck {
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
