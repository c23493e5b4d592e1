// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.cache.KeyTableKind;
import io.clockhand.derby.FakeObjects.FakeObject;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.derby.shared.common.error.StandardException;
import org.junit.jupiter.api.AfterEach;

/** A cache manager driven directly, without a database; after each test no object may be kept and no rule broken. */
abstract class ManagerTest {
    /** So late that only a call that hangs reaches it. */
    static final long WAIT_SECONDS = 120;

    final FakeObjects objects = new FakeObjects();
    private final List<ClockhandCacheManager> managers = new ArrayList<>();

    ClockhandCacheManager cache(int maximum) {
        return cache(ClockhandCacheManager.PAGE_CACHE, maximum, objects);
    }

    ClockhandCacheManager cache(String name, int maximum, FakeObjects factory) {
        Settings settings = new Settings(policy(), ClockHand.DEFAULT, KeyTableKind.DEFAULT, Settings.Advice.NONE, null);
        ClockhandCacheManager manager = new ClockhandCacheManager(factory, name, maximum, settings);
        managers.add(manager);
        return manager;
    }

    String policy() {
        return Policies.DEFAULT;
    }

    @AfterEach
    void noRuleIsBrokenAndNothingIsKept() {
        assertThat(objects.violations).isEmpty();
        for (ClockhandCacheManager manager : managers) {
            assertThat(manager.stats().pinned()).as("kept objects").isZero();
            manager.checkIntegrity();
        }
    }

    static FakeObject find(ClockhandCacheManager cache, Object key) throws StandardException {
        return (FakeObject) cache.find(key);
    }

    /** Finds and releases, so that the object is there and not kept. */
    static FakeObject touch(ClockhandCacheManager cache, Object key) throws StandardException {
        FakeObject object = find(cache, key);
        cache.release(object);
        return object;
    }

    /** Leaves a dirty object that nobody keeps. */
    static FakeObject soil(ClockhandCacheManager cache, Object key) throws StandardException {
        FakeObject object = find(cache, key);
        object.dirty = true;
        cache.release(object);
        return object;
    }

    /** A call that runs in a thread of its own. */
    static final class Running<T> {
        private final FutureTask<T> task;
        final Thread thread;

        Running(Callable<T> call) {
            task = new FutureTask<>(call);
            thread = new Thread(task, "test thread");
            thread.setDaemon(true);
            thread.start();
        }

        T result() throws Exception {
            return result(WAIT_SECONDS);
        }

        T result(long seconds) throws Exception {
            try {
                return task.get(seconds, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                AssertionError hung =
                        new AssertionError(thread + " has not come to its end: it is " + thread.getState());
                hung.setStackTrace(thread.getStackTrace());
                throw hung;
            }
        }

        boolean isDone() {
            return task.isDone();
        }

        /** Waits until the thread waits for another one; it must not have come to its end. */
        void awaitBlocked() {
            eventually(
                    "the thread waits",
                    () -> task.isDone()
                            || thread.getState() == Thread.State.WAITING
                            || thread.getState() == Thread.State.TIMED_WAITING);
            assertThat(task.isDone()).as("should wait").isFalse();
        }
    }

    static <T> Running<T> start(Callable<T> call) {
        return new Running<>(call);
    }

    /** A place where one thread stops until another lets it go on. */
    static final class Gate {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        void pass() {
            reached.countDown();
            await(open);
        }

        void awaitReached() {
            await(reached);
        }

        void open() {
            open.countDown();
        }
    }

    static void await(CountDownLatch latch) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        try {
            for (; ; ) {
                try {
                    if (!latch.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        throw new AssertionError("nobody came to where this thread waits for others");
                    }
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static void eventually(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("it was never so that " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
