// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.internal.file.PrefetchTask;
import java.time.Duration;

/**
 * Pages that threads of the pool read before they are needed: {@linkplain PagedFile#prefetch a range} of a file, or
 * {@linkplain BufferPool#prefetch(long[]) scattered} ones. Best effort: a page that cannot be read, or for which no
 * frame is free at once, is left to the fix that needs it. Thread-safe.
 */
public final class Prefetch {
    private final PrefetchTask task;

    Prefetch(PrefetchTask task) {
        this.task = task;
    }

    /** Stops the prefetch: no further page is begun; reads under way go on to their end. */
    public void cancel() {
        task.cancel();
    }

    /** {@return how many pages it covers: fewer than requested if the file ends, a page
     * occurs twice, or the pool is small} */
    public int pages() {
        return task.pages();
    }

    /** {@return how many pages were read so far} */
    public int pagesRead() {
        return task.pagesRead();
    }

    /** {@return how many pages could not be read so far} */
    public int pagesFailed() {
        return task.pagesFailed();
    }

    /** {@return whether no page is being read, and none will be} */
    public boolean isDone() {
        return task.isDone();
    }

    /**
     * Waits until the prefetch is done, cancelled, or out of frames. An interrupt does not end the wait, and is kept.
     *
     * @param timeout the longest wait
     * @return whether it is done
     */
    public boolean await(Duration timeout) {
        return task.await(timeout);
    }

    @Override
    public String toString() {
        return task.toString();
    }
}
