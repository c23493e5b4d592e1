// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SparesTest {
    private final AtomicInteger created = new AtomicInteger();
    private final Spares<Integer> spares = new Spares<>(created::incrementAndGet);

    @Test
    void objectThatWasPutBackIsTakenAgain() {
        int first = spares.take(3);
        spares.putBack(3, first);

        assertThat(spares.take(3)).isEqualTo(first);
        assertThat(created).hasValue(1);
    }

    @Test
    void objectInUseIsNotTaken() {
        assertThat(spares.take(3)).isNotEqualTo(spares.take(3));
        assertThat(created).hasValue(2);
    }

    @Test
    void stripeKeepsOneOfTheObjectsThatArePutBack() {
        int first = spares.take(3);
        int second = spares.take(3 + 64);
        spares.putBack(3, first);
        spares.putBack(3 + 64, second);

        assertThat(spares.take(3)).isEqualTo(second);
        assertThat(spares.take(3)).isEqualTo(3);
    }

    @Test
    void threadsOfDifferentStripesHaveDifferentObjects() {
        spares.putBack(3, 10);
        spares.putBack(4, 11);

        assertThat(spares.take(4)).isEqualTo(11);
        assertThat(spares.take(3)).isEqualTo(10);
    }
}
