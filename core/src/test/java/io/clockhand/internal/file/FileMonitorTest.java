// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FileMonitorTest {
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final long LONG = TimeUnit.HOURS.toNanos(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final FileMonitor monitor = new FileMonitor(options(), "file");
    /** Guarded by the monitor, as is the next. */
    private int count;

    private boolean open;

    @Test
    void signalWakesAllThatWaitAtOnce() {
        List<Worker<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(workers.start(() -> monitor.await(() -> open, LONG)));
        }
        waiting.forEach(Worker::awaitParked);

        open();

        for (Worker<Boolean> waiter : waiting) {
            assertThat(waiter.result()).isTrue();
        }
    }

    private void open() {
        synchronized (monitor) {
            open = true;
            monitor.signalAll();
        }
    }

    @Test
    void threadDoesNotWaitForAFileOfAPoolThatHasFailed() {
        PoolOptions options = options();
        FileMonitor failed = new FileMonitor(options, "file");
        options.failure().fail(new AssertionError("injected"));
        assertThat(workers.start(() -> failed.await(() -> open, LONG)).result()).isFalse();
    }

    /** Two threads pass a turn to and fro; a lost signal would end neither's wait. */
    @Test
    void noSignalIsLost() {
        int steps = Tier.pick(5_000, 20_000, 1_000_000);
        List<Worker<Boolean>> players = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int parity = i;
            players.add(workers.start(() -> {
                boolean inTime = true;
                for (int step = 0; inTime && step < steps; step++) {
                    inTime = monitor.await(() -> tryTurn(parity), LONG);
                }
                return inTime;
            }));
        }
        for (Worker<Boolean> player : players) {
            assertThat(player.result()).isTrue();
        }
        assertThat(count).isEqualTo(2 * steps);
    }

    /** The thread that signals must wait for the lock until the other one has added itself. */
    @Test
    void signalThatComesBetweenAnAttemptAndItsWaitIsNotLost() {
        Worker<Boolean> waiter = workers.start(() -> monitor.await(
                () -> {
                    boolean seen = open;
                    if (!seen) {
                        workers.run(this::open).awaitParkedOrDone();
                    }
                    return seen;
                },
                TimeUnit.MINUTES.toNanos(5)));
        assertThat(waiter.result()).isTrue();
    }

    private boolean tryTurn(int parity) {
        if (count % 2 != parity) {
            return false;
        }
        count++;
        monitor.signalAll();
        return true;
    }

    @Test
    void attemptThatFailsOrThrowsLeavesNeitherTheLockNorAWaiter() {
        assertThat(monitor.await(() -> false, TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
        AtomicBoolean tried = new AtomicBoolean();
        Worker<Boolean> thrower = workers.start(() -> monitor.await(
                () -> {
                    if (tried.getAndSet(true)) {
                        throw new OutOfMemoryError("injected");
                    }
                    return false;
                },
                LONG));
        thrower.awaitParked();
        open();
        assertThatThrownBy(thrower::result).hasStackTraceContaining("injected");

        assertThat(workers.start(() -> monitor.await(() -> open, LONG)).result())
                .isTrue();
    }

    /** The last attempt is made when the time is over: the change may have come without a signal in time. */
    @Test
    void waitTriesOnceMoreWhenItsTimeIsOver() {
        assertThat(monitor.await(() -> ++count == 2, TimeUnit.MILLISECONDS.toNanos(5)))
                .isTrue();
    }

    @Test
    void interruptEndsNoWaitAndStaysPending() {
        AtomicBoolean interrupted = new AtomicBoolean();
        Worker<Boolean> waiter = workers.start(() -> {
            boolean in = monitor.await(() -> open, LONG);
            interrupted.set(Thread.interrupted());
            return in;
        });
        waiter.awaitParked();
        waiter.thread().interrupt();
        open();

        assertThat(waiter.result()).isTrue();
        assertThat(interrupted).isTrue();
    }

    /** A thread without memory must be able to end what it has begun, if it does not wait for a change. */
    @Tag("nightly")
    @Test
    void attemptThatSucceedsAtOnceAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        BooleanSupplier success = () -> true;
        long allocated = Long.MAX_VALUE;
        for (int i = 0; i < 100 && allocated != 0; i++) { // the first calls link
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            long ofTheCount =
                    threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            long begin = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            monitor.until(success, "nothing");
            allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - begin - ofTheCount;
        }
        assertThat(allocated).as("bytes of one attempt").isZero();
    }

    private static PoolOptions options() {
        return new PoolOptions(
                "",
                2,
                2,
                true,
                Duration.ofHours(1),
                "",
                IllegalStateException::new,
                Duration.ofHours(1),
                (what, waited) -> {
                    throw new IllegalStateException(what);
                });
    }
}
