// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.derby.FakeObjects.FakeObject;
import java.util.ArrayList;
import java.util.List;
import org.apache.derby.shared.common.error.ExceptionSeverity;
import org.apache.derby.shared.common.error.StandardException;
import org.junit.jupiter.api.Test;

/** Background cleaning on Derby's daemon. */
class CleanerTest extends ManagerTest {
    private final FakeDaemon daemon = new FakeDaemon();

    @Test
    void theCleanerSubscribesOnceAndOnDemandOnly() throws Exception {
        ClockhandCacheManager cache = cache(2);

        cache.useDaemonService(daemon);

        assertThat(daemon.clients()).hasSize(1);
        assertThat(daemon.allOnDemand()).isTrue();
        assertThat(daemon.requests()).as("nothing to do yet").isZero();
        cache.shutdown();
        assertThat(daemon.clients()).isEmpty();
    }

    @Test
    void aFindLeavesDirtyVictimsToTheDaemonAndTakesCleanOnes() throws Exception {
        ClockhandCacheManager cache = cache(3);
        cache.useDaemonService(daemon);
        FakeObject dirty = soil(cache, 1);
        soil(cache, 2);
        touch(cache, 3);

        touch(cache, 4);

        assertThat(objects.cleans).as("in the foreground").hasValue(0);
        assertThat(dirty.getIdentity()).isEqualTo(1);
        assertThat(daemon.requests()).isEqualTo(1);
        assertThat(daemon.serveOne()).isTrue();
        assertThat(objects.cleans.get()).isPositive();
        assertThat(objects.discarded).isEmpty();
    }

