// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.clockhand.testing.ChildJvm;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ShortLockTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(15);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final ShortLock lock = new ShortLock();
    /** Guarded by the lock, as is the next. */
    private int count;

    private boolean open;

    @Test
    void oneThreadAtATimeHasTheLock() {
        List<Worker<Void>> adders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            adders.add(workers.run(() -> {
                for (int step = 0; step < 50_000; step++) {
                    lock.lock();
                    count++;
                    lock.unlock();
                }
            }));
        }
        adders.forEach(Worker::result);
        assertThat(count).isEqualTo(200_000);
    }

    @Test
    void onlyTheOwnerReleases() {
        lock.lock();
        boolean refused = workers.start(() -> {
                    lock.unlockIfHeld();
                    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
                    return true;
                })
                .result();
        Worker<Boolean> next = workers.start(() -> {
            try {
                lock.lock();
                return true;
            } finally {
                lock.unlockIfHeld();
            }
        });
        next.awaitParked();
        assertThat(refused).isTrue();
        lock.unlockIfHeld();
        lock.unlockIfHeld();

        assertThat(next.result()).isTrue();
    }

    @Test
    void signalWakesAllThatWaitAtOnce() {
        List<Worker<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(workers.start(this::awaitOpen));
        }
        waiting.forEach(Worker::awaitParked);
        long begin = System.nanoTime();

        lock.lock();
        open = true;
        lock.signalAll();
        lock.unlock();

        for (Worker<Boolean> waiter : waiting) {
            assertThat(waiter.result()).isTrue();
        }
        assertThat(System.nanoTime() - begin).as("nanoseconds").isLessThan(LONG / 3);
    }

    private boolean awaitOpen() {
        lock.lock();
        try {
            return lock.await(() -> open, LONG);
        } finally {
            lock.unlock();
        }
    }

    /** Two threads pass a turn to and fro; a lost signal would end a wait by its time. */
    @Test
    void noSignalIsLost() {
        List<Worker<Boolean>> players = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int parity = i;
            players.add(workers.start(() -> {
                boolean inTime = true;
                for (int step = 0; inTime && step < 20_000; step++) {
                    lock.lock();
                    try {
                        inTime = lock.await(() -> count % 2 == parity, LONG);
                        count++;
                        lock.signalAll();
                    } finally {
                        lock.unlock();
                    }
                }
                return inTime;
            }));
        }
        for (Worker<Boolean> player : players) {
            assertThat(player.result()).isTrue();
        }
        assertThat(count).isEqualTo(40_000);
    }

    @Test
    void waitThatEndsByTimeOrByAFailureHasTheLock() {
        lock.lock();
        assertThat(lock.await(() -> false, TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
        AtomicBoolean tested = new AtomicBoolean();
        assertThatThrownBy(() -> lock.await(
                        () -> {
                            if (tested.getAndSet(true)) {
                                throw new OutOfMemoryError("injected");
                            }
                            return false;
                        },
                        LONG))
                .hasMessage("injected");
        lock.signalAll();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(workers.start(() -> {
                            lock.lock();
                            lock.unlock();
                            return true;
                        })
                        .result())
                .isTrue();
    }

    @Test
    void interruptEndsNoWaitAndStaysPending() {
        AtomicBoolean interrupted = new AtomicBoolean();
        Worker<Boolean> waiter = workers.start(() -> {
            boolean in = awaitOpen();
            interrupted.set(Thread.interrupted());
            return in;
        });
        waiter.awaitParked();
        waiter.thread().interrupt();
        lock.lock();
        open = true;
        lock.signalAll();
        lock.unlock();

        assertThat(waiter.result()).isTrue();
        assertThat(interrupted).isTrue();
    }

    /** The JVM would need memory to link a call that it has not made before, and the lock would stay held. */
    @Test
    void firstReleaseInAJvmAllocatesNothing() throws Exception {
        String output = ChildJvm.run(List.of(
                "-XX:+UseSerialGC",
                "-XX:-UseTLAB", // so that the JVM counts each byte at once
                "-cp",
                ChildJvm.path(List.of(ChildJvm.locationOf(ShortLock.class), ChildJvm.locationOf(Program.class))),
                Program.class.getName()));

        assertThat(output.strip()).isEqualTo("allocated=0");
    }

    /** Prints the bytes that the first release allocates. */
    static final class Program {
        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        private Program() {}

        public static void main(String[] arguments) {
            long before = allocated();
            long ofTheCount = allocated() - before;
            ShortLock lock = new ShortLock();
            lock.lock();
            long begin = allocated();
            lock.unlock();
            long end = allocated();
            System.out.println("allocated=" + (end - begin - ofTheCount));
        }

        private static long allocated() {
            return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        }
    }
}
