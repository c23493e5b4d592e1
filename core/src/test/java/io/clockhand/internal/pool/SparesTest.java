// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SparesTest {
    private static final int STRIPES = 4;

    private final AtomicInteger created = new AtomicInteger();
    private final Spares<Integer> spares = new Spares<>(created::incrementAndGet, STRIPES);

    @Test
    void objectThatWasPutBackIsTakenAgain() {
        Integer first = spares.take(3);
        spares.putBack(3, first);

        assertThat(spares.take(3)).isSameAs(first);
        assertThat(created).hasValue(1);
    }

    @Test
    void objectInUseIsNotTaken() {
        assertThat(spares.take(3)).isNotEqualTo(spares.take(3));
        assertThat(created).hasValue(2);
    }

    @Test
    void threadThatMeetsAnotherInItsStripeUsesTheObjectOfAnotherStripeAgain() {
        Integer first = spares.take(3);
        Integer second = spares.take(3 + STRIPES);
        spares.putBack(3 + STRIPES, second);

        assertThat(spares.take(3 + 2 * STRIPES)).isSameAs(second);
        spares.putBack(3, first);
        assertThat(spares.take(3)).isSameAs(first);
        assertThat(created).hasValue(2);
    }

    @Test
    void objectThatWasCreatedWhileAllWereTakenIsNotTakenAgain() {
        Set<Integer> taken = new HashSet<>();
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            taken.add(spares.take(0));
        }
        Integer extra = spares.take(0);
        spares.putBack(0, extra);

        assertThat(taken).hasSize(STRIPES).doesNotContain(extra);
        assertThat(spares.take(0)).isNotIn(taken).isNotEqualTo(extra);
    }

    @Test
    void threadsOfDifferentStripesHaveDifferentObjects() {
        Integer first = spares.take(1);
        Integer second = spares.take(2);
        spares.putBack(2, second);
        spares.putBack(1, first);

        assertThat(spares.take(1)).isSameAs(first);
        assertThat(spares.take(2)).isSameAs(second);
    }

    @Test
    void stripeWhoseObjectCouldNotBeCreatedIsFree() {
        Spares<Object> failing = new Spares<>(
                () -> {
                    if (created.incrementAndGet() == 1) {
                        throw new IllegalStateException("the first fails");
                    }
                    return new Object();
                },
                1);
        assertThatThrownBy(() -> failing.take(0)).isInstanceOf(IllegalStateException.class);

        Object second = failing.take(0);
        failing.putBack(0, second);
        assertThat(failing.take(0)).isSameAs(second);
    }
}
