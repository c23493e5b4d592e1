// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.cache.KeyTableKind;
import io.clockhand.derby.FakeObjects.FakeObject;
import io.clockhand.policy.ClockHand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.derby.shared.common.error.StandardException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** While the cache calls them, Derby's objects may return null or another object, fail, or call the cache. */
@ParameterizedClass
@ValueSource(strings = {"nb-gclock3", "locked:lru"})
class CallbackTest extends ManagerTest {
    @Parameter
    String policy;

    @Override
    String policy() {
        return policy;
    }

    @Test
    void theIdentityIsClearedBeforeAnObjectCarriesAnother() throws Exception {
        ClockhandCacheManager cache = cache(1);
        FakeObject object = touch(cache, 1);

        assertThat(touch(cache, 2)).as("recycled").isSameAs(object);

        assertThat(objects.live(1)).isNull();
        assertThat(objects.made).hasValue(1);
    }

    @Test
    void anotherObjectThanTheHolderMayCarryTheIdentity() throws Exception {
        ClockhandCacheManager cache = cache(1);
        FakeObject other = (FakeObject) objects.newCacheable(cache);
        objects.onSet = (blank, key) -> other.carry(key);

        assertThat(find(cache, 1)).isSameAs(other);
        assertThat(cache.findCached(1)).isSameAs(other);
        cache.release(other);
        cache.release(other);

        objects.onSet = FakeObject::carry;
        touch(cache, 2);
        assertThat(other.getIdentity()).isNotEqualTo(1);
    }

    @Test
    void nothingStaysWhenSetIdentityGivesNull() throws Exception {
        ClockhandCacheManager cache = cache(1);
        objects.onSet = (blank, key) -> {
            blank.carry(key);
            return null;
        };

        assertThat(cache.find(1)).isNull();
        assertThat(objects.liveCount()).as("cleared").isZero();
        assertThat(cache.findCached(1)).isNull();
        assertThat(cache.values()).isEmpty();

        objects.onSet = FakeObject::carry;
        touch(cache, 1);
        assertThat(cache.stats().frames()).as("no room lost").isEqualTo(1);
    }

