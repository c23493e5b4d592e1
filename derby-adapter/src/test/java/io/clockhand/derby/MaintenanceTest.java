// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.derby.FakeObjects.FakeObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.derby.iapi.services.cache.Cacheable;
import org.apache.derby.shared.common.error.StandardException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Derby's contract of remove, clean, cleanAll, ageOut, values and shutdown. */
class MaintenanceTest extends ManagerTest {
    @Test
    void removeCleansForGoodAndClears() throws Exception {
        ClockhandCacheManager cache = cache(10);
        FakeObject object = find(cache, 1);
        object.dirty = true;

        cache.remove(object);

        assertThat(objects.removed).containsExactly(1);
        assertThat(object.getIdentity()).isNull();
        assertThat(cache.findCached(1)).isNull();
        touch(cache, 1);
    }

    @Test
    void removeCleansForGoodEvenWhatIsNotDirty() throws Exception {
        ClockhandCacheManager cache = cache(10);

        cache.remove(cache.find(1));

        assertThat(objects.removed).containsExactly(1);
    }

    @Test
    void removeWaitsForTheOthersAndUntilThenTheObjectIsFound() throws Exception {
        ClockhandCacheManager cache = cache(10);
        FakeObject object = find(cache, 1);
        assertThat(find(cache, 1)).isSameAs(object);
        assertThat(find(cache, 1)).isSameAs(object);
        Running<Void> remover = start(() -> {
            cache.remove(object);
            return null;
        });
        remover.awaitBlocked();

        cache.release(object);
        assertThat(cache.findCached(1)).isSameAs(object);
        cache.release(object);
        remover.awaitBlocked();
        assertThat(objects.removed).isEmpty();
        cache.release(object);

        remover.result();
        assertThat(objects.removed).containsExactly(1);
        assertThat(cache.findCached(1)).isNull();
    }

    @Test
    void afterAFailedRemoveTheObjectStaysAndIsNotKept() throws Exception {
        ClockhandCacheManager cache = cache(10);
        FakeObject object = find(cache, 1);
        object.dirty = true;
        StandardException failure = FakeObjects.failure("disk");
        objects.onClean = o -> {
            throw failure;
        };

        assertThatThrownBy(() -> cache.remove(object)).isSameAs(failure);

        assertThat(cache.stats().pinned()).isZero();
        assertThat(find(cache, 1)).isSameAs(object);
        cache.release(object);
    }

    @Test
    void cleanAllCleansTheKeptAndTheUnkeptOnceAndNothingElse() throws Exception {
        ClockhandCacheManager cache = cache(10);
        FakeObject kept = find(cache, 1);
        kept.dirty = true;
        FakeObject unkept = soil(cache, 2);
        touch(cache, 3);

        cache.cleanAll();

        assertThat(kept.dirty).as("the kept object is dirty").isFalse();
        assertThat(unkept.dirty).as("the unkept object is dirty").isFalse();
        assertThat(objects.cleans).hasValue(2);
        cache.release(kept);
    }

    /** Derby's daemon may come to it long after the checkpoint. */
    @Test
    void cleanAllCleansWhatIsLeftToTheDaemon() throws Exception {
        ClockhandCacheManager cache = cache(3);
        FakeDaemon daemon = new FakeDaemon();
        cache.useDaemonService(daemon);
        FakeObject left = soil(cache, 1);
        soil(cache, 2);
        touch(cache, 3);
        touch(cache, 4);
        assertThat(daemon.requests()).as("requests to clean").isPositive();

        cache.cleanAll();

        assertThat(left.dirty)
                .as("the object that is left to the daemon is dirty")
                .isFalse();
        assertThat(objects.cleans).hasValue(2);
        cache.shutdown();
    }

    @Test
    void cleanCleansWhatMatches() throws Exception {
        ClockhandCacheManager cache = cache(10);
        FakeObject one = soil(cache, 1);
        FakeObject two = soil(cache, 2);

        cache.clean(Integer.valueOf(1)::equals);
        assertThat(one.dirty).isFalse();
        assertThat(two.dirty).isTrue();

        cache.clean(null);
        assertThat(two.dirty).isFalse();
    }

    @Test
    void cleanAllWaitsForAWriteBackByAFindAndDoesNotRepeatIt() throws Exception {
        ClockhandCacheManager cache = cache(1);
        soil(cache, 1);
        Gate writing = new Gate();
        objects.onClean = object -> writing.pass();
        Running<FakeObject> finder = start(() -> touch(cache, 2));
        writing.awaitReached();

        Running<Void> checkpoint = start(() -> {
            cache.cleanAll();
            return null;
        });
        checkpoint.awaitBlocked();
        writing.open();

        checkpoint.result();
        finder.result();
        assertThat(objects.cleans).hasValue(1);
    }

    @Test
    void cleanAllWaitsForAWriteBackByAnotherCleanAll() throws Exception {
        ClockhandCacheManager cache = cache(10);
        FakeObject object = soil(cache, 1);
        Gate writing = new Gate();
        objects.onClean = o -> writing.pass();
        Running<Void> first = start(() -> {
            cache.cleanAll();
            return null;
        });
        writing.awaitReached();
        Running<Boolean> second = start(() -> {
            cache.cleanAll();
            return object.dirty;
        });
        second.awaitBlocked();
        writing.open();

        assertThat(second.result()).isFalse();
        first.result();
        assertThat(objects.cleans).hasValue(1);
    }