    @Test
    void theDaemonIsGivenShortPieces() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 200, objects);
        cache.useDaemonService(daemon);
        for (int i = 0; i < 200; i++) {
            soil(cache, i);
        }
        touch(cache, "next");
        int pieces = 0;
        int before = 0;
        while (daemon.serveOne()) {
            pieces++;
            assertThat(objects.cleans.get() - before).as("cleaned in one piece").isLessThanOrEqualTo(16);
            before = objects.cleans.get();
        }
        assertThat(objects.cleans).as("all were in the way").hasValue(200);
        assertThat(pieces).isGreaterThan(10);
    }

    @Test
    void requestsDoNotPileUp() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 50, objects);
        cache.useDaemonService(daemon);
        for (int i = 0; i < 50; i++) {
            soil(cache, i);
        }
        touch(cache, "next");
        assertThat(daemon.requests()).isEqualTo(1);
    }

    @Test
    void aFailingWriteOnTheDaemonDoesNotStopTheCleaner() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 20, objects);
        cache.useDaemonService(daemon);
        for (int i = 0; i < 20; i++) {
            soil(cache, i);
        }
        objects.onClean = object -> {
            int key = (Integer) object.getIdentity();
            if (key % 4 == 0) {
                throw key % 8 == 0 ? new IllegalStateException("disk") : sneaky(FakeObjects.failure("disk"));
            }
        };
        touch(cache, "next");
        int served = 0;
        while (daemon.serveOne()) {
            assertThat(served++).as("requests without an end").isLessThan(100);
        }
        assertThat(daemon.failures)
                .as("failures, none of which ends the service")
                .hasValue(5);
        assertThat(objects.cleans).as("written in spite of five failures").hasValue(15);

        objects.onClean = object -> {};
        List<FakeObject> kept = new ArrayList<>();
        for (int i = 100; i < 140; i++) {
            kept.add(find(cache, i));
        }
        while (daemon.serveOne()) {
            assertThat(served++).isLessThan(200);
        }
        assertThat(objects.cleans).as("tried again when in the way again").hasValue(20);
        kept.forEach(cache::release);
    }

    /** The daemon would never rest, and write a trace into derby.log each time. */
    @Test
    void aFailedCacheAsksTheDaemonForNothingMore() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 2, objects);
        cache.useDaemonService(daemon);
        soil(cache, 1);
        soil(cache, 2);
        touch(cache, 3);
        assertThat(daemon.requests()).isEqualTo(1);
        cache.fail(new OutOfMemoryError("for a test"));

        daemon.serveOne();

        assertThat(daemon.failures).as("failures that the daemon reports").hasValue(1);
        assertThat(daemon.requests()).as("requests of a failed cache").isZero();
        assertThatThrownBy(() -> cache.find(3))
                .isInstanceOfSatisfying(
                        StandardException.class,
                        e -> assertThat(e.getSeverity()).isEqualTo(ExceptionSeverity.DATABASE_SEVERITY))
                .hasMessageContaining("ContainerCache");
        assertThatThrownBy(cache::shutdown).isInstanceOf(StandardException.class);
        assertThat(ClockhandDerby.managers()).as("caches in use").doesNotContain(cache);
    }

    @Test
    void aRequestThatTheDaemonRefusesIsMadeAgain() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 2, objects);
        cache.useDaemonService(daemon);
        soil(cache, 1);
        soil(cache, 2);
        daemon.refusal = new IllegalStateException("no service now");
        assertThatThrownBy(() -> find(cache, 3)).isSameAs(daemon.refusal);
        daemon.refusal = null;

        soil(cache, 4);
        soil(cache, 5);

        assertThat(daemon.requests())
                .as("requests after the one that was refused")
                .isEqualTo(1);
        while (daemon.serveOne()) {
            assertThat(objects.discarded).isEmpty();
        }
    }

    @Test
    void aPageCacheWhoseCleanerNeverComesWritesItself() throws Exception {
        ClockhandCacheManager cache = cache(20);
        cache.useDaemonService(daemon);
        for (int i = 0; i < 2_000; i++) {
            soil(cache, i);
        }
        assertThat(cache.stats().frames()).as("bounded without the daemon").isLessThan(100);
        assertThat(objects.discarded).isEmpty();
    }

    /** The daemon waits for the latch of a page whose owner needs another page. */
    @Test
    void aCleanerThatWaitsForALatchKeepsNobodyWaiting() throws Exception {
        ClockhandCacheManager cache = cache(4);
        cache.useDaemonService(daemon);
        soil(cache, 1);
        for (int i = 2; i <= 5; i++) {
            soil(cache, i);
        }
        Gate latched = new Gate();
        objects.onClean = object -> {
            if (Thread.currentThread().getName().equals("daemon")) {
                latched.pass();
            }
        };
        Running<Boolean> cleaner = start(() -> {
            Thread.currentThread().setName("daemon");
            return daemon.serveOne();
        });
        latched.awaitReached();

        Running<Void> user = start(() -> {
            for (int i = 0; i < 50; i++) {
                touch(cache, 100 + i);
                touch(cache, i % 6);
            }
            return null;
        });
        user.result();
        assertThat(cleaner.isDone()).isFalse();

        latched.open();
        cleaner.result();
    }

    /** A checkpoint waits for the latch of a page whose owner needs other pages, and keeps the page all the while. */
    @Test
    void aCheckpointThatWaitsForALatchKeepsNobodyWaiting() throws Exception {
        ClockhandCacheManager cache = cache(2);
        cache.useDaemonService(daemon);
        FakeObject latched = find(cache, 1);
        latched.dirty = true;
        Gate latch = new Gate();
        objects.onClean = object -> {
            if (object.equals(latched)) {
                latch.pass();
            }
        };
        Running<Void> checkpoint = start(() -> {
            cache.cleanAll();
            return null;
        });
        latch.awaitReached();

        Running<Void> owner = start(() -> {
            for (int i = 10; i < 50; i++) {
                soil(cache, i);
            }
            FakeObject created = (FakeObject) cache.create("new", null);
            cache.release(created);
            cache.release(find(cache, 1));
            cache.release(latched);
            cache.ageOut();
            return null;
        });
        owner.result();
        assertThat(checkpoint.isDone()).isFalse();

        latch.open();
        checkpoint.result();
    }

    @Test
    void workThatTheDaemonDoesAfterShutdownIsHarmless() throws Exception {
        ClockhandCacheManager cache = cache(2);
        cache.useDaemonService(daemon);
        List<org.apache.derby.iapi.services.daemon.Serviceable> late = new ArrayList<>(daemon.clients());
        soil(cache, 1);
        soil(cache, 2);
        touch(cache, 3);
        cache.shutdown();
        int cleans = objects.cleans.get();

        for (int i = 0; i < 5; i++) {
            late.get(0).performWork(null);
        }

        assertThat(objects.cleans).hasValue(cleans);
        assertThat(objects.liveCount()).isZero();
    }

    @Test
    void theCleanerIsAskedAgainAfterARequestThatWasServed() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 2, objects);
        cache.useDaemonService(daemon);
        for (int round = 0; round < 10; round++) {
            soil(cache, "a" + round);
            soil(cache, "b" + round);
            touch(cache, "c" + round);
            int before = objects.cleans.get();
            eventually("the daemon has no request", () -> !daemon.serveOne());
            assertThat(objects.cleans.get()).as("round " + round).isGreaterThanOrEqualTo(before);
        }
        assertThat(objects.cleans.get()).isPositive();
        assertThat(objects.discarded).isEmpty();
        assertThat(cache.stats().frames()).isLessThan(2 + 64);
    }

    @Test
    void withoutADaemonAnyMoreFindsWriteAgainAndTheCacheStaysSmall() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 4, objects);
        cache.useDaemonService(daemon);
        cache.useDaemonService(null);

        for (int i = 0; i < 100; i++) {
            soil(cache, i);
        }

        assertThat(cache.stats().frames()).isEqualTo(4);
        assertThat(objects.cleans.get()).isGreaterThanOrEqualTo(96);
        assertThat(daemon.requests()).isZero();
    }

    /** While a database is frozen its daemon writes no file, and more files are opened and changed. */
    @Test
    void aCacheWhoseDaemonIsHeldUpGrows() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 4, objects);
        cache.useDaemonService(daemon);

        for (int i = 0; i < 200; i++) {
            soil(cache, i);
        }

        assertThat(objects.cleans).as("written by finds").hasValue(0);
        assertThat(cache.stats().resident()).isEqualTo(200);
        while (daemon.serveOne()) {
            assertThat(objects.discarded).isEmpty();
        }
        assertThat(objects.cleans.get())
                .as("more than the queue has places for")
                .isGreaterThan(64);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable failure) throws E {
        throw (E) failure;
    }
}
