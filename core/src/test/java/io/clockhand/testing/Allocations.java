// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import java.lang.reflect.Method;

/** Counts what a thread allocates. By reflection, since the library's module does not read the management modules. */
public final class Allocations {
    private Allocations() {}

    /**
     * {@return the bytes that a task allocates, and a few more}
     *
     * @param task runs in this thread
     * @throws Exception what the task throws
     */
    public static long during(Workers.Work task) throws Exception {
        long before = soFar();
        task.run();
        return soFar() - before;
    }

    /**
     * {@return the bytes that this thread has allocated so far; each call adds some hundred}
     *
     * @throws ReflectiveOperationException if the JVM does not count them
     */
    public static long soFar() throws ReflectiveOperationException {
        Object bean = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        Method bytes =
                Class.forName("com.sun.management.ThreadMXBean").getMethod("getThreadAllocatedBytes", long.class);
        return (long) bytes.invoke(bean, Thread.currentThread().getId());
    }

    /**
     * {@return the bytes that a task allocates each time it is run: the least of three runs, since one of them may pay
     * for what the JVM links or loads once}
     *
     * @param task runs in this thread, three times
     * @throws Exception what the task throws
     */
    public static long ofEachRun(Workers.Work task) throws Exception {
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 3; run++) {
            least = Math.min(least, during(task));
        }
        return least;
    }
}
