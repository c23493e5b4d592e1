// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ChannelTest {
    private static final long NOW = 1_000;

    private static Channel steady() {
        return new Channel(0, 1, 0, NOW);
    }

    /** The times for which the first requests of an idle channel are served, accepted at once. */
    private static long[] services(long seed, int number, int count) {
        Channel channel = new Channel(0.1, seed, number, NOW);
        long[] ends = LongStream.generate(() -> channel.accept(NOW, 1_000_000))
                .limit(count)
                .toArray();
        long[] services = new long[count];
        Arrays.setAll(services, i -> ends[i] - (i == 0 ? NOW : ends[i - 1]));
        return services;
    }

    @Test
    void requestsAreServedInTheirOrder() {
        Channel channel = steady();

        assertThat(channel.accept(NOW + 10, 100)).isEqualTo(NOW + 110);
        assertThat(channel.accept(NOW + 20, 500)).isEqualTo(NOW + 610);
        assertThat(channel.accept(NOW + 15, 100)).isEqualTo(NOW + 710);
    }

    @Test
    void idleChannelHasSavedNothingUp() {
        Channel channel = steady();
        channel.accept(NOW, 100);

        assertThat(channel.accept(NOW + 5_000, 100)).isEqualTo(NOW + 5_100);
    }

    @Test
    void busyTimeIsThatUpToNow() {
        Channel channel = steady();
        channel.accept(NOW, 100);
        channel.accept(NOW, 100);
        assertThat(channel.busy(NOW)).isZero();
        assertThat(channel.busy(NOW + 150)).isEqualTo(150);
        assertThat(channel.busy(NOW + 300)).isEqualTo(200);

        channel.accept(NOW + 300, 100);
        assertThat(channel.busy(NOW + 301)).isEqualTo(201);
    }

    @Test
    void serviceTimesAreThoseOfTheSeedAndTheChannel() {
        long[] times = services(7, 3, 1_000);

        assertThat(services(7, 3, 1_000)).isEqualTo(times);
        assertThat(services(8, 3, 1_000)).isNotEqualTo(times);
        assertThat(services(7, 4, 1_000)).isNotEqualTo(times);
    }

    @Test
    void jitterIsWithinItsBoundsAndKeepsTheMean() {
        long[] times = services(7, 3, 20_000);

        assertThat(Arrays.stream(times).min().orElseThrow()).isBetween(900_000L, 901_000L);
        assertThat(Arrays.stream(times).max().orElseThrow()).isBetween(1_099_000L, 1_100_000L);
        assertThat(Arrays.stream(times).average().orElseThrow()).isBetween(998_000.0, 1_002_000.0);
    }
}
