// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.derby.FakeObjects.FakeObject;
import java.util.ArrayList;
import java.util.List;
import org.apache.derby.shared.common.error.StandardException;
import org.junit.jupiter.api.Test;

/**
 * Derby's contract of discard. Derby calls it once when it drops or truncates a file, and ignores the result. So an
 * object that no thread keeps must be gone then, whatever the cache was doing with it. A page that stayed would be
 * written later, to a file that no longer exists, which shuts the database down.
 */
class DiscardTest extends ManagerTest {
    @Test
    void discardDropsMatchesWithoutCleaning() throws Exception {
        ClockhandCacheManager cache = cache(10);
        soil(cache, 1);
        soil(cache, 2);

        assertThat(cache.discard(Integer.valueOf(1)::equals)).isTrue();

        assertThat(objects.discarded).containsExactly(1);
        assertThat(objects.cleans).hasValue(0);
        assertThat(cache.findCached(1)).isNull();
        assertThat(objects.live(2)).isNotNull();
        assertThat(cache.discard(null)).isTrue();
        assertThat(objects.liveCount()).isZero();
    }

    /** Derby repeats the discard of a truncation until it is true, before it shuts the database down. */
    @Test
    void discardInAFailedCacheSaysThatNothingIsLeft() throws Exception {
        ClockhandCacheManager cache = cache(10);
        soil(cache, 1);
        cache.fail(new OutOfMemoryError("for a test"));

        assertThat(cache.discard(Integer.valueOf(1)::equals))
                .as("nothing that matches is left")
                .isTrue();
        assertThat(cache.discard(null)).as("nothing is left").isTrue();
    }

    @Test
    void discardLeavesKeptObjectsAndSaysSo() throws Exception {
        ClockhandCacheManager cache = cache(10);
        FakeObject kept = find(cache, 1);

        assertThat(cache.discard(null)).isFalse();
        assertThat(cache.discard(Integer.valueOf(2)::equals)).isTrue();

        assertThat(objects.live(1)).isSameAs(kept);
        cache.release(kept);
        assertThat(cache.discard(null)).isTrue();
    }

    @Test
    void discardOfAnObjectThatIsBeingWrittenDoesNotWait() throws Exception {
        ClockhandCacheManager cache = cache(10);
        soil(cache, 1);
        Gate writing = new Gate();
        objects.onClean = o -> writing.pass();
        Running<Void> checkpoint = start(() -> {
            cache.cleanAll();
            return null;
        });
        writing.awaitReached();

        assertThat(start(() -> cache.discard(null)).result()).isFalse();

        writing.open();
        checkpoint.result();
    }

    /** As Derby does when a page cannot be written: the database is marked corrupt by the thread that failed. */
    @Test
    void discardOfEverythingFromInsideAFailingCleanOfAFind() throws Exception {
        ClockhandCacheManager cache = cache(3);
        for (int i = 0; i < 3; i++) {
            soil(cache, i);
        }
        discardInFailingClean(cache);

        assertThatThrownBy(() -> start(() -> cache.find("next")).result()).hasCauseInstanceOf(StandardException.class);

        assertThat(objects.discarded).as("all but the one that failed").hasSize(2);
    }

    @Test
    void discardOfEverythingFromInsideAFailingCleanAll() throws Exception {
        ClockhandCacheManager cache = cache(3);
        for (int i = 0; i < 3; i++) {
            soil(cache, i);
        }
        discardInFailingClean(cache);

        assertThatThrownBy(() -> start(() -> {
                            cache.cleanAll();
                            return null;
                        })
                        .result())
                .hasCauseInstanceOf(StandardException.class);

        assertThat(objects.discarded).hasSize(2);
    }

    @Test
    void discardOfEverythingFromInsideAFailingRemove() throws Exception {
        ClockhandCacheManager cache = cache(3);
        soil(cache, 1);
        FakeObject removed = find(cache, 2);
        removed.dirty = true;
        discardInFailingClean(cache);

        assertThatThrownBy(() -> start(() -> {
                            cache.remove(removed);
                            return null;
                        })
                        .result())
                .hasCauseInstanceOf(StandardException.class);

        assertThat(objects.discarded).containsExactly(1);
    }