    @Test
    void cleanAllWaitsForAWriteBackByARemove() throws Exception {
        ClockhandCacheManager cache = cache(10);
        soil(cache, 1);
        FakeObject object = find(cache, 1);
        Gate writing = new Gate();
        objects.onClean = o -> writing.pass();
        Running<Void> remover = start(() -> {
            cache.remove(object);
            return null;
        });
        writing.awaitReached();
        Running<Void> checkpoint = start(() -> {
            cache.cleanAll();
            return null;
        });
        checkpoint.awaitBlocked();
        writing.open();
        checkpoint.result();
        remover.result();
    }

    @Test
    void hitsGoOnWhileAnObjectIsWrittenBack() throws Exception {
        ClockhandCacheManager cache = cache(10);
        FakeObject frozen = soil(cache, 1);
        touch(cache, 2);
        Gate writing = new Gate();
        objects.onClean = o -> writing.pass();
        Running<Void> checkpoint = start(() -> {
            cache.cleanAll();
            return null;
        });
        writing.awaitReached();

        assertThat(start(() -> touch(cache, 1)).result()).isSameAs(frozen);
        start(() -> touch(cache, 2)).result();
        start(() -> touch(cache, 3)).result();

        writing.open();
        checkpoint.result();
    }

    @Test
    void aFailedCleanAllLeavesTheObjectDirtyAndNobodyWaiting() throws Exception {
        ClockhandCacheManager cache = cache(10);
        FakeObject object = soil(cache, 1);
        AtomicInteger calls = new AtomicInteger();
        objects.onClean = o -> {
            if (calls.getAndIncrement() == 0) {
                throw FakeObjects.failure("disk");
            }
        };

        assertThatThrownBy(cache::cleanAll).isInstanceOf(StandardException.class);
        assertThat(object.dirty).isTrue();
        cache.cleanAll();
        assertThat(object.dirty).isFalse();
    }

    @Test
    void failureOfAWriteReachesTheThreadThatCleans() throws Exception {
        ClockhandCacheManager cache = cache(10);
        soil(cache, 1);
        for (Throwable failure : List.of(
                FakeObjects.failure("disk"), new OutOfMemoryError("injected"), new IllegalStateException("injected"))) {
            objects.onClean = o -> {
                throw MaintenanceTest.<StandardException>sneaky(failure);
            };
            assertThatThrownBy(cache::cleanAll).isSameAs(failure);
        }
        objects.onClean = o -> {};

        cache.cleanAll();

        assertThat(objects.cleans).hasValue(1);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }

    /** As with Derby's own cache: what a write-back may do can depend on its thread. */
    @ParameterizedTest
    @ValueSource(strings = {"PageCache", "ContainerCache"})
    void objectsAreWrittenAndRemovedByTheCallingThread(String name) throws Exception {
        ClockhandCacheManager cache = cache(name, 10, objects);
        soil(cache, 1);
        FakeObject removed = find(cache, 2);
        List<Thread> writers = new ArrayList<>();
        objects.onClean = o -> writers.add(Thread.currentThread());

        cache.cleanAll();
        cache.remove(removed);

        assertThat(writers).containsExactly(Thread.currentThread(), Thread.currentThread());
    }

    @Test
    void ageOutDropsWhatIsNeitherKeptNorDirty() throws Exception {
        ClockhandCacheManager cache = cache(10);
        FakeObject kept = find(cache, 1);
        FakeObject dirty = soil(cache, 2);
        touch(cache, 3);

        cache.ageOut();

        assertThat(objects.live(1)).isSameAs(kept);
        assertThat(objects.live(2)).isSameAs(dirty);
        assertThat(objects.live(3)).isNull();
        cache.release(kept);
    }

    @Test
    void valuesIsACopyOfTheObjectsInTheCache() throws Exception {
        ClockhandCacheManager cache = cache(10);
        FakeObject one = touch(cache, 1);
        FakeObject two = find(cache, 2);

        Collection<Cacheable> values = cache.values();
        cache.release(two);
        touch(cache, 3);

        assertThat(values).containsExactlyInAnyOrder(one, two);
        values.clear();
        assertThat(cache.values()).hasSize(3);
    }

    @Test
    void afterShutdownNothingIsFoundOrCreated() throws Exception {
        ClockhandCacheManager cache = cache(10);
        soil(cache, 1);
        FakeObject kept = find(cache, 2);

        cache.shutdown();

        assertThat(objects.cleans).hasValue(1);
        assertThat(objects.liveCount()).as("the kept one stays").isEqualTo(1);
        assertThat(cache.find(1)).isNull();
        assertThat(cache.findCached(2)).isNull();
        assertThat(cache.create(3, null)).as("created after the shutdown").isNull();
        cache.release(kept);
        cache.cleanAll();
        cache.ageOut();
        assertThat(objects.liveCount()).isZero();
        cache.shutdown();
    }

    @Test
    void shutdownDropsTheCleanObjectsEvenIfAnotherCannotBeWritten() throws Exception {
        ClockhandCacheManager cache = cache(10);
        soil(cache, 1);
        touch(cache, 2);
        objects.onClean = o -> {
            throw FakeObjects.failure("disk");
        };

        assertThatThrownBy(cache::shutdown).isInstanceOf(StandardException.class);

        assertThat(objects.live(1)).as("the dirty one").isNotNull();
        assertThat(objects.live(2)).as("the clean one").isNull();
    }

    @Test
    void shutdownUnsubscribesTheCleanerEvenIfAWriteFails() throws Exception {
        ClockhandCacheManager cache = cache(10);
        FakeDaemon daemon = new FakeDaemon();
        cache.useDaemonService(daemon);
        soil(cache, 1);
        objects.onClean = o -> {
            throw FakeObjects.failure("disk");
        };

        assertThatThrownBy(cache::shutdown).isInstanceOf(StandardException.class);

        assertThat(daemon.clients()).as("clients of the daemon").isEmpty();
    }
}
