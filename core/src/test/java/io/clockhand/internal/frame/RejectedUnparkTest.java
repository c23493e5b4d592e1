// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.ChildJvm;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * A virtual thread whose scheduler takes no task, as when there is no memory for one. Only a JVM that opens its own
 * packages lets a program choose a scheduler.
 */
class RejectedUnparkTest {
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, max = JRE.JAVA_25)
    void threadThatCannotBeUnparkedKeepsNoOtherFromBeingWoken() throws Exception {
        String output = ChildJvm.run(List.of(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                ChildJvm.path(List.of(ChildJvm.locationOf(FrameStates.class), ChildJvm.locationOf(Program.class))),
                Program.class.getName()));

        assertThat(output).contains("rejected, and the other one is woken");
    }

    /** Two threads, both daemons, wait for one frame; the one that cannot be unparked comes first. */
    static final class Program {
        /** Longer than any test: a thread whose wait only the time would end is not woken. */
        private static final long LONG = TimeUnit.HOURS.toNanos(1);
        /** So late that only a thread that is never woken reaches it. */
        private static final long LIMIT = TimeUnit.SECONDS.toNanos(75);

        private final FrameStates states = new FrameStates(1);
        private final AtomicBoolean takesTasks = new AtomicBoolean(true);
        private final AtomicBoolean rejected = new AtomicBoolean();
        private final ExecutorService carrier = Executors.newSingleThreadExecutor(Program::daemon);

        private Program() {
            states.tryTakeFree(0);
            states.publishPinned(0, 0);
        }

        public static void main(String[] arguments) throws Exception {
            new Program().run();
        }

        private static Thread daemon(Runnable work) {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        }

        private void run() throws Exception {
            startVirtual(this::awaitReady);
            Thread other = daemon(this::awaitReady);
            other.start();
            awaitParked(other);
            takesTasks.set(false);

            states.waiters().wake(0, states.ready(0));

            other.join(TimeUnit.NANOSECONDS.toMillis(LIMIT));
            System.out.println((rejected.get() ? "rejected" : "not rejected") + ", and the other one is "
                    + (other.isAlive() ? "not woken" : "woken"));
        }

        private void awaitReady() {
            states.waiters().await(0, state -> FrameState.content(state) == FrameState.READY, LONG);
        }

        private void execute(Runnable task) {
            if (!takesTasks.get()) {
                rejected.set(true);
                throw new RejectedExecutionException();
            }
            carrier.execute(task);
        }

        private void startVirtual(Runnable work) throws Exception {
            Constructor<?> constructor = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            constructor.setAccessible(true);
            Object builder = constructor.newInstance((Executor) this::execute);
            Thread thread = (Thread) Class.forName("java.lang.Thread$Builder")
                    .getMethod("start", Runnable.class)
                    .invoke(builder, work);
            awaitParked(thread);
        }

        private static void awaitParked(Thread thread) {
            long begin = System.nanoTime();
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                if (System.nanoTime() - begin > LIMIT) {
                    throw new IllegalStateException(thread + " does not wait");
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
