// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.PoolFailedException;
import io.clockhand.internal.frame.PoolFailure;
import io.clockhand.internal.frame.StackReserve;
import io.clockhand.internal.metrics.CheckpointEvent;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;

/**
 * Fuzzy checkpoints: where redo must begin after a crash. A checkpoint stops nobody, and several can be made at once.
 *
 * <ol>
 * <li>Read the end of the log.
 * <li>Take the least position that a page needs which is dirty, or is being written ({@link DirtyPages#oldest}).
 * <li>Force the files. A page that was clean at step 2 was written before, so its changes survive then.
 * </ol>
 *
 * <p>A record that step 2 misses was appended after step 1: an update registers before its record is appended. An
 * update may register a position that it has read long ago; its record is appended later all the same. So a checkpoint
 * never returns less than the one before.
 *
 * <p><b>A failed force</b> is final, unless the builder says otherwise: the operating system may have dropped the
 * pages that it could not write, and succeed the next time. From then on no page can be changed, and no
 * checkpoint succeeds. The operating system reports a failure once. So a failure is noted before another thread forces
 * the same file: the files see to that. Other files are forced at the same time.
 *
 * <p><b>Shared words.</b> {@code lastRedo} is guarded by this object's monitor, which is held for a few steps. {@code
 * failed}, volatile, is set once, under the monitor, by the thread whose force has failed. Thread-safe.
 */
public final class Checkpointer {
    private final WriteAheadLog log;
    private final DirtyPages dirty;
    private final Files files;
    private final WriteCounters counters;
    private final boolean retriesForce;
    private final String name;
    /** The result of the last checkpoint. Guarded by this. */
    private long lastRedo;
    /** The force that has failed, or null. Set once. */
    private volatile Throwable failed;
    /** Set before the pool is used. */
    private PoolFailure poolFailure = new PoolFailure();

    /** The files of the pool. */
    public interface Files {
        /** Brings everything that was written before to the device, each file by {@link Checkpointer#force}. */
        void force() throws IOException;
    }

    /** The pages that a checkpoint writes first. */
    public interface Pages {
        /** Writes them; {@return their number} */
        int write() throws IOException;
    }

    /**
     * Creates a checkpointer.
     *
     * @param log the log of the engine
     * @param dirty the dirty page table
     * @param files forces the files
     * @param counters counts checkpoints
     * @param retriesForce whether a force that has failed may be tried again
     * @param name the name of the pool, for events
     */
    public Checkpointer(
            WriteAheadLog log,
            DirtyPages dirty,
            Files files,
            WriteCounters counters,
            boolean retriesForce,
            String name) {
        this.log = log;
        this.dirty = dirty;
        this.files = files;
        this.counters = counters;
        this.retriesForce = retriesForce;
        this.name = name;
    }

    /**
     * Makes a checkpoint, which counts and is recorded from this call on.
     *
     * @param first writes some pages before
     * @return the position of the log at which redo must begin
     * @throws IOException if a page could not be written, or a file not be forced
     * @throws PoolFailedException if a force has failed before
     */
    public long checkpoint(Pages first) throws IOException {
        checkNotFailed();
        CheckpointEvent event = FlightEvents.checkpoint(name, dirty.count());
        long begin = System.nanoTime();
        try {
            int written = first.write();
            if (event != null) {
                event.wrote(written);
            }
            return take(begin, event);
        } finally {
            FlightEvents.finish(event); // never throws: the engine must have the position of a checkpoint
        }
    }

    private long take(long begin, CheckpointEvent event) throws IOException {
        checkNotFailed();
        long end = log.end();
        long redo = dirty.oldest(end);
        files.force();
        checkNotFailed(); // a file that was closed meanwhile was not forced by this
        long last = complete(begin, end, redo);
        if (event != null) {
            event.taken(last, end);
        }
        return last;
    }

    private synchronized long complete(long begin, long end, long redo) {
        lastRedo = Math.max(lastRedo, redo);
        counters.onCheckpoint(System.nanoTime() - begin, Math.max(0, end - lastRedo));
        return lastRedo;
    }

    /**
     * Forces a file, which no other thread forces at the same time.
     *
     * @param forced the file
     * @throws IOException if that failed
     * @throws PoolFailedException if a force has failed before
     */
    public void force(Files forced) throws IOException {
        checkNotFailed();
        StackReserve.check(); // or a force would count as failed that has not begun
        try {
            forced.force();
        } catch (Throwable e) { // also a checked exception of another language: what it has lost is lost
            if (!retriesForce) {
                fail(e);
            }
            throw e;
        }
    }

    /**
     * Refuses changes, too, when the pool has failed. Called before the pool is used.
     *
     * @param failure says whether it has
     */
    public void usePoolFailure(PoolFailure failure) {
        poolFailure = failure;
        failure.onFailure(() -> fail(failure.cause()));
    }

    private synchronized void fail(Throwable failure) {
        if (failed == null) {
            failed = failure;
        }
    }

    /** Throws if a force has failed, or the pool. */
    public void checkNotFailed() {
        Throwable failure = failed;
        if (failure != null) {
            poolFailure.check();
            throw new PoolFailedException(
                    "a file could not be forced to its device, so changes that were written may be lost: "
                            + failure.getMessage()
                            + "; close the pool without writing, open it anew, and redo from the last checkpoint",
                    failure);
        }
    }
}
