// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.tpcc.load.Draw;
import io.clockhand.workbench.tpcc.load.Scale;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeckTest {
    @Test
    void mixIsNeverBelowTheMinimum() {
        Deck deck = new Deck(new Draw(3));
        Map<Kind, Integer> dealt = new EnumMap<>(Kind.class);
        int cards = 23 * 100;
        for (int i = 0; i < cards; i++) {
            dealt.merge(deck.deal(), 1, Integer::sum);
        }

        assertThat(dealt.get(Kind.PAYMENT)).isGreaterThanOrEqualTo(cards * 43 / 100);
        for (Kind kind : Set.of(Kind.ORDER_STATUS, Kind.DELIVERY, Kind.STOCK_LEVEL)) {
            assertThat(dealt.get(kind)).isGreaterThanOrEqualTo(cards * 4 / 100);
        }
    }

    @Test
    void seatsAreDealtOutWithoutOverlap() {
        Scale scale = Scale.standard(3, 1);
        Set<Seats.Seat> taken = new HashSet<>();
        for (int thread = 0; thread < 7; thread++) {
            for (Seats.Seat seat : new Seats(scale, thread, 7).all()) {
                assertThat(taken.add(seat)).isTrue();
            }
        }

        assertThat(taken).hasSize(30);
    }

    @Test
    void asManyThreadsAsWarehousesStayAtHome() {
        Scale scale = Scale.standard(4, 1);

        assertThat(new Seats(scale, 2, 4).all()).allMatch(seat -> seat.warehouse() == 3);
        assertThat(new Seats(scale, 1, 100).all()).hasSize(1);
    }

    @Test
    void oneTerminalWorksForAllWarehouses() {
        assertThat(new Seats(Scale.standard(4, 1), 0, 1).all()).hasSize(40);
    }
}
