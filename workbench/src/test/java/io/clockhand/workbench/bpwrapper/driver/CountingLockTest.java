// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.bpwrapper.driver.CountingLock.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CountingLockTest {
    private static final int TIMES = 20_000;

    @Test
    void lockThatIsFreeIsTakenWithoutContention() {
        CountingLock lock = new CountingLock(0);

        takeAndGiveBack(lock);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();

        assertThat(lock.counts()).isEqualTo(new Counts(2, 0, 0));
        assertThat(lock.counts().since(new Counts(1, 0, 0))).isEqualTo(new Counts(1, 0, 0));
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

        assertThat(lock.counts()).isEqualTo(new Counts(2, 1, 0));
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
        assertThat(lock.counts()).isEqualTo(new Counts(1, 0, 2));
    }

    @Test
    void threadThatFindsTheLockFreeAfterAFailedTryDoesNotWait() throws InterruptedException {
        CountingLock lock = new CountingLock(0);
        CountDownLatch tried = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            if (!lock.tryLock()) {
                tried.countDown();
            }
            awaitQuietly(released);
            takeAndGiveBack(lock);
        });
        lock.lock();
        try {
            other.start();
            tried.await();
        } finally {
            lock.unlock();
        }
        released.countDown();
        other.join();

        assertThat(lock.counts()).isEqualTo(new Counts(2, 0, 1));
    }

    private static void takeAndGiveBack(CountingLock lock) {
        lock.lock();
        try {
            assertThat(lock.counts().acquisitions()).isPositive();
        } finally {
            lock.unlock();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
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

        Counts counts = lock.counts();
        assertThat(counts.acquisitions()).isEqualTo(guarded[0]);
        assertThat(counts.acquisitions() + counts.failedTries()).isEqualTo(4L * TIMES);
        assertThat(counts.contentions()).isLessThanOrEqualTo(2L * TIMES);
    }

    private static boolean take(CountingLock lock, boolean tries) {
        if (tries) {
            return lock.tryLock();
        }
        lock.lock();
        return true;
    }
}
