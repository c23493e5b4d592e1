// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static io.clockhand.cache.CounterCaches.touch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.cache.Counters.Step;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A release finds the frame by a hint or by the key; it must be the same frame. */
class HolderCacheReleaseTest {
    @RegisterExtension
    final CounterCaches caches = new CounterCaches();

    @RegisterExtension
    final Workers workers = new Workers();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void holdersAreReleasedInAnyOrder(long seed) throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(8);
        Random random = new Random(seed);
        List<Counter> pinned = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            if (pinned.size() < 6 && random.nextBoolean()) {
                pinned.add(cache.find(random.nextInt(20)));
            } else if (!pinned.isEmpty()) {
                Collections.swap(pinned, random.nextInt(pinned.size()), pinned.size() - 1);
                cache.release(pinned.remove(pinned.size() - 1));
            }
        }
        for (Counter counter : pinned) {
            cache.release(counter);
        }
        assertThat(cache.stats().pinned()).isZero();
    }

    @Test
    void releaseByAnotherThreadThanTheOneThatFoundIsTheSame() throws Exception {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(8);
        Counter first = cache.find(1);
        Counter second = cache.find(2);
        workers.start(() -> {
                    cache.release(first);
                    cache.release(second);
                    return true;
                })
                .result();
        assertThat(cache.stats().pinned()).isZero();
    }

    @Test
    void secondReleaseIsRefused() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(8);
        Counter counter = cache.find(1);
        cache.release(counter);
        assertThatThrownBy(() -> cache.release(counter)).isInstanceOf(IllegalStateException.class);
        touch(cache, 1);
    }

    @Test
    void releaseOfAnEvictedHolderIsRefusedThoughItsFrameIsPinned() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        Counter counter = cache.find(1);
        cache.release(counter);
        cache.discard(key -> true);
        assertThatThrownBy(() -> cache.release(counter)).isInstanceOf(IllegalStateException.class);
        touch(cache, 2);
    }

    /** However it left. */
    @Test
    void holderThatHasLeftIsFoundInNoFrame() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        Counter counter = cache.find(2);
        cache.release(counter);
        cache.evictClean();
        assertThatThrownBy(() -> cache.release(counter))
                .as("release of a holder that was aged out")
                .hasMessageContaining("not pinned in this cache");
        Counter again = cache.find(4);
        cache.remove(again);
        assertThatThrownBy(() -> cache.release(again))
                .as("release of a holder that was removed")
                .hasMessageContaining("not pinned in this cache");
        assertThatCode(cache::checkIntegrity).as("the cache").doesNotThrowAnyException();
    }

    /** The empty holder waits in the frame for the load to fill it; it must not pass for a pinned one. */
    @Test
    void secondReleaseWhileTheHolderIsLoadedAnewIsRefused() throws Exception {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        Counter counter = cache.find(1);
        cache.release(counter);
        Gate loading = new Gate();
        caches.counters.on(Step.LOAD, 2, loading::pass);
        Worker<Counter> second = workers.start(() -> cache.find(2));
        loading.awaitReached();

        assertThatThrownBy(() -> cache.release(counter)).isInstanceOf(IllegalStateException.class);
        loading.open();

        Counter found = second.result();
        assertThat(found).as("the holder is recycled").isSameAs(counter);
        cache.release(found);
    }

    @Test
    void nothingCannotBeReleased() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(4);
        Counter pinned = cache.find(2);

        assertThatThrownBy(() -> cache.release(null)).isInstanceOf(NullPointerException.class);

        assertThat(cache.stats().pinned()).isEqualTo(1);
        cache.release(pinned);
    }

    @Test
    void bindingsOfFirstAndAddedFramesAreApart() {
        int first = 4;
        int[] frames = {0, first - 1, first, first + 1_023, first + 1_024, first + 3_000};
        Bindings<Integer, Counter> bindings = new Bindings<>(first);
        bindings.ensureFrames(first + 1);
        bindings.ensureFrames(first + 3_001);
        for (int frame : frames) {
            bindings.set(frame, new Entry<>(frame, frame, frame));
        }
        for (int frame : frames) {
            assertThat(bindings.get(frame).frame).isEqualTo(frame);
            assertThat(bindings.hinted(frame)).isSameAs(bindings.get(frame));
        }
    }

    @Test
    void hintOfAFrameThatThisThreadDoesNotSeeYetLeadsNowhere() {
        Bindings<Integer, Counter> bindings = new Bindings<>(4);
        bindings.ensureFrames(10);
        assertThat(bindings.hinted(9)).isNull();
        assertThat(bindings.hinted(5_000)).isNull();
    }
}
