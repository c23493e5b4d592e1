// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.workload.tpcc.Draw.NonUniformConstants;
import io.clockhand.workbench.workload.tpcc.Kind.Deck;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DrawTest {
    private final Draw draw = new Draw(42);

    @Test
    void lastNamesAreThreeSyllablesOfTheDigits() {
        assertThat(Draw.lastName(0)).isEqualTo("BARBARBAR");
        assertThat(Draw.lastName(371)).isEqualTo("PRICALLYOUGHT");
        assertThat(Draw.lastName(999)).isEqualTo("EINGEINGEING");
    }

    @Test
    void nonUniformNumbersStayInRangeAndFavourSome() {
        int[] seen = new int[3001];
        IntStream.range(0, 300_000).forEach(i -> seen[draw.nonUniform(1023, 259, 1, 3000)]++);

        assertThat(seen[0]).isZero();
        int most = IntStream.of(seen).max().orElseThrow();
        assertThat(most).isGreaterThan(5 * 300_000 / 3000);
    }

    @Test
    void constantOfTheRunLiesFarEnoughFromThatOfTheLoad() {
        for (long seed = 0; seed < 500; seed++) {
            int delta = Math.abs(NonUniformConstants.ofRun(seed).lastName()
                    - NonUniformConstants.ofLoad(seed).lastName());
            assertThat(delta).as("seed %d", seed).isBetween(65, 119).isNotIn(96, 112);
        }
    }

    @Test
    void stringsHaveTheAskedLength() {
        IntStream.range(0, 1000).forEach(i -> {
            assertThat(draw.letters(26, 50)).hasSizeBetween(26, 50);
            assertThat(draw.digits(16)).matches("[0-9]{16}");
            assertThat(draw.zip()).matches("[0-9]{4}11111");
        });
    }

    @Test
    void aTenthOfTheItemsIsOriginal() {
        long originals = IntStream.range(0, 10_000)
                .mapToObj(i -> draw.itemData())
                .filter(data -> data.contains("ORIGINAL"))
                .count();

        assertThat(originals).isBetween(850L, 1150L);
    }

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
}
