// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.derby.FakeObjects.FakeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.derby.shared.common.error.StandardException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Derby's contract of find, findCached, create and release. */
@ParameterizedClass
@ValueSource(strings = {"nb-gclock3", "locked:lru"})
class FindAndCreateTest extends ManagerTest {
    @Parameter
    String policy;

    @Override
    String policy() {
        return policy;
    }

    @Test
    void anObjectIsMadeOnceAndFoundAgain() throws Exception {
        ClockhandCacheManager cache = cache(10);

        FakeObject first = find(cache, 1);
        FakeObject second = find(cache, 1);

        assertThat(second).isSameAs(first);
        assertThat(objects.made).hasValue(1);
        cache.release(first);
        cache.release(second);
    }

    @Test
    void nothingIsAllocatedUntilSomethingIsFoundAndTheManagerItselfIsPassed() throws Exception {
        ClockhandCacheManager cache = cache(10);
        assertThat(objects.made).hasValue(0);

        touch(cache, 1);

        assertThat(objects.askedBy).containsExactly(cache);
    }

    @Test
    void concurrentFindersOfOneKeyShareOneObject() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("FindAndCreateTest seed " + seed);
        ClockhandCacheManager cache = cache(4);
        List<Running<Void>> running = new ArrayList<>();
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger[] users = new AtomicInteger[12];
        for (int i = 0; i < users.length; i++) {
            users[i] = new AtomicInteger();
        }
        for (int t = 0; t < 6; t++) {
            Random random = new Random(seed + t);
            running.add(start(() -> {
                await(go);
                for (int i = 0; i < 3_000; i++) {
                    int key = random.nextInt(users.length);
                    FakeObject object = find(cache, key);
                    users[key].incrementAndGet();
                    assertThat(object.getIdentity()).isEqualTo(key);
                    assertThat(objects.live(key)).isSameAs(object);
                    object.dirty |= random.nextInt(4) == 0;
                    users[key].decrementAndGet();
                    cache.release(object);
                }
                return null;
            }));
        }
        go.countDown();
        for (Running<Void> thread : running) {
            thread.result();
        }
        cache.cleanAll();
        assertThat(objects.discarded).as("lost changes").isEmpty();
    }

    @Test
    void findersWaitForTheLoadOfTheSameKey() throws Exception {
        ClockhandCacheManager cache = cache(10);
        Gate loading = new Gate();
        objects.onSet = (blank, key) -> {
            loading.pass();
            return blank.carry(key);
        };
        Running<FakeObject> loader = start(() -> find(cache, 1));
        loading.awaitReached();
        Running<FakeObject> finder = start(() -> find(cache, 1));
        Running<FakeObject> cachedFinder = start(() -> (FakeObject) cache.findCached(1));
        finder.awaitBlocked();
        cachedFinder.awaitBlocked();

        loading.open();

        FakeObject object = loader.result();
        assertThat(finder.result()).isSameAs(object);
        assertThat(cachedFinder.result()).isSameAs(object);
        for (int i = 0; i < 3; i++) {
            cache.release(object);
        }
    }

    /** Only a thread that keeps an object may make it dirty: the result must stay true until the object is gone. */
    @Test
    void aVictimIsNotFoundWhileItIsAskedWhetherItIsDirty() throws Exception {
        ClockhandCacheManager cache = cache(1);
        FakeObject victim = touch(cache, 1);
        Gate asked = new Gate();
        objects.onIsDirty = object -> asked.pass();
        Running<FakeObject> evicting = start(() -> touch(cache, 2));
        asked.awaitReached();
        Running<FakeObject> finder = start(() -> soil(cache, 1));
        finder.awaitBlocked();
        assertThat(victim.dirty).isFalse();

        asked.open();

        evicting.result();
        finder.result();
        assertThat(objects.discarded).as("changes lost").isEmpty();
        cache.cleanAll();
    }

    @Test
    void findersOfAKeyWhoseLoadFailsTryThemselves() throws Exception {
        ClockhandCacheManager cache = cache(10);
        Gate loading = new Gate();
        AtomicInteger loads = new AtomicInteger();
        objects.onSet = (blank, key) -> {
            if (loads.getAndIncrement() == 0) {
                loading.pass();
                throw FakeObjects.failure("first");
            }
            return blank.carry(key);
        };
        Running<FakeObject> loader = start(() -> find(cache, 1));
        loading.awaitReached();
        Running<FakeObject> finder = start(() -> find(cache, 1));
        Running<FakeObject> cachedFinder = start(() -> (FakeObject) cache.findCached(2));
        finder.awaitBlocked();
        assertThat(cachedFinder.result()).isNull();

        loading.open();

        assertThatThrownBy(loader::result).hasCauseInstanceOf(StandardException.class);
        cache.release(finder.result());
        assertThat(loads).hasValue(2);
    }

    @Test
    void findCachedNeverLoadsAndGivesNullIfTheLoadItWaitedForFails() throws Exception {
        ClockhandCacheManager cache = cache(10);
        Gate loading = new Gate();
        objects.onSet = (blank, key) -> {
            loading.pass();
            return null;
        };
        assertThat(cache.findCached(1)).isNull();
        assertThat(objects.made).hasValue(0);
        Running<FakeObject> loader = start(() -> find(cache, 1));
        loading.awaitReached();
        Running<Object> cachedFinder = start(() -> cache.findCached(1));
        cachedFinder.awaitBlocked();

        loading.open();

        assertThat(loader.result()).isNull();
        assertThat(cachedFinder.result()).isNull();
    }

    @Test
    void createPassesItsParameterAndKeepsTheObject() throws Exception {
        ClockhandCacheManager cache = cache(10);

        FakeObject created = (FakeObject) cache.create(1, "parameter");

        assertThat(created.parameter).isEqualTo("parameter");
        assertThat(find(cache, 1)).isSameAs(created);
        cache.release(created);
        cache.release(created);
    }

    @Test
    void createOfAKeyInTheCacheFailsWithTheNameOfTheCacheAndTheKey() throws Exception {
        ClockhandCacheManager cache = cache(10);
        touch(cache, 77);

        assertThatThrownBy(() -> cache.create(77, null)).isInstanceOfSatisfying(StandardException.class, e -> {
            assertThat(e.getSQLState()).isEqualTo("XBCA0");
            assertThat(e.getArguments()).containsExactly("PageCache", 77);
        });
    }

    @Test
    void createWhileAnotherThreadSetsTheIdentityFailsAtOnce() throws Exception {
        ClockhandCacheManager cache = cache(10);
        Gate loading = new Gate();
        objects.onSet = (blank, key) -> {
            loading.pass();
            return blank.carry(key);
        };
        Running<FakeObject> loader = start(() -> find(cache, 1));
        loading.awaitReached();

        assertThatThrownBy(() -> start(() -> cache.create(1, null)).result())
                .cause()
                .isInstanceOfSatisfying(
                        StandardException.class,
                        e -> assertThat(e.getSQLState()).isEqualTo("XBCA0"));

        assertThat(loader.isDone()).isFalse();
        loading.open();
        cache.release(loader.result());
    }

    @Test
    void createWhileAnotherThreadCreatesFailsAtOnce() throws Exception {
        ClockhandCacheManager cache = cache(10);
        Gate creating = new Gate();
        objects.onCreate = (blank, key) -> {
            creating.pass();
            return blank.carry(key);
        };
        Running<Object> creator = start(() -> cache.create(1, null));
        creating.awaitReached();

        assertThatThrownBy(() -> start(() -> cache.create(1, null)).result())
                .hasCauseInstanceOf(StandardException.class);

        creating.open();
        cache.release((FakeObject) creator.result());
    }

    /** As Derby's two caches of table descriptors do, from two threads that meet in the middle. */
    @Test
    void twoCachesThatCreateInEachOtherFromSetIdentityDoNotDeadlock() throws Exception {
        FakeObjects others = new FakeObjects();
        ClockhandCacheManager byId = cache("TableDescriptorOIDCache", 10, objects);
        ClockhandCacheManager byName = cache("TableDescriptorNameCache", 10, others);
        CountDownLatch bothInside = new CountDownLatch(2);
        AtomicInteger refused = new AtomicInteger();
        objects.onSet = (blank, key) -> crossCreate(byName, blank, key, bothInside, refused);
        others.onSet = (blank, key) -> crossCreate(byId, blank, key, bothInside, refused);

        Running<FakeObject> one = start(() -> find(byId, 1));
        Running<FakeObject> two = start(() -> find(byName, 1));

        byId.release(one.result());
        byName.release(two.result());
        assertThat(refused).hasValue(2);
        assertThat(others.violations).isEmpty();
    }

    private static FakeObject crossCreate(
            ClockhandCacheManager other,
            FakeObject blank,
            Object key,
            CountDownLatch bothInside,
            AtomicInteger refused) {
        bothInside.countDown();
        await(bothInside);
        try {
            other.release(other.create(key, null));
        } catch (StandardException e) {
            assertThat(e.getSQLState()).isEqualTo("XBCA0");
            refused.incrementAndGet();
        }
        return blank.carry(key);
    }

    @Test
    void hitsAndMissesAreCountedAsDerbyCountsThem() throws Exception {
        ClockhandCacheManager cache = cache(10);
        touch(cache, 1);
        cache.collect(true);

        touch(cache, 1);
        touch(cache, 2);
        cache.release(cache.findCached(2));
        assertThat(cache.findCached(3)).isNull();
        cache.release(cache.create(3, null));

        assertThat(cache.stats().hits()).isEqualTo(2);
        assertThat(cache.stats().misses()).as("also of findCached").isEqualTo(2);
        cache.collect(false);
        touch(cache, 1);
        assertThat(cache.stats().hits()).isEqualTo(2);
    }
}
