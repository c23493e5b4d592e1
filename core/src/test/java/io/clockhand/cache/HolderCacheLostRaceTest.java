// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static io.clockhand.cache.CounterCaches.touch;
import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.cache.Counters.Step;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two threads miss on one key: the second uses the holder of the first, and its own frame is free again. */
class HolderCacheLostRaceTest {
    @RegisterExtension
    final CounterCaches caches = new CounterCaches();

    @RegisterExtension
    final Workers workers = new Workers();

    @Test
    void loserUsesTheWinnersHolderAndItsFrameIsFreeAgain() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        touch(cache, 0, 1);
        Gate clearing = new Gate();
        caches.counters.on(Step.CLEAR, 0, clearing::pass);
        Worker<Counter> second = workers.start(() -> cache.find(2));
        clearing.awaitReached();

        Counter first = cache.find(2);
        clearing.open();

        assertThat(second.result()).isSameAs(first);
        assertThat(caches.counters.loads(2)).isEqualTo(1);
        assertThat(cache.stats().resident()).isEqualTo(1);
        assertThat(cache.stats().evictions()).isEqualTo(2);
        touch(cache, 3);
        assertThat(cache.stats().evictions()).as("a free frame was there").isEqualTo(2);
        cache.release(first);
        cache.release(first);
    }

    /** A key that lets the test in between the look-up in the table and the miss. */
    private static final class RacingKey {
        private final int value;
        private final Runnable whenHashed;

        RacingKey(int value, Runnable whenHashed) {
            this.value = value;
            this.whenHashed = whenHashed;
        }

        @Override
        public int hashCode() {
            whenHashed.run();
            return value;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof RacingKey key && key.value == value;
        }
    }

    private static final class Box {
        RacingKey key;
    }

    private static final class Boxes implements HolderLifecycle<RacingKey, Box, RuntimeException> {
        @Override
        public Box allocate() {
            return new Box();
        }

        @Override
        public Box load(Box holder, RacingKey key) {
            holder.key = key;
            return holder;
        }

        @Override
        public Box create(Box holder, RacingKey key, Object parameter) {
            return load(holder, key);
        }

        @Override
        public RacingKey keyOf(Box holder) {
            return holder.key;
        }

        @Override
        public boolean isDirty(Box holder) {
            return Objects.requireNonNull(holder).key == null;
        }

        @Override
        public void clean(Box holder, boolean removing) {}

        @Override
        public void clear(Box holder) {
            holder.key = null;
        }
    }

    /**
     * The frame of the loser was bound to the key once, but never mapped; maintenance must not take it for the key's.
     */
    @Test
    void maintenanceThatHasSeenTheLosersBindingLeavesTheNextOneOfTheFrameAlone() {
        HolderCache<RacingKey, Box, RuntimeException> cache = HolderCache.builder(new Boxes())
                .frames(3)
                .tuning(t -> t.table(KeyTableKind.NON_BLOCKING_HASH_MAP))
                .build();
        RacingKey same = new RacingKey(7, () -> {});
        AtomicBoolean raced = new AtomicBoolean();
        int[] hashed = {0};
        RacingKey late = new RacingKey(7, () -> {
            // 1: the hash for the find; 2: the look-up, just before the miss; 3: putIfAbsent
            if (++hashed[0] == 3 && raced.compareAndSet(false, true)) {
                cache.release(cache.find(same));
            }
        });
        cache.release(cache.find(late));
        assertThat(raced).isTrue();
        assertThat(cache.stats().resident()).isEqualTo(1);

        // while the predicate reads the binding of the loser, another key comes into its frame
        cache.cleanMatching(key -> {
            cache.release(cache.find(new RacingKey(8, () -> {})));
            return true;
        });

        List<Box> values = cache.values();
        assertThat(values).doesNotContainNull().hasSize(2);
        cache.checkIntegrity();
    }
}
