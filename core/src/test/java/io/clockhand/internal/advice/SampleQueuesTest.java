// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Samples that wait: which are played, kept or dropped. */
class SampleQueuesTest {
    private static final int CAPACITY = SampleQueues.CAPACITY;

    private final SampleQueues queues = new SampleQueues();
    private final List<Long> played = new ArrayList<>();
    private boolean isBusy;

    private boolean play(long[] ids, int from, int to) {
        if (isBusy) {
            return false;
        }
        for (int i = from; i < to; i++) {
            played.add(ids[i]);
        }
        return true;
    }

    private void add(long from, long to) {
        for (long id = from; id < to; id++) {
            queues.add(queues.count(), id, this::play);
        }
    }

    private static List<Long> ids(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    @Test
    void fullQueueIsPlayedInOrderAndTakesTheNextSample() {
        add(0, CAPACITY + 1);
        assertThat(played).as("samples that were played").isEqualTo(ids(0, CAPACITY));

        queues.drain(this::play);
        assertThat(played).as("samples after a drain").isEqualTo(ids(0, CAPACITY + 1));
        queues.drain(this::play);
        assertThat(played).as("samples after a second drain").isEqualTo(ids(0, CAPACITY + 1));
        assertThat(queues.dropped()).as("dropped samples").isZero();
        assertThat(queues.sampled()).as("samples").isEqualTo(CAPACITY + 1);
    }

    @Test
    void samplesThatCannotBePlayedNowStayAndLaterOnesAreDropped() {
        isBusy = true;
        add(0, CAPACITY + 5);
        assertThat(queues.dropped()).as("dropped samples").isEqualTo(5);
        queues.drain(this::play);
        assertThat(played).as("samples while the player is busy").isEmpty();

        isBusy = false;
        queues.drain(this::play);
        assertThat(played).as("samples that have waited").isEqualTo(ids(0, CAPACITY));
    }

    /** A policy that is played may use the cache, whose references are recorded. */
    @Test
    void sampleOfTheThreadThatPlaysIsDropped() {
        add(0, CAPACITY);
        queues.drain((ids, from, to) -> {
            queues.add(queues.count(), 1_000, this::play);
            return play(ids, from, to);
        });

        assertThat(played).as("samples").isEqualTo(ids(0, CAPACITY));
        assertThat(queues.dropped()).as("dropped samples").isEqualTo(1);
        add(CAPACITY, CAPACITY + 3);
        queues.drain(this::play);
        assertThat(played).as("samples afterwards").isEqualTo(ids(0, CAPACITY + 3));
    }
}
