// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import java.io.IOException;
import java.util.function.LongFunction;

/**
 * Writes single pages for {@link PageWriter}, and waits for their latches: those that a batch could not copy, since
 * other threads changed or wrote them.
 *
 * <p>No thread that has a batch waits for a latch, since the thread that has the latch may wait for a batch. A thread
 * that has latched a page exclusively does not wait for a batch, since it would keep updates out meanwhile.
 *
 * <p>Thread-safe.
 */
final class OnePageWriter {
    /** Waits for the latch as long as the pool's settings say. */
    static final long AS_SET = -1;

    private final FramePool pool;
    private final PoolOptions options;
    private final FrameStates states;
    private final CopyLatches latches;
    private final PageTable table;
    private final PageTarget target;
    private final BatchWriter writer;
    private final WriteBuffers small;
    private final LongFunction<String> describe;

    OnePageWriter(
            FramePool pool,
            PoolOptions options,
            CopyLatches latches,
            PageTable table,
            PageTarget target,
            BatchWriter writer,
            WriteBuffers small,
            LongFunction<String> describe) {
        this.pool = pool;
        this.options = options;
        this.states = pool.states();
        this.latches = latches;
        this.table = table;
        this.target = target;
        this.writer = writer;
        this.small = small;
        this.describe = describe;
    }

    /**
     * Waits until a page can be copied, and writes it.
     *
     * @param patience how long it waits for the latch, in nanoseconds, or {@link #AS_SET}
     * @return false if that is not necessary any more, or the time is over
     */
    boolean write(long id, long patience) throws IOException {
        int frame = table.find(id);
        if (frame == PageTable.NONE || !states.tryPinReady(frame, id, 0)) {
            return false;
        }
        try {
            return states.identity(frame) == id && writePinned(frame, id, patience);
        } finally {
            pool.unpin(frame);
        }
    }

    private boolean writePinned(int frame, long id, long patience) throws IOException {
        boolean exclusive = latches.isExclusive(id);
        WriteBatch batch = null;
        try {
            while (true) {
                pool.awaitWritten(frame);
                if (!FrameState.isDirty(states.state(frame)) || !target.exists(id)) {
                    return false;
                }
                if (!acquire(frame, id, exclusive, batch == null ? patience : 0)) {
                    if (batch == null) {
                        return false;
                    }
                    small.giveBack(batch); // a thread that has a batch does not wait for a latch
                    batch = null;
                    continue;
                }
                boolean copied = false;
                try {
                    if (batch == null) {
                        batch = exclusive ? small.tryTake() : small.take();
                    }
                    if (batch != null) {
                        batch.clear();
                        long lsn = writer.lsn(frame, exclusive);
                        copied = states.tryPinToWrite(frame); // or another thread writes it
                        if (copied) {
                            writer.copyLatched(batch, frame, id, exclusive, lsn); // releases the latch in any case
                        }
                    }
                } finally {
                    if (!copied) {
                        latches.release(frame, exclusive);
                    }
                }
                if (copied) {
                    writer.writeOnly(batch);
                    return true;
                }
                if (batch == null) {
                    batch = small.take(); // without the latch, which keeps updates out
                }
            }
        } finally {
            if (batch != null) {
                small.giveBack(batch);
            }
        }
    }

    private boolean acquire(int frame, long id, boolean exclusive, long patience) {
        if (latches.tryAcquire(frame, exclusive)) {
            return true;
        }
        if (patience != AS_SET) {
            return patience > 0 && latches.acquire(frame, exclusive, patience);
        }
        BoundedWait.begin(options, "latch to write a page to its file", () -> describe.apply(id))
                .until(
                        nanos -> latches.acquire(frame, exclusive, nanos),
                        () -> "the latch of " + describe.apply(id) + ", which is to be written to its file; it is "
                                + latches.describe(frame));
        return true;
    }
}
