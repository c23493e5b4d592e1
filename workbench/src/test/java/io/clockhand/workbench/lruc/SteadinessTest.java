// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.workbench.lruc.RunAnswer.Moment;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SteadinessTest {
    private static final Offset<Double> EXACTLY = within(1e-9);

    private static Steadiness of(double... operations) {
        List<Moment> seconds = new ArrayList<>();
        for (double count : operations) {
            seconds.add(new Moment(seconds.size() + 1, count, 0, 0, 0));
        }
        return Steadiness.of(seconds);
    }

    @Test
    void driftIsThatOfTheSecondHalfAgainstTheFirst() {
        assertThat(of(100, 100, 105, 115).driftPercent()).isEqualTo(10, EXACTLY);
        assertThat(of(100, 100, 100, 110).stable()).isTrue();
        assertThat(of(100, 100, 100, 111).stable()).isFalse();
        assertThat(of(100, 100, 90, 89).driftPercent()).isEqualTo(-10.5, EXACTLY);
        assertThat(of(100, 100, 90, 89).stable()).isFalse();
    }

    @Test
    void secondInTheMiddleBelongsToNeitherHalf() {
        assertThat(of(100, 5000, 104).driftPercent()).isEqualTo(4, EXACTLY);
    }

    @Test
    void slowSecondsAreComparedWithTheMedian() {
        Steadiness steadiness = of(100, 20, 100, 50, 49, 120, 100, 100);

        assertThat(steadiness.lowestPercent()).isEqualTo(20, EXACTLY);
        assertThat(steadiness.steadyPercent()).isEqualTo(75, EXACTLY);
    }

    @Test
    void isNotKnownOfASingleSecondOrOfAnIdleStart() {
        assertThat(of(100)).isNull();
        assertThat(of()).isNull();
        assertThat(of(0, 100)).isNull();
    }
}
