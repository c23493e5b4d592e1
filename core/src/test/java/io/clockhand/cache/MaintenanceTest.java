// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static io.clockhand.cache.CounterCaches.touch;
import static io.clockhand.cache.CounterCaches.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.cache.Counters.Step;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Visits of all holders, while the holders change. */
class MaintenanceTest {
    @RegisterExtension
    final CounterCaches caches = new CounterCaches();

    @RegisterExtension
    final Workers workers = new Workers();

    private final Counters counters = caches.counters;

    @Test
    void discardLeavesAHolderThatHasReplacedTheOneThatMatched() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        touch(cache, 1);

        cache.discard(key -> {
            try {
                if (key == 1) {
                    write(cache, 2, 20);
                }
                return key == 1;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        cache.cleanAll();

        assertThat(counters.stored(2))
                .as("the value of the holder that did not match")
                .isEqualTo(20);
    }

    @Test
    void holderThatIsPinnedTwiceIsCleaned() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        Counter first = cache.find(1);
        Counter second = cache.find(1);
        first.set(10);

        cache.cleanAll();

        assertThat(counters.stored(1))
                .as("the value of a holder that is pinned twice")
                .isEqualTo(10);
        cache.release(first);
        cache.release(second);
    }

    @Test
    void cleanAllWaitsForAWriteBackOfAHolderThatIsMarkedCleanAlready() throws Exception {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        Counter counter = cache.find(1);
        counter.set(10);
        Gate writing = new Gate();
        counters.on(Step.CLEAN, 1, () -> {
            counter.dirty = false;
            writing.pass();
        });
        Worker<Void> first = workers.run(cache::cleanAll);
        writing.awaitReached();

        Worker<Void> second = workers.run(cache::cleanAll);
        second.awaitParkedOrDone();
        assertThat(second.isDone())
                .as("cleanAll ends during a write that another thread began")
                .isFalse();
        assertThat(counters.stored(1)).isZero();
        writing.open();
        second.result();

        assertThat(counters.stored(1)).isEqualTo(10);
        first.result();
        cache.release(counter);
    }

    /** The end of a dirty check wakes the threads that wait for it, though the pin stays for the write. */
    @Test
    void evictCleanGoesOnWhenTheDirtyCheckHasEndedAndItsWriteHasNot() throws Exception {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(2);
        write(cache, 1, 10);
        Gate check = new Gate();
        Gate writing = new Gate();
        AtomicBoolean first = new AtomicBoolean(true);
        counters.on(Step.IS_DIRTY, 1, () -> {
            if (first.getAndSet(false)) {
                check.pass();
            }
        });
        counters.on(Step.CLEAN, 1, writing::pass);
        Worker<Void> cleaning = workers.run(cache::cleanAll);
        check.awaitReached();
        Worker<Void> ageing = workers.run(cache::evictClean);
        ageing.awaitParked();

        check.open();
        writing.awaitReached();
        ageing.result();

        writing.open();
        cleaning.result();
    }

    @Test
    void frameThatIsNotMarkedAnyMoreIsNotCleanedFromTheQueue() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(3);
        cache.useCleaner(() -> {});
        write(cache, 1, 10);
        write(cache, 2, 20);
        touch(cache, 3, 4);
        assertThat(cache.stats().queued()).isEqualTo(2);
        cache.discard(key -> key == 1);

        assertThat(cache.cleanQueued(1)).as("one more is waiting").isTrue();
        assertThat(cache.cleanQueued(1)).isFalse();

        assertThat(counters.stored(1)).isZero();
        assertThat(counters.stored(2)).isEqualTo(20);
        assertThat(cache.stats().backgroundCleans()).isEqualTo(1);
    }

    /** It was queued once, written by another thread, and changed again. */
    @Test
    void cleanerLeavesAHolderThatWasWrittenSinceItWasQueued() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(3);
        cache.useCleaner(() -> {});
        write(cache, 1, 10);
        write(cache, 2, 20);
        touch(cache, 3, 4);
        assertThat(cache.stats().queued()).isEqualTo(2);
        cache.cleanAll();
        write(cache, 1, 11);

        cache.cleanQueued(10);

        assertThat(counters.stored(1))
                .as("what the cleaner has written of key 1")
                .isEqualTo(10);
        assertThat(cache.stats().backgroundCleans()).as("writes of the cleaner").isZero();
    }

    @Test
    void failureThatTheLifecycleThrowsTwiceReachesTheCaller() throws IOException {
        HolderCache<Integer, Counter, IOException> cache = caches.cache(1);
        Error preallocated = new OutOfMemoryError("preallocated");
        AtomicBoolean thrown = new AtomicBoolean();
        HolderCache<Integer, Counter, IOException> failing = HolderCache.builder(new Counters() {
                    @Override
                    public Counter load(Counter holder, Integer key) {
                        throw preallocated;
                    }

                    @Override
                    public void clear(Counter holder) {
                        thrown.set(true);
                        throw preallocated;
                    }
                })
                .frames(1)
                .build();

        assertThatThrownBy(() -> failing.find(1)).isSameAs(preallocated);

        assertThat(thrown).isTrue();
        assertThat(failing.findCached(1)).isNull();
        failing.checkIntegrity();
        touch(cache, 1);
    }
}
