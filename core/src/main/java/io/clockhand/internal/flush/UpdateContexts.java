// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.wal.WriteAheadLog;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The {@link UpdateContext} of each page that has been updated concurrently since it was copied.
 *
 * <p>A context is installed by a thread that has the page's latch in shared mode, by CAS: of several threads one
 * wins, and the others use its context. It is removed by the thread that copies the page, which has the latch
 * exclusively, or that has claimed its frame.
 *
 * <p>The number of checkpoints is raised by each checkpoint after it has read the end of the log. A context of that
 * number or a greater one has only updates that have read it since, and that append their records later still: their
 * LSNs lie behind the end that the checkpoint has read, and it need not wait for them.
 *
 * <p>All accesses are volatile. Thread-safe.
 */
public final class UpdateContexts {
    private final AtomicReferenceArray<UpdateContext> contexts;
    private final AtomicLong checkpoints = new AtomicLong();

    /**
     * Creates a table without contexts.
     *
     * @param frames the number of frames
     */
    public UpdateContexts(int frames) {
        contexts = new AtomicReferenceArray<>(frames);
    }

    /**
     * {@return the context of the page in a frame, or null}
     *
     * @param frame any frame
     */
    public UpdateContext find(int frame) {
        return contexts.get(frame);
    }

    /**
     * {@return the context of the page in a frame, which is made if there is none} Has no effect if it throws.
     *
     * @param frame a frame in whose latch the caller has a share
     * @param log the log of the engine
     */
    public UpdateContext install(int frame, WriteAheadLog log) {
        for (; ; ) {
            UpdateContext present = contexts.get(frame);
            if (present != null) {
                return present;
            }
            UpdateContext made = new UpdateContext(checkpoints.get(), DirtyPages.checkPosition(log.end()));
            if (contexts.compareAndSet(frame, null, made)) {
                return made;
            }
        }
    }

    void remove(int frame) {
        contexts.set(frame, null);
    }

    /** A checkpoint begins, which has read the end of the log; {@return its number, from 1} */
    long beginCheckpoint() {
        return checkpoints.incrementAndGet();
    }
}
