// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.workbench.derby.select.Selects.Keys;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeysTest {
    private static final int DRAWS = 100_000;

    private static double shareOfFirstFifth(Keys keys) {
        SplittableRandom random = new SplittableRandom(1);
        return IntStream.range(0, DRAWS)
                        .filter(i -> keys.next(random, 1000) <= 200)
                        .count()
                / (double) DRAWS;
    }

    @Test
    void fourInFiveGoToTheFirstFifthIfAskedFor() {
        assertThat(shareOfFirstFifth(Keys.UNIFORM)).isCloseTo(0.2, within(0.01));
        assertThat(shareOfFirstFifth(Keys.EIGHTY_TWENTY)).isCloseTo(0.8, within(0.01));
    }

    @ParameterizedTest
    @EnumSource
    void firstAndLastRowAreDrawnAndNothingBeyond(Keys keys) {
        SplittableRandom random = new SplittableRandom(1);
        int[] drawn = IntStream.range(0, 10_000)
                .map(i -> keys.next(random, 100))
                .distinct()
                .sorted()
                .toArray();
        assertThat(drawn).containsExactly(IntStream.rangeClosed(1, 100).toArray());
        assertThat(keys.next(random, 1)).isEqualTo(1);
    }
}
