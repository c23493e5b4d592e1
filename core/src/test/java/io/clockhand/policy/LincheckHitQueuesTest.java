// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two threads that share a queue of hits, in every interleaving of a few steps: each hit that was added is replayed
 * once.
 */
class LincheckHitQueuesTest {
    private static final int QUEUE = 0;
    private static final int INVOCATIONS = 500;

    private static void addAndReplay(boolean owned) {
        HitQueues queues = new HitQueues(4);
        queues.onCapacity(2);
        ReentrantLock lock = new ReentrantLock();
        RecordingPolicy policy = new RecordingPolicy(lock);
        AtomicInteger added = new AtomicInteger();
        Runnable adder = () -> {
            if (queues.tryOwn(QUEUE) || !owned) {
                queues.add(QUEUE, 1);
                queues.disown(QUEUE);
                added.incrementAndGet();
            }
        };
        Runnable replayer = () -> {
            if (queues.tryOwn(QUEUE) || !owned) {
                lock.lock();
                try {
                    queues.replay(QUEUE, policy);
                } finally {
                    lock.unlock();
                }
                queues.disown(QUEUE);
            }
        };
        Thread other = new Thread(() -> {
            adder.run();
            replayer.run();
        });
        other.start();
        adder.run();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        replayer.run();
        if (policy.hits != added.get()) {
            throw new IllegalStateException(added + " hits were added, " + policy.hits + " were replayed");
        }
    }

    @Test
    void hitsAreReplayedOnce() {
        Lincheck.runConcurrentTest(Tier.pick(50, INVOCATIONS, 10 * INVOCATIONS), () -> addAndReplay(true));
    }

    @Tag("ci")
    @Test
    void lincheckFindsAQueueWithoutOwner() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(INVOCATIONS, () -> addAndReplay(false)))
                .hasMessageContaining("were replayed");
    }
}
