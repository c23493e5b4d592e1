// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CountingLockTest {
    private static final int TIMES = 20_000;

    private static long[] counts(CountingLock lock) {
        return new long[] {lock.acquisitions(), lock.contentions(), lock.failedTries()};
    }

    @Test
    void tryGetsTheLockOrFailsWithoutContention() throws Exception {
        CountingLock lock = new CountingLock(0);

        assertThat(lock.tryLock()).isTrue();
        assertThat(CompletableFuture.supplyAsync(lock::tryLock).get()).isFalse();
        lock.unlock();

        assertThat(counts(lock)).containsExactly(1, 0, 1);
    }

    @Test
    void requestThatHasToWaitIsAContention() throws InterruptedException {
        CountingLock lock = new CountingLock(0);
        Thread waiter = new Thread(() -> {
            take(lock, false);
            lock.unlock();
        });
        take(lock, false);
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        lock.unlock();
        waiter.join();

        assertThat(counts(lock)).containsExactly(2, 1, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 64, CountingLock.FOR_EVER})
    void countsOfManyThreadsAreExact(int looks) throws Exception {
        CountingLock lock = new CountingLock(looks);
        long[] guarded = new long[1];
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> ends = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            boolean tries = t < 2;
            ends.add(threads.submit(() -> {
                for (int i = 0; i < TIMES; i++) {
                    if (take(lock, tries)) {
                        guarded[0]++;
                        lock.unlock();
                    }
                }
            }));
        }
        for (Future<?> end : ends) {
            end.get();
        }
        threads.shutdown();

        assertThat(lock.acquisitions()).isEqualTo(guarded[0]);
        assertThat(lock.acquisitions() + lock.failedTries()).isEqualTo(4L * TIMES);
        assertThat(lock.contentions()).isLessThanOrEqualTo(2L * TIMES);
    }

    private static boolean take(CountingLock lock, boolean tries) {
        if (tries) {
            return lock.tryLock();
        }
        lock.lock();
        return true;
    }
}
