// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PoolExhaustedException;
import io.clockhand.cache.Counters.Step;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;

/** The known faults of the published algorithm, each as the interleaving that shows it, on a cache of two frames. */
enum FaultScenario {
    DIRTY_VICTIM_IS_WRITTEN_BEFORE_IT_IS_UNMAPPED {
        @Override
        void play(CounterStore cache, Counters counters, Workers workers) {
            cache.inc(0);
            Gate writing = new Gate();
            counters.on(Step.CLEAN, 0, writing::pass);
            Worker<Void> evictor = workers.run(() -> readMany(cache));
            writing.awaitReached();
            Worker<Long> reader = workers.start(() -> cache.read(0));
            reader.awaitParkedOrDone();
            writing.open();
            evictor.result();

            assertThat(reader.result())
                    .as("read while the dirty victim is written")
                    .isEqualTo(1);
        }
    },
    NOTHING_IS_PUBLISHED_BEFORE_IT_IS_COMPLETE {
        @Override
        void play(CounterStore cache, Counters counters, Workers workers) {
            counters.store.put(0, 5L);
            cache.read(0);
            Gate evicted = new Gate();
            counters.on(cache.evicted(), 0, evicted::pass);
            Worker<Void> evictor = workers.run(() -> readMany(cache));
            evicted.awaitReached();
            Gate publishing = new Gate();
            counters.on(cache.publishing(), 0, publishing::pass);
            Worker<Long> first = workers.start(() -> cache.inc(0));
            first.awaitParkedOrDone();
            Worker<Long> second = workers.start(() -> cache.inc(0));
            second.awaitParkedOrDone();
            publishing.open();
            evicted.open();
            evictor.result();
            first.result();
            second.result();

            assertThat(cache.read(0)).isEqualTo(7);
        }
    },
    FRAME_OF_A_LOST_RACE_IS_FREE_AGAIN {
        @Override
        void play(CounterStore cache, Counters counters, Workers workers) {
            cache.read(0);
            cache.read(1);
            Gate evicted = new Gate();
            counters.on(cache.evicted(), 0, evicted::pass);
            Worker<Long> loser = workers.start(() -> cache.read(2));
            evicted.awaitReached();
            cache.read(2);
            evicted.open();
            loser.result();
            long before = cache.evictions();

            cache.read(3);

            assertThat(cache.evictions()).isEqualTo(before);
        }
    },
    MISS_GIVES_UP_WHEN_ALL_FRAMES_ARE_PINNED {
        @Override
        void play(CounterStore cache, Counters counters, Workers workers) {
            cache.pin(0);
            cache.pin(1);

            Throwable failure = workers.start(() -> cache.read(2)).failure();

            assertThat(failure).isInstanceOf(PoolExhaustedException.class).hasMessageContaining("2 pins");
        }
    },
    DISCARDED_VALUE_DOES_NOT_COME_BACK {
        @Override
        void play(CounterStore cache, Counters counters, Workers workers) {
            cache.inc(0);

            cache.discard(0);

            assertThat(cache.read(0)).isZero();
        }
    },
    FLUSH_PASSES_BY_A_FRAME_WITHOUT_A_VALUE {
        @Override
        void play(CounterStore cache, Counters counters, Workers workers) {
            Gate loading = new Gate();
            counters.on(Step.LOAD, 0, loading::pass);
            Worker<Long> loader = workers.start(() -> cache.read(0));
            loading.awaitReached();
            try {
                assertThatCode(cache::flush).doesNotThrowAnyException();
            } finally {
                loading.open();
                loader.result();
            }
        }
    },
    HAND_THAT_OVERFLOWS_POINTS_AT_A_FRAME {
        @Override
        void play(CounterStore cache, Counters counters, Workers workers) {
            assertThatCode(() -> {
                        for (int key = 0; key < 20; key++) {
                            cache.read(key);
                        }
                    })
                    .doesNotThrowAnyException();
        }
    },
    NOTHING_IS_UNPINNED_THAT_HAS_NO_PIN {
        @Override
        void play(CounterStore cache, Counters counters, Workers workers) {
            if (cache instanceof HolderCounters real) {
                cache.read(0);
                assertThatThrownBy(() -> real.cache.release(real.cache.values().get(0)))
                        .isInstanceOf(IllegalStateException.class);
                cache.read(0);
            } else {
                PublishedCache.Frame frame = new PublishedCache.Frame(0);
                frame.tryEvict();
                frame.unpin();
                assertThat(frame.pin()).as("an evicted frame is pinned").isFalse();
            }
        }
    };

    /** Throws an AssertionError if the cache has the fault. */
    abstract void play(CounterStore cache, Counters counters, Workers workers);

    /** Enough to turn the hand around several times. */
    private static void readMany(CounterStore cache) {
        for (int key = 1; key < 8; key++) {
            cache.read(key);
        }
    }
}
