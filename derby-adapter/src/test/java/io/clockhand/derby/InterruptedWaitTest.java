// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.derby.FakeObjects.FakeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** An interrupt ends no wait of the cache and reaches no write, and the thread's interrupt flag stays set. */
class InterruptedWaitTest extends ManagerTest {
    private final Gate gate = new Gate();

    @Test
    void aFindThatWaitsForALoad() throws Exception {
        ClockhandCacheManager cache = cache(3);
        objects.onSet = (blank, key) -> {
            gate.pass();
            return blank.carry(key);
        };
        waitsOn(start(() -> touch(cache, 1)), () -> touch(cache, 1));
    }

    @Test
    void aFindThatWaitsForAVictimWithItsKeyToLeave() throws Exception {
        ClockhandCacheManager cache = cache(1);
        soil(cache, 1);
        objects.onClean = object -> gate.pass();
        waitsOn(start(() -> touch(cache, 2)), () -> touch(cache, 1));
    }

    @Test
    void aCheckpointThatWaitsForAWriteBack() throws Exception {
        ClockhandCacheManager cache = cache(3);
        soil(cache, 1);
        objects.onClean = object -> gate.pass();
        waitsOn(start(() -> cleanAll(cache)), () -> cleanAll(cache));
    }

    @Test
    void aCheckpointThatWaitsForAClaimToEnd() throws Exception {
        ClockhandCacheManager cache = cache(1);
        soil(cache, 1);
        objects.onClean = object -> gate.pass();
        waitsOn(start(() -> touch(cache, 2)), () -> cleanAll(cache));
    }

    /** An interrupt that reached a write of a file would close its channel. */
    @Test
    void aCheckpointWhoseThreadWasInterruptedBeforeItWrites() throws Exception {
        ClockhandCacheManager cache = cache("ContainerCache", 4, objects);
        soil(cache, 1);
        soil(cache, 2);
        List<Boolean> interrupted = new ArrayList<>();
        objects.onClean = object -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
        };

        Thread.currentThread().interrupt();
        cache.cleanAll();

        assertThat(Thread.interrupted()).as("interrupt flag").isTrue();
        assertThat(interrupted).as("interrupt flag in the writes").containsExactly(false, false);
        assertThat(objects.cleans).hasValue(2);
    }

    @Test
    void aRemoveThatWaitsForOthersToRelease() throws Exception {
        ClockhandCacheManager cache = cache(3);
        FakeObject kept = find(cache, 1);
        find(cache, 1);
        waitsOn(
                start(() -> {
                    gate.pass();
                    cache.release(kept);
                    return null;
                }),
                () -> {
                    cache.remove(kept);
                    return null;
                });
        assertThat(objects.removed).containsExactly(1);
    }

    @Test
    void aDiscardThatWaitsForADirtyCheck() throws Exception {
        ClockhandCacheManager cache = cache(3);
        touch(cache, 1);
        objects.onIsDirty = object -> gate.pass();
        waitsOn(
                start(() -> cleanAll(cache)),
                () -> assertThat(cache.discard(null)).isTrue());
    }

    private static Void cleanAll(ClockhandCacheManager cache) throws Exception {
        cache.cleanAll();
        return null;
    }

    /** The first thread stops at the gate; the other waits for it, and is interrupted before and during its wait. */
    private void waitsOn(Running<?> first, Callable<?> call) throws Exception {
        gate.awaitReached();
        Running<Boolean> waiter = start(() -> {
            Thread.currentThread().interrupt();
            call.call();
            return Thread.interrupted();
        });
        for (int i = 0; i < 3; i++) {
            waiter.awaitBlocked();
            waiter.thread.interrupt();
        }
        waiter.awaitBlocked();

        gate.open();

        assertThat(waiter.result()).as("interrupt flag").isTrue();
        first.result();
    }
}
