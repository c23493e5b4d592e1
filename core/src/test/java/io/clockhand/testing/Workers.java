// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The threads of a test. Every wait has a limit, which only a thread that hangs reaches, however slow the machine is;
 * a thread that outlives its test fails it.
 */
public final class Workers implements AfterEachCallback {
    /** For waits that must end. */
    public static final Duration LIMIT = Duration.ofSeconds(Integer.getInteger("test.limit.seconds", 90));

    private final List<Worker<?>> workers = new ArrayList<>();

    /**
     * One thread and its result.
     *
     * @param <T> the result
     */
    public static final class Worker<T> {
        private final FutureTask<T> task;
        private final Thread thread;

        private Worker(Callable<T> work) {
            task = new FutureTask<>(work);
            thread = new Thread(task, "worker");
            thread.setDaemon(true);
            thread.start();
        }

        /** {@return the result, as soon as it is there; a failure of the thread is the cause of an AssertionError} */
        public T result() {
            try {
                return task.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new AssertionError("the worker failed: " + e.getCause(), e.getCause());
            } catch (TimeoutException e) {
                AssertionError stuck = new AssertionError("the worker is stuck", e);
                stuck.setStackTrace(thread.getStackTrace());
                throw stuck;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }

        /** {@return what the work has thrown} */
        public Throwable failure() {
            try {
                result();
            } catch (AssertionError e) {
                return e.getCause();
            }
            throw new AssertionError("the worker did not fail");
        }

        /** {@return whether the work is over} */
        public boolean isDone() {
            return task.isDone();
        }

        /** {@return the thread} */
        public Thread thread() {
            return thread;
        }

        /** Waits until the thread is parked or blocked. */
        public void awaitParked() {
            await(() -> isParked() && !task.isDone(), "the worker does not wait");
        }

        /** Waits until the thread is parked or has ended. */
        public void awaitParkedOrDone() {
            await(() -> task.isDone() || isParked(), "the worker neither waits nor ends");
        }

        /** A thread that waits for another one to load a class, or to link a call, will go on by itself. */
        private boolean isParked() {
            return isWaiting() && !isLoading() && isWaiting(); // again, since it may have gone on before the stack came
        }

        private boolean isWaiting() {
            Thread.State state = thread.getState();
            return state == Thread.State.WAITING
                    || state == Thread.State.TIMED_WAITING
                    || state == Thread.State.BLOCKED;
        }

        private boolean isLoading() {
            return Arrays.stream(thread.getStackTrace())
                    .map(StackTraceElement::getClassName)
                    .anyMatch(name -> name.equals("java.lang.ClassLoader")
                            || name.equals("java.lang.invoke.MethodHandleNatives"));
        }
    }

    /**
     * Starts a thread.
     *
     * @param work what it does
     * @param <T> its result
     * @return the thread
     */
    public <T> Worker<T> start(Callable<T> work) {
        Worker<T> worker = new Worker<>(work);
        workers.add(worker);
        return worker;
    }

    /** Work without a result. */
    @FunctionalInterface
    public interface Work {
        /**
         * Does it.
         *
         * @throws Exception if it fails
         */
        void run() throws Exception;
    }

    /**
     * Starts a thread.
     *
     * @param work what it does
     * @return the thread
     */
    public Worker<Void> run(Work work) {
        return start(() -> {
            work.run();
            return null;
        });
    }

    /**
     * Waits for a condition.
     *
     * @param condition what must come true
     * @param failure what to say if it does not
     */
    public static void await(BooleanSupplier condition, String failure) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError(failure + " within " + LIMIT.toSeconds() + " s");
            }
            LockSupport.parkNanos(50_000);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        for (Worker<?> worker : workers) {
            worker.thread.join(LIMIT.toMillis());
            if (worker.thread.isAlive()) {
                AssertionError stuck = new AssertionError("a worker outlives its test");
                stuck.setStackTrace(worker.thread.getStackTrace());
                throw stuck;
            }
        }
    }
}
