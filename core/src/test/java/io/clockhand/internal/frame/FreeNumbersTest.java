// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

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
            assertThat(taken.add(free.poll())).isTrue();
        }

        assertThat(taken).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(free.poll()).isEqualTo(FreeNumbers.NONE);
    }
}
