// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampledPagesTest {
    private static final int PAGES = 1_000_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 64, 4096, 1L << 32})
    void shareOfThePagesIsTheRateWhateverTheirDistance(long distance) {
        SampledPages pages = new SampledPages(0.01);

        long sampled = LongStream.range(0, PAGES)
                .filter(page -> pages.contains(page * distance))
                .count();

        assertThat((double) sampled / PAGES).isCloseTo(0.01, within(0.0005));
    }

    @Test
    void everyPageIsSampledAtRateOne() {
        SampledPages pages = new SampledPages(1);

        assertThat(LongStream.range(0, PAGES)).allMatch(pages::contains);
    }

    @Test
    void pagesOfALowerRateAreSampledAtAHigherOne() {
        SampledPages few = new SampledPages(0.02);
        SampledPages many = new SampledPages(0.03);

        assertThat(LongStream.range(0, PAGES).filter(few::contains)).allMatch(many::contains);
    }
}