    @Test
    void nothingStaysWhenSetIdentityFails() throws Exception {
        ClockhandCacheManager cache = cache(2);
        StandardException checked = FakeObjects.failure("checked");
        for (Throwable failure :
                List.of(checked, new IllegalStateException("unchecked"), new AssertionError("error"))) {
            objects.onSet = (blank, key) -> {
                blank.carry(key);
                throw sneaky(failure);
            };
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> cache.find(1)).isSameAs(failure);
            }
            assertThat(objects.liveCount()).as("cleared").isZero();
            assertThat(cache.findCached(1)).isNull();
        }
        objects.onSet = FakeObject::carry;
        touch(cache, 1);
        touch(cache, 2);
        assertThat(cache.stats().frames()).as("no room lost").isEqualTo(2);
    }

    @Test
    void nothingStaysWhenCreateIdentityFailsOrGivesNull() throws Exception {
        ClockhandCacheManager cache = cache(1);
        RuntimeException failure = new IllegalStateException("unchecked");
        objects.onCreate = (blank, key) -> {
            blank.carry(key);
            throw failure;
        };
        assertThatThrownBy(() -> cache.create(1, null)).isSameAs(failure);
        objects.onCreate = (blank, key) -> null;
        assertThat(cache.create(1, null)).isNull();

        objects.onCreate = FakeObject::carry;
        cache.release(cache.create(1, null));
        assertThat(cache.stats().frames()).isEqualTo(1);
    }

    @Test
    void aFailingClearDoesNotLoseTheRoom() throws Exception {
        ClockhandCacheManager cache = cache(1);
        RuntimeException failure = new IllegalStateException("clear");
        for (int i = 0; i < 5; i++) {
            touch(cache, i);
            objects.onClear = object -> {
                throw failure;
            };
            assertThatThrownBy(() -> cache.find("next")).isSameAs(failure);
            objects.onClear = object -> {};
            assertThat(cache.findCached("next")).isNull();
        }
        touch(cache, 9);
        assertThat(cache.stats().frames()).isEqualTo(1);
    }

    @Test
    void aFailingWriteOfAVictimReachesTheFinderAndTheVictimStays() throws Exception {
        ClockhandCacheManager cache = cache(1);
        FakeObject victim = soil(cache, 1);
        StandardException failure = FakeObjects.failure("disk");
        objects.onClean = object -> {
            throw failure;
        };

        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> cache.find(2)).isSameAs(failure);
        }

        assertThat(find(cache, 1)).isSameAs(victim);
        assertThat(victim.dirty).isTrue();
        cache.release(victim);
        objects.onClean = object -> {};
        touch(cache, 2);
        assertThat(objects.cleans).hasValue(1);
    }

    @Test
    void aFailingQuestionWhetherAVictimIsDirtyLeavesItInPlace() throws Exception {
        ClockhandCacheManager cache = cache(1);
        FakeObject victim = soil(cache, 1);
        objects.onIsDirty = object -> {
            throw new IllegalStateException("is it?");
        };
        assertThatThrownBy(() -> cache.find(2)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(cache::cleanAll).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(cache::ageOut).isInstanceOf(IllegalStateException.class);

        objects.onIsDirty = object -> {};
        assertThat(touch(cache, 1)).isSameAs(victim);
        assertThat(victim.dirty).isTrue();
    }

    @Test
    void aFailingAllocationReachesTheFinder() throws Exception {
        RuntimeException failure = new IllegalStateException("no memory");
        AtomicInteger calls = new AtomicInteger();
        Settings settings = new Settings(policy, ClockHand.DEFAULT, KeyTableKind.DEFAULT, Settings.Advice.NONE, null);
        ClockhandCacheManager cache = new ClockhandCacheManager(
                manager -> {
                    if (calls.getAndIncrement() == 0) {
                        throw failure;
                    }
                    return objects.newCacheable(manager);
                },
                "PageCache",
                1,
                settings);

        assertThatThrownBy(() -> cache.find(1)).isSameAs(failure);
        touch(cache, 1);
    }

    /** Every callback goes on in the same cache with other keys and in another cache, in several threads at once. */
    @Test
    void noLockIsHeldWhileDerbyIsCalled() throws Exception {
        FakeObjects others = new FakeObjects();
        ClockhandCacheManager other = cache("ContainerCache", 2, others);
        ClockhandCacheManager cache = cache(3);
        ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);
        AtomicInteger nested = new AtomicInteger();
        FakeObjects.Hook reenter = object -> {
            if (depth.get() > 0) {
                return;
            }
            depth.set(1);
            try {
                Object key =
                        object.getIdentity() + "'" + Thread.currentThread().getId() + "-" + nested.incrementAndGet();
                soil(cache, key);
                FakeObject created = (FakeObject) cache.create(key + " created", null);
                cache.release(created);
                assertThat(cache.findCached("no such key")).isNull();
                cache.discard(candidate -> candidate.equals("no such key"));
                soil(other, key);
                other.cleanAll();
                other.ageOut();
            } finally {
                depth.set(0);
            }
        };
        objects.onSet = (blank, key) -> {
            reenter.run(blank);
            return blank.carry(key);
        };
        objects.onClean = reenter;
        objects.onClear = reenter;
        objects.onIsDirty = reenter;
        CountDownLatch go = new CountDownLatch(1);
        List<Running<Void>> running = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int thread = t;
            running.add(start(() -> {
                await(go);
                for (int i = 0; i < 100; i++) {
                    soil(cache, thread + "/" + i % 7);
                }
                cache.cleanAll();
                cache.ageOut();
                return null;
            }));
        }
        go.countDown();
        for (Running<Void> thread : running) {
            thread.result();
        }
        assertThat(nested.get()).isPositive();
        assertThat(others.violations).isEmpty();
    }

    @Test
    void anInterruptIsKeptAndFailsNoWait() throws Exception {
        ClockhandCacheManager cache = cache(1);
        Gate loading = new Gate();
        objects.onSet = (blank, key) -> {
            loading.pass();
            return blank.carry(key);
        };
        Running<FakeObject> loader = start(() -> find(cache, 1));
        loading.awaitReached();
        Running<Boolean> finder = start(() -> {
            Thread.currentThread().interrupt();
            cache.release(cache.find(1));
            return Thread.interrupted();
        });
        finder.awaitBlocked();
        finder.thread.interrupt();
        finder.awaitBlocked();
        loading.open();

        assertThat(finder.result()).as("flag").isTrue();
        cache.release(loader.result());
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }
}
