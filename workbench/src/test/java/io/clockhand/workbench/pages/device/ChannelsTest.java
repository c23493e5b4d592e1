// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.pages.device.SimulatedSsd.Channels;
import org.junit.jupiter.api.Test;

class ChannelsTest {
    @Test
    void requestIsServedByTheChannelThatIsFreeFirst() {
        Channels two = new Channels(2, 0, 1, 0);

        assertThat(two.accept(0, 10)).isEqualTo(10);
        assertThat(two.accept(0, 40)).isEqualTo(40);
        assertThat(two.accept(5, 20)).as("behind the first").isEqualTo(30);
        assertThat(two.accept(6, 5)).as("behind the third").isEqualTo(35);
        assertThat(two.accept(100, 5)).as("on an idle channel").isEqualTo(105);
    }

    @Test
    void busyTimeIsWhatIsDoneUpToNow() {
        Channels two = new Channels(2, 0, 1, 0);
        two.accept(0, 10);
        two.accept(0, 40);
        two.accept(0, 20);

        assertThat(two.busy(0)).isZero();
        assertThat(two.busy(15)).isEqualTo(30);
        assertThat(two.busy(35)).isEqualTo(65);
        assertThat(two.busy(1000)).isEqualTo(70);
    }

    @Test
    void jitterIsThatOfTheSeedAndKeepsTheMean() {
        Channels one = new Channels(1, 0.1, 7, 0);
        Channels same = new Channels(1, 0.1, 7, 0);
        long end = 0;
        for (int i = 0; i < 10_000; i++) {
            long next = one.accept(0, 1000);
            assertThat(next - end).isBetween(899L, 1101L);
            assertThat(same.accept(0, 1000)).isEqualTo(next);
            end = next;
        }
        assertThat(end / 10_000.0).isBetween(990.0, 1010.0);
    }
}
