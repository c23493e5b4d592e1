// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Runs tasks in threads of their own, and waits for all of them. */
final class Threads {
    private static final long LIMIT_MILLIS = 180_000;

    /** A task. */
    interface Task {
        void run() throws Exception;
    }

    private Threads() {}

    /** Throws what the first of them has thrown. */
    static void run(List<Task> tasks) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (Task task : tasks) {
            threads.add(new Thread(() -> {
                try {
                    task.run();
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(LIMIT_MILLIS);
            assertThat(thread.isAlive()).as("%s hangs", thread).isFalse();
        }
        Throwable first = failure.get();
        if (first instanceof Exception exception) {
            throw exception;
        }
        if (first != null) {
            throw new AssertionError(first.getMessage(), first);
        }
    }
}
