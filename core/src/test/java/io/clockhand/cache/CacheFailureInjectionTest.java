// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.cache.Counters.Step;
import io.clockhand.policy.Policies;
import io.clockhand.policy.PoliciesForTests;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.FailingCalls;
import io.clockhand.testing.FailingCalls.Kind;
import io.clockhand.testing.Patience;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Work;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each call of a policy, a lifecycle, a cleaner or a predicate fails once, at every step of a program that uses a cache
 * in all ways. No failure leaves a pin, a claim or a mark behind, or loses a change: afterwards the cache is whole,
 * each key has its value, and the cache closes.
 */
class CacheFailureInjectionTest {
    private static final int FRAMES = 2;
    private static final int LEAST_CALLS = 10;
    private static final int MOST_CALLS = 2_000;
    private static final int CREATED = 10;

    @RegisterExtension
    private final Workers workers = new Workers();

    static Stream<Arguments> settings() {
        Stream<Arguments> kinds = Stream.of(Kind.values())
                .flatMap(kind -> Stream.of(true, false)
                        .map(once -> Arguments.of(Policies.DEFAULT, KeyTableKind.DEFAULT, kind, once)));
        Stream<Arguments> tables = Stream.of(KeyTableKind.values())
                .map(table -> Arguments.of(Policies.DEFAULT, table, Kind.EXCEPTION, true));
        Stream<Arguments> policies = Stream.of(
                        "nb-gclock", "gclock", "lru", "2q", "lirs", "mq", "bp:lirs", "buffered:lru")
                .map(policy -> Arguments.of(policy, KeyTableKind.DEFAULT, Kind.OUT_OF_MEMORY, true));
        return Tier.some(4, Stream.of(kinds, tables, policies).flatMap(each -> each));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void callThatFailsLeavesNothingBehind(String policy, KeyTableKind table, Kind kind, boolean once) throws Exception {
        boolean failed = true;
        int call = 0;
        while (failed) {
            assertThat(++call).isLessThan(MOST_CALLS);
            Program program = new Program(policy, table);
            program.calls.failAt(call, kind, once);
            try {
                program.run();
                program.calls.succeed();
                program.expectWhole();
            } catch (Throwable failure) {
                throw new AssertionError("after the failure of " + program.calls.place() + ": " + failure, failure);
            }
            failed = program.calls.hasFailed();
        }
        assertThat(call).isGreaterThan(LEAST_CALLS);
    }

    /** Uses a cache of two frames, which may grow to some more. */
    private final class Program {
        final FailingCalls calls = new FailingCalls();
        private final Counters counters = new Counters();
        private final HolderCache<Integer, Counter, IOException> cache;
        private final ReplacementPolicy policy;
        private final Map<Integer, Long> values = new HashMap<>();

        Program(String name, KeyTableKind table) {
            calls.succeed();
            for (Step step : Step.values()) {
                counters.onEvery(step, () -> calls.at(step.name()));
            }
            policy = Policies.create(name, FRAMES);
            cache = HolderCache.builder(counters)
                    .frames(FRAMES)
                    .maxFrames(40)
                    .tuning(t -> t.table(table))
                    .exhaustedAfter(Patience.PATIENCE)
                    .waitTimeout(Patience.PATIENCE)
                    .build(calls.failing(policy));
        }

        private void attempt(Work work) {
            try {
                work.run();
            } catch (Throwable failure) {
                if (!calls.isInjected(failure) && !(failure instanceof KeyExistsException)) {
                    throw new AssertionError("another failure: " + failure, failure);
                }
            }
        }

        /** Pins a holder; {@return it, or null if that failed} */
        private Counter tryFind(int key) {
            Counter[] found = new Counter[1];
            attempt(() -> found[0] = cache.find(key));
            return found[0];
        }

        private Counter tryFindCached(int key) {
            Counter[] found = new Counter[1];
            attempt(() -> found[0] = cache.findCached(key));
            return found[0];
        }

        /** To release a holder fails only if the policy does as the cache shrinks; the holder is unpinned then, too. */
        private void release(Counter counter) {
            if (counter != null) {
                attempt(() -> cache.release(counter));
            }
        }

        private void touch(int... keys) {
            for (int key : keys) {
                Counter counter = tryFind(key);
                if (counter != null) {
                    assertThat(counter.value).isEqualTo(values.getOrDefault(key, 0L));
                    release(counter);
                }
            }
        }

        private void write(int key, long value) {
            Counter counter = tryFind(key);
            if (counter != null) {
                counter.set(value);
                values.put(key, value);
                release(counter);
            }
        }

        void run() {
            touch(0, 1, 2, 2, 0);
            release(tryFindCached(0));
            write(3, 33);
            write(4, 44);
            touch(5, 6); // dirty victims are written by the finds
            create(CREATED, 1010L);
            create(CREATED, 2020L);
            create(11, null);
            attempt(() -> cache.find(-1));
            grow();
            removeOne(7, false);
            removeOne(8, true);
            write(3, 34);
            attempt(cache::cleanAll);
            write(4, 45);
            touch(9);
            attempt(() -> cache.discard(key -> {
                calls.at("predicate");
                return key == 9;
            }));
            attempt(cache::values);
            attempt(cache::evictClean);
            useCleaner();
            loadWithWaiter();
        }

        private void create(int key, Long parameter) {
            Counter[] created = new Counter[1];
            attempt(() -> created[0] = cache.create(key, parameter));
            if (created[0] != null) {
                values.put(key, parameter);
                release(created[0]);
            }
        }

        /** Pins more holders than there are frames, and shrinks back. */
        private void grow() {
            List<Counter> pinned = new ArrayList<>();
            for (int key = 20; key < 20 + 2 * FRAMES; key++) {
                pinned.add(tryFind(key));
            }
            pinned.forEach(this::release);
            touch(0, 1, 2);
        }

        private void removeOne(int key, boolean dirty) {
            Counter counter = tryFind(key);
            if (counter == null) {
                return;
            }
            if (dirty) {
                counter.set(key);
                values.put(key, (long) key);
            }
            attempt(() -> cache.remove(counter));
        }

        private void useCleaner() {
            cache.useCleaner(() -> calls.at("cleaner"));
            write(3, 35);
            write(4, 46);
            touch(0, 1, 2);
            attempt(() -> cache.cleanQueued(1));
            attempt(() -> cache.cleanQueued(10));
            attempt(() -> cache.cleanMatching(key -> {
                calls.at("predicate");
                return key < 5;
            }));
            write(3, 36);
            touch(0, 1);
            cache.useCleaner(null);
            touch(2, 0);
        }

        private void loadWithWaiter() {
            AtomicBoolean begun = new AtomicBoolean();
            List<Worker<Void>> second = new ArrayList<>();
            counters.on(Step.LOAD, 12, () -> {
                if (begun.compareAndSet(false, true)) {
                    second.add(workers.run(() -> touch(12)));
                    second.get(0).awaitParkedOrDone();
                }
            });
            touch(12);
            second.forEach(Worker::result);
            counters.off(Step.LOAD, 12);
        }

        void expectWhole() throws IOException {
            assertThat(cache.stats().pinned()).as("frames in use").isZero();
            cache.checkIntegrity();
            cache.cleanAll();
            values.forEach((key, value) ->
                    assertThat(counters.stored(key)).as("key %d", key).isEqualTo(value));
            for (int key = 0; key < 30; key++) {
                Counter counter = cache.find(key);
                // a key whose creation has failed may have been created all the same
                if (key != CREATED || values.containsKey(key)) {
                    assertThat(counter.value).as("key %d", key).isEqualTo(values.getOrDefault(key, 0L));
                }
                cache.release(counter);
            }
            assertThat(counters.violations).isEmpty();
            cache.checkIntegrity();
            PoliciesForTests.checkIntegrity(policy);
            cache.close();
            assertThat(cache.stats().resident()).isZero();
            cache.checkIntegrity();
        }
    }
}
