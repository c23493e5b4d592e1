// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
    void lockThatIsFreeIsTakenWithoutContention() {
        CountingLock lock = new CountingLock(0);

        takeAndGiveBack(lock);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();

        assertThat(counts(lock)).containsExactly(2, 0, 0);
    }

    @Test
    void requestThatHasToWaitIsAContention() throws InterruptedException {
        CountingLock lock = new CountingLock(0);
        Thread waiter = new Thread(() -> takeAndGiveBack(lock));
        lock.lock();
        try {
            waiter.start();
            while (waiter.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        } finally {
            lock.unlock();
        }
        waiter.join();

        assertThat(counts(lock)).containsExactly(2, 1, 0);
    }

    @Test
    void tryThatNothingFollowsIsNoRequest() throws InterruptedException {
        CountingLock lock = new CountingLock(0);
        List<Boolean> tries = new ArrayList<>();
        Thread other = new Thread(() -> {
            tries.add(lock.tryLock());
            tries.add(lock.tryLock());
        });
        lock.lock();
        try {
            other.start();
            other.join();
        } finally {
            lock.unlock();
        }

        assertThat(tries).containsExactly(false, false);
        assertThat(counts(lock)).containsExactly(1, 0, 2);
    }

    private static void takeAndGiveBack(CountingLock lock) {
        lock.lock();
        try {
            assertThat(lock.acquisitions()).isPositive();
        } finally {
            lock.unlock();
        }
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