    @Test
    void discardOfEverythingFromInsideAFailingCleanOfTheDaemon() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 3, objects);
        FakeDaemon daemon = new FakeDaemon();
        cache.useDaemonService(daemon);
        for (int i = 0; i < 3; i++) {
            soil(cache, i);
        }
        touch(cache, "next");
        discardInFailingClean(cache);

        start(() -> {
                    eventually("the daemon has no request", () -> !daemon.serveOne());
                    return null;
                })
                .result();

        assertThat(daemon.failures).hasValue(1);
        assertThat(objects.discarded).as("all but the one that failed").hasSize(2);
    }

    @Test
    void discardOfEverythingFromInsideAClear() throws Exception {
        ClockhandCacheManager cache = cache(3);
        for (int i = 0; i < 3; i++) {
            touch(cache, i);
        }
        ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);
        objects.onClear = o -> {
            if (!inside.get()) {
                inside.set(true);
                cache.discard(null);
                inside.set(false);
            }
        };
        start(() -> touch(cache, "next")).result();
    }

    private void discardInFailingClean(ClockhandCacheManager cache) {
        objects.onClean = object -> {
            cache.discard(null);
            throw FakeObjects.failure("disk");
        };
    }

    @Test
    void discardWaitsForAFindThatLooksWhetherTheObjectIsDirty() throws Exception {
        // not the page cache, where the find would go on to write the object back, which discard does not wait for
        ClockhandCacheManager cache = cache("ContainerCache", 1, objects);
        cache.useDaemonService(new FakeDaemon());
        soil(cache, 1);
        discardDuringADirtyCheck(cache, () -> touch(cache, 2));
    }

    @Test
    void discardWaitsForACheckpointThatLooksWhetherTheObjectIsDirty() throws Exception {
        ClockhandCacheManager cache = cache(10);
        touch(cache, 1);
        discardDuringADirtyCheck(cache, () -> {
            cache.cleanAll();
            return null;
        });
    }

    @Test
    void discardWaitsForAnAgeOutThatLooksWhetherTheObjectIsDirty() throws Exception {
        ClockhandCacheManager cache = cache(10);
        soil(cache, 1);
        discardDuringADirtyCheck(cache, () -> {
            cache.ageOut();
            return null;
        });
    }

    /** No thread keeps the object, because a dirty check is no use of it; so the discard must drop it. */
    private void discardDuringADirtyCheck(ClockhandCacheManager cache, java.util.concurrent.Callable<?> checking)
            throws Exception {
        Gate check = new Gate();
        objects.onIsDirty = object -> {
            if (Integer.valueOf(1).equals(object.getIdentity())) {
                check.pass();
            }
        };
        Running<?> checker = start(checking);
        check.awaitReached();
        Running<Boolean> discarder = start(() -> cache.discard(Integer.valueOf(1)::equals));
        eventually(
                "the discard waits",
                () -> discarder.isDone() || discarder.thread.getState() == Thread.State.TIMED_WAITING);
        check.open();

        assertThat(discarder.result()).isTrue();
        checker.result();
        assertThat(objects.live(1)).isNull();
    }

    @Test
    void discardLoopsComeToTheirEndBesideCleanersAndFinders() throws Exception {
        ClockhandCacheManager cache = cache(8);
        FakeDaemon daemon = new FakeDaemon();
        cache.useDaemonService(daemon);
        List<Running<Void>> running = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            int first = 100 * (t + 1);
            running.add(start(() -> {
                for (int i = 0; i < 2_000; i++) {
                    soil(cache, first + i % 11);
                    daemon.serveOne();
                }
                return null;
            }));
        }
        Running<Void> dropper = start(() -> {
            for (int i = 0; i < 500; i++) {
                soil(cache, i % 5);
                for (int spins = 0; !cache.discard(key -> (Integer) key < 5); spins++) {
                    assertThat(spins).isLessThan(1_000_000);
                    Thread.onSpinWait();
                }
            }
            return null;
        });
        dropper.result();
        for (Running<Void> thread : running) {
            thread.result();
        }
        assertThat(objects.discarded)
                .allSatisfy(key -> assertThat((Integer) key).isLessThan(5));
    }
}
