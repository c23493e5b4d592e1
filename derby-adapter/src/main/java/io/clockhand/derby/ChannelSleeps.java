// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The sleeps of a thread that writes the header of a file of Derby and has found the channel closed: {@link #end}
 * interrupts each of them at most once.
 *
 * <p>An interrupt that reaches the writer behind its sleep would close the channel that it writes through. The flag and
 * the state of the thread do not tell a new sleep from one that has just been interrupted: the JVM clears the flag,
 * makes the exception, and only then does the thread no longer count as sleeping. So sleeps are distinguished by the
 * number of waits that the JVM counts for each thread. And since a sleep that is about to end by itself must not be
 * interrupted either, one that may have begun some time ago is left alone.
 *
 * <p>For one thread, which is not the writer.
 */
final class ChannelSleeps {
    static final String DERBYS_PACKAGE = "org.apache.derby.impl.store.raw.data.";
    static final String FILE_CLASS = "RAFContainer";
    /** Sleeps when it finds the channel closed, half a second each time. */
    static final String WRITE_METHOD = "clean";

    /** Half of a sleep. */
    private static final long MOST_AGE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** More than {@code Thread} has between its method {@code sleep} and the JVM. */
    private static final int DEPTH = 8;

    private final Thread writer;
    private final LongSupplier nanoTime;
    /** How many waits the last call of {@link #end} has seen: a sleep with a higher number began after it. */
    private long waits = -1;

    private long calledAt;

    /** To be called before the writer runs. */
    ChannelSleeps(Thread writer, LongSupplier nanoTime) {
        this.writer = writer;
        this.nanoTime = nanoTime;
        calledAt = nanoTime.getAsLong();
    }

    /** Ends the sleep that the writer is in, if it began after the last call; {@return whether there was one} */
    boolean end() {
        long now = nanoTime.getAsLong();
        ThreadInfo seen = state();
        if (seen == null) {
            return false;
        }
        boolean fresh = seen.getWaitedCount() != waits && nanoTime.getAsLong() - calledAt < MOST_AGE_NANOS;
        waits = seen.getWaitedCount();
        calledAt = now;
        if (!fresh || !sleeps(seen)) {
            return false;
        }
        writer.interrupt();
        return true;
    }

    /** State, stack and waits of one moment; {@return null if the writer has ended, or the JVM cannot tell} */
    private ThreadInfo state() {
        try {
            return ManagementFactory.getThreadMXBean().getThreadInfo(writer.getId(), DEPTH);
        } catch (VirtualMachineError | LinkageError e) {
            return null;
        }
    }

    /** Other sleeps, such as those before the log is synced once more, must go on. */
    private static boolean sleeps(ThreadInfo seen) {
        if (seen.getThreadState() != Thread.State.TIMED_WAITING) {
            return false;
        }
        for (StackTraceElement caller : seen.getStackTrace()) {
            if (!caller.getClassName().equals(Thread.class.getName())) {
                return caller.getClassName().endsWith(FILE_CLASS)
                        && caller.getMethodName().equals(WRITE_METHOD);
            }
        }
        return false;
    }
}
