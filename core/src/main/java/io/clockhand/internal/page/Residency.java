// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.frame.FrameRef;
import java.io.IOException;

/** The steps that change which pages are in which frames. Thread-safe. */
interface Residency {
    /** Returned by {@link #pageIn} when the caller has a share instead of a pin. */
    int SHARED = -3;

    /**
     * Maps a page, reads it, and publishes it.
     *
     * @param id the page
     * @param share takes a share in the latch instead of a pin; null for the pin
     * @return its frame, pinned and loaded; or {@link #SHARED} if {@code share} has the page, which is not certain; or
     *     {@link io.clockhand.internal.pool.FramePool#LOST} if the caller must look the page up again
     * @throws IOException if it could not be read; it is not mapped then
     */
    int pageIn(long id, FrameRef share) throws IOException;

    /**
     * Maps a page of zeros, and publishes it.
     *
     * @param id the page, which is not truncated meanwhile, and does not exist yet for threads that would read it
     * @param position the end of the log, read before, if the page is to be dirty; else {@link
     *     io.clockhand.internal.flush.DirtyPages#NONE}
     * @return its frame, pinned and loaded; or {@link io.clockhand.internal.pool.FramePool#LOST} if another thread has
     *     mapped the page, which finds that it does not exist
     * @throws IOException if a page could not be written whose frame was needed; this one is not mapped then
     */
    int create(long id, long position) throws IOException;

    /**
     * Maps adjacent pages, reads them at once, and publishes them; never waits for a frame. The run has the outcome.
     *
     * @param run says which pages
     * @param share takes a share in the latch of the first page instead of a pin; null for the pin
     * @throws IOException if the first page could not be read, and the run {@linkplain PageRun#keepFirst keeps} it
     */
    void pageIn(PageRun run, FrameRef share) throws IOException;

    /**
     * Evicts a page that does not exist any more, if no thread uses its frame.
     *
     * @param frame any frame
     * @param id the page
     * @param writes whether to write its changes to its file, which is being closed; else they are lost
     * @return whether the frame does not hold the page any more
     * @throws IOException if the page could not be written; it stays in its frame
     */
    boolean tryRemove(int frame, long id, boolean writes) throws IOException;

    /**
     * Evicts a page, unless it is in use or dirty; never waits for a user of it.
     *
     * @param frame any frame
     * @param id the page
     * @return whether it was evicted
     */
    boolean dropClean(int frame, long id);
}
