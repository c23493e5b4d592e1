// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreeNumbersTest {
    /** Runs once when a link is read. */
    private Runnable duringPop = () -> {};

    private final int[] links = new int[3];
    private final FreeNumbers free = new FreeNumbers(
            new FreeNumbers.Links() {
                @Override
                public int link(int number) {
                    int link = links[number];
                    Runnable interleaved = duringPop;
                    duringPop = () -> {};
                    interleaved.run();
                    return link;
                }

                @Override
                public void setLink(int number, int next) {
                    links[number] = next;
                }
            },
            3);

    /** ABA: the top is the same number again, but the one below it has been taken. */
    @Test
    void popDuringWhichTheTopWasTakenAndReturnedHandsOutNoNumberTwice() {
        for (int i = 0; i < 3; i++) {
            free.poll();
        }
        for (int number = 0; number < 3; number++) {
            free.offer(number);
        }
        Set<Integer> taken = new HashSet<>();
        duringPop = () -> {
            int top = free.poll();
            assertThat(taken.add(free.poll())).isTrue();
            free.offer(top);
        };

        for (int i = 0; i < 2; i++) {
            int number = free.poll();
            assertThat(taken.add(number))
                    .as("number %d is handed out for the first time", number)
                    .isTrue();
        }

        assertThat(taken).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(free.poll()).isEqualTo(FreeNumbers.NONE);
    }

    private void takeAll() {
        for (int i = 0; i < 3; i++) {
            free.poll();
        }
    }

    @Test
    void numbersPastTheLimitAreRetiredAsTheyComeBack() {
        takeAll();
        free.setLimit(1);

        free.offer(2);
        free.offer(1);
        free.offer(0);

        assertThat(free.isRetired(1)).isTrue();
        assertThat(free.isRetired(2)).isTrue();
        assertThat(free.isRetired(0)).isFalse();
        assertThat(free.size()).isOne();
        assertThat(free.poll()).isZero();
        assertThat(free.poll()).isEqualTo(FreeNumbers.NONE);
    }

    @Test
    void numbersThatWereRetiredAreFreeWhenTheLimitRises() {
        takeAll();
        free.setLimit(1);
        free.offer(2);
        free.offer(1);

        free.setLimit(2);

        assertThat(free.poll()).isEqualTo(1);
        assertThat(free.poll()).isEqualTo(FreeNumbers.NONE);
        assertThat(free.isRetired(2)).isTrue();
        free.setLimit(3);
        assertThat(free.poll()).isEqualTo(2);
        assertThat(free.size()).isZero();
    }

    @Test
    void numbersNeverGivenOutAreRetiredWithoutAStep() {
        free.poll();
        free.setLimit(1);

        assertThat(free.isRetired(1)).isTrue();
        assertThat(free.isRetired(2)).isTrue();
        assertThat(free.poll()).isEqualTo(FreeNumbers.NONE);
        assertThat(free.isEmpty()).isTrue();
        free.setLimit(3);
        assertThat(free.poll()).isEqualTo(1);
        assertThat(free.poll()).isEqualTo(2);
    }

    @Test
    void drainingRetiresNumbersInTheStackAndKeepsTheOthers() {
        takeAll();
        for (int number = 0; number < 3; number++) {
            free.offer(number);
        }
        free.setLimit(2);
        assertThat(free.isRetired(2)).isFalse();
        Set<Integer> kept = new HashSet<>();

        free.drain(kept::add);

        assertThat(kept).containsExactlyInAnyOrder(0, 1);
        assertThat(free.isRetired(2)).isTrue();
        assertThat(free.size()).isEqualTo(2);
        int first = free.poll();
        assertThat(first).isBetween(0, 1);
        assertThat(free.poll()).isEqualTo(1 - first);
    }

    @Test
    void drainThatFailsLeavesTheNumbersFree() {
        takeAll();
        for (int number = 0; number < 3; number++) {
            free.offer(number);
        }

        assertThatThrownBy(() -> free.drain(number -> {
                    throw new IllegalStateException("injected");
                }))
                .hasMessage("injected");

        assertThat(free.size()).isEqualTo(3);
    }
}
