// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.derby.iapi.services.cache.Cacheable;
import org.apache.derby.shared.common.error.StandardException;
import org.apache.derby.shared.common.reference.SQLState;

/**
 * Writes a file of Derby back, which means its header, while threads that use the file may be interrupted.
 *
 * <p>An interrupt in the middle of a read or a write closes the channel of the file for all threads, and a shutdown of
 * the engine interrupts all threads that Derby knows, its daemon too. The interrupted thread opens the channel again,
 * when no other thread is inside a read or a write of a page, and under the monitor of the file. Derby writes the
 * header under that monitor, so two things can go wrong, for a minute each:
 * <ol>
 * <li>The thread that writes the header is interrupted. It waits for the threads inside reads and writes of pages, and
 * they wait for the monitor. So the header is written by a thread that Derby does not know.
 * <li>Another thread is interrupted. The one that writes the header finds the channel closed and sleeps, 120 times for
 * half a second, with the monitor held, without which the channel cannot be opened. So {@link ChannelSleeps} ends the
 * sleeps; Derby gives up, and the header is written again when the monitor was free for a while.
 * </ol>
 * A thread that is itself interrupted 120 times while it waits until a channel is open again still gives up, and Derby
 * shuts the database down: error XSDG9, with Derby's own cache, too.
 *
 * <p>The calling thread waits for the end, as it would if it wrote the header itself; its own interrupt stays pending.
 * One instance is one try, used by two threads: the fields are written by the writing thread before it ends, and read
 * by the calling thread after it has joined it.
 */
final class HeaderWrite implements Runnable {
    /** As long as Derby tries. */
    private static final long TRIES_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long FIRST_LOOK_MILLIS = 50;
    private static final long LOOK_MILLIS = 1;
    /** Between two tries: enough to open a channel. */
    private static final long PAUSE_MILLIS = 20;

    private final Cacheable file;
    private final LongSupplier nanoTime;
    private Throwable failure;

    private HeaderWrite(Cacheable file, LongSupplier nanoTime) {
        this.file = file;
        this.nanoTime = nanoTime;
    }

    /** Cleans a file, as {@link Cacheable#clean} does that is called with false. */
    static void clean(Cacheable file) throws StandardException {
        clean(file, System::nanoTime);
    }

    static void clean(Cacheable file, LongSupplier nanoTime) throws StandardException {
        boolean interrupted = Thread.interrupted();
        try {
            long begin = nanoTime.getAsLong();
            for (; ; ) {
                HeaderWrite write = new HeaderWrite(file, nanoTime);
                interrupted |= write.runInAThread();
                if (write.failure == null) {
                    return;
                }
                if (!isClosedChannel(write.failure) || nanoTime.getAsLong() - begin > TRIES_NANOS) {
                    rethrow(write.failure);
                }
                interrupted |= sleep();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Without memory for a thread, in this one; {@return whether the calling thread was interrupted} */
    private boolean runInAThread() {
        Thread writer;
        ChannelSleeps sleeps;
        try {
            writer = new Thread(null, this, "clockhand header writer", 0, false);
            writer.setDaemon(true);
            sleeps = new ChannelSleeps(writer, nanoTime);
            writer.start();
        } catch (OutOfMemoryError e) {
            run();
            return false;
        }
        return await(writer, sleeps);
    }

    @Override
    public void run() {
        try {
            file.clean(false);
        } catch (Throwable e) {
            failure = e;
        }
    }

    /** Waits for the writer; {@return whether the calling thread was interrupted} */
    private static boolean await(Thread writer, ChannelSleeps sleeps) {
        boolean interrupted = false;
        long look = FIRST_LOOK_MILLIS;
        for (; ; ) {
            try {
                writer.join(look);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (!writer.isAlive()) {
                return interrupted;
            }
            look = sleeps.end() ? LOOK_MILLIS : FIRST_LOOK_MILLIS;
        }
    }

    private static boolean sleep() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private static boolean isClosedChannel(Throwable failure) {
        return failure instanceof StandardException derbys
                && SQLState.FILE_IO_INTERRUPTED.equals(derbys.getMessageId());
    }

    /** {@code clean} declares its failures, or they are unchecked. */
    private static void rethrow(Throwable failure) throws StandardException {
        if (failure instanceof StandardException declared) {
            throw declared;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
