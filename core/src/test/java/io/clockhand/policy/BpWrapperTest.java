// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When BP-Wrapper and lossy hit buffers take the lock, and which calls the policy receives. */
class BpWrapperTest {
    private static final int FRAMES = 4;

    /** Counts its acquisitions. */
    private static final class CountingLock extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        private int taken;

        @Override
        public void lock() {
            super.lock();
            taken++;
        }

        @Override
        public boolean tryLock() {
            boolean locked = super.tryLock();
            taken += locked ? 1 : 0;
            return locked;
        }
    }

    private final CountingLock lock = new CountingLock();
    private final RecordingPolicy policy = new RecordingPolicy(lock);
    private final ReplacementPolicy wrapper = Policies.batched(policy, lock, FRAMES, Batching.PUBLISHED);
    private final ReplacementPolicy buffered = Policies.buffered(policy, lock, FRAMES);

    private static void hit(ReplacementPolicy wrapper, int frame, int times) {
        for (int i = 0; i < times; i++) {
            wrapper.onHit(frame);
        }
    }

    /** Runs an action while another thread holds the lock. */
    private void whileLocked(Runnable action) throws InterruptedException {
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread holder = new Thread(() -> {
            lock.lock();
            try {
                locked.countDown();
                done.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                lock.unlock();
            }
        });
        holder.start();
        locked.await();
        try {
            action.run();
        } finally {
            done.countDown();
            holder.join();
        }
    }

    @Test
    void hitsComeInBatchesInTheirOrder() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 320; i++) {
            wrapper.onHit(i % FRAMES);
            expected.add("hit " + i % FRAMES);
            assertThat(policy.calls).hasSize((i + 1) / 32 * 32);
        }
        assertThat(policy.calls).isEqualTo(expected);
        assertThat(lock.taken).isEqualTo(10);
        assertThat(policy.touches).isEqualTo(320);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 64", "2, 1, 64", "8, 4, 16", "64, 64, 1", "64, 16, 4"})
    void sizeAndThresholdDecideHowOftenTheLockIsTaken(int size, int threshold, int taken) {
        ReplacementPolicy other = Policies.batched(policy, lock, FRAMES, new Batching(size, threshold, false));
        hit(other, 1, 64);
        assertThat(lock.taken).isEqualTo(taken);
        assertThat(policy.hits).isEqualTo(64);
        assertThat(policy.touches).isZero();
    }

    @Test
    void threadContinuesWhileAnotherHoldsTheLock() throws InterruptedException {
        whileLocked(() -> hit(wrapper, 2, 63));
        assertThat(policy.calls).isEmpty();
        wrapper.onHit(3);
        assertThat(policy.calls).hasSize(64).last().isEqualTo("hit 3");
    }

    @Test
    void threadWaitsForTheLockWhenItsQueueIsFull() throws InterruptedException {
        Thread full = new Thread(() -> hit(wrapper, 2, 64));
        whileLocked(() -> {
            full.start();
            Workers.await(() -> lock.hasQueuedThread(full), "the thread does not wait for the lock");
        });
        full.join();
        assertThat(policy.hits).isEqualTo(64);
    }

    @Test
    void missReplaysTheHitsBeforeIt() {
        hit(wrapper, 1, 3);
        wrapper.evict(7, null);
        hit(wrapper, 2, 1);
        wrapper.onLoad(3, 7, 1);
        assertThat(policy.calls).containsExactly("hit 1", "hit 1", "hit 1", "evict", "hit 2", "load 3");
    }

    @Test
    void staleHitIsDropped() throws InterruptedException {
        wrapper.onLoad(0, 10, 1);
        wrapper.onLoad(1, 11, 1);
        wrapper.onHit(0);
        wrapper.onHit(1);
        Thread other;
        do { // of another stripe, of which there are 64 at least, or it would empty the queue of this thread
            other = new Thread(() -> wrapper.onLoad(0, 12, 2));
        } while ((other.getId() - Thread.currentThread().getId()) % 64 == 0);
        other.start();
        other.join();
        policy.calls.clear();
        wrapper.evict(13, null);
        assertThat(policy.calls).containsExactly("hit 1", "evict");
    }

    @Test
    void frameOfAGrownPoolCanBeHit() {
        wrapper.onCapacity(2 * FRAMES);
        wrapper.onLoad(2 * FRAMES - 1, 10, 5);
        wrapper.onHit(2 * FRAMES - 1);
        wrapper.evict(13, null);
        assertThat(policy.calls).containsExactly("capacity 8", "load 7", "hit 7", "evict");
    }

    @Test
    void hitsOnFramesOfAShrunkPoolAreDropped() {
        wrapper.onLoad(1, 10, 1);
        wrapper.onLoad(FRAMES - 1, 11, 1);
        wrapper.onHit(1);
        wrapper.onHit(FRAMES - 1);
        wrapper.onCapacity(FRAMES - 1);
        policy.calls.clear();
        wrapper.evict(13, null);
        assertThat(policy.calls).containsExactly("hit 1", "evict");
    }

    private static void runInAnotherThread(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void hitsOfEndedThreadsAreNotLost() throws Exception {
        int threads = 4_000;
        int each = 10;
        for (int i = 0; i < threads; i++) {
            runInAnotherThread(() -> hit(wrapper, 1, each));
        }
        int queues = 1024; // at most
        assertThat(policy.hits).isBetween(each * threads - 32 * queues, each * threads);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThreadsShareTheQueues() throws Exception {
        int threads = 5_000;
        int each = 20;
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(startVirtually(() -> hit(wrapper, 1, each)));
        }
        for (Thread thread : running) {
            thread.join(TimeUnit.MINUTES.toMillis(2));
            assertThat(thread.isAlive()).as("a thread is stuck").isFalse();
        }
        int queues = 1024; // at most
        assertThat(policy.hits).isBetween(each * threads - 64 * queues, each * threads);
    }

    private static Thread startVirtually(Runnable task) throws ReflectiveOperationException {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        return (Thread) start.invoke(null, task);
    }

    @Test
    void manyThreadsLoseNoHit() throws Exception {
        int threads = 16;
        int each = Tier.pick(16_000, 64_000, 1_000_000);
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int frame = i % FRAMES;
            Thread thread = new Thread(() -> {
                hit(wrapper, frame, each);
                wrapper.evict(1, null);
            });
            thread.setUncaughtExceptionHandler((which, failure) -> failures.add(failure));
            running.add(thread);
        }
        running.forEach(Thread::start);
        for (Thread thread : running) {
            thread.join(TimeUnit.MINUTES.toMillis(2));
            assertThat(thread.isAlive()).as("a thread is stuck").isFalse();
        }
        assertThat(failures).isEmpty();
        assertThat(policy.hits).isBetween(threads * each - threads * 64, threads * each);
    }

    // --- lossy hit buffers -------------------------------------------------------------------------------------------

    @Test
    void hitWithALossyBufferNeverWaits() throws InterruptedException {
        whileLocked(() -> hit(buffered, 1, 1_000));
        assertThat(policy.calls).isEmpty();
        buffered.onHit(2); // the queue is full, so this one is lost, and the lock is free
        assertThat(policy.hits).isEqualTo(64);
        hit(buffered, 2, 31);
        assertThat(policy.hits).isEqualTo(64);
        buffered.onHit(2);
        assertThat(policy.hits).isEqualTo(96);
        assertThat(policy.calls).last().isEqualTo("hit 2");
    }

    @Test
    void missWithALossyBufferReplaysNoHits() {
        hit(buffered, 1, 3);
        buffered.evict(7, null);
        buffered.onLoad(1, 7, 1);
        assertThat(policy.calls).containsExactly("evict", "load 1");
        hit(buffered, 1, 29); // the first three were hits of another content
        assertThat(policy.hits).isEqualTo(29);
    }

    // --- options -----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 4097})
    void queueSizeIsBounded(int size) {
        assertThatThrownBy(() -> new Batching(size, 1, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(size));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 9})
    void thresholdIsAtMostTheSizeOfTheQueue(int threshold) {
        assertThatThrownBy(() -> new Batching(8, threshold, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("threshold")
                .hasMessageContaining(Integer.toString(threshold));
    }

    @Test
    void lockFreePolicyIsNotOfferedAsSingleThreaded() {
        assertThat(Policies.singleThreaded("lirs", 10).tracksAccesses()).isTrue();
        assertThatThrownBy(() -> Policies.singleThreaded("nb-gclock3", 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nb-gclock3")
                .hasMessageContaining("lirs");
    }

    @Test
    void prefetchingIsOnInPoolsWhoseLinksExceedTheCaches() {
        assertThat(Batching.of(524_287)).isEqualTo(new Batching(64, 32, false));
        assertThat(Batching.of(524_288)).isEqualTo(Batching.PUBLISHED);
    }

    @Test
    void noticeOfACleanFrameReachesThePolicyUnderTheLock() {
        for (ReplacementPolicy each : List.of(Policies.locked(policy, lock), wrapper, buffered)) {
            policy.calls.clear();

            each.onClean(3);

            assertThat(policy.calls).containsExactly("clean 3");
            assertThat(lock.isLocked()).isFalse();
        }
    }
}
