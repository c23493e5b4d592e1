// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.metrics.PageNames;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Where {@link PageWriter} writes pages to. Thread-safe. */
public interface PageTarget extends PageNames {

    /**
     * Tells whether a page exists. A truncation first makes this false, then waits for the threads that have pinned the
     * page; a thread that writes the page pins it, then asks.
     *
     * @param id the page
     * @return whether it does
     */
    boolean exists(long id);

    /**
     * {@return whether a page follows another one in the same file}
     *
     * @param id the page
     * @param next perhaps the one behind it
     */
    boolean isNext(long id, long next);

    /**
     * {@return whether two pages are of the same file, whose store prefers a batch to single runs}
     *
     * @param id a page that the caller has pinned
     * @param other another page
     */
    boolean writesTogether(long id, long other);

    /** {@return whether the store of any file prefers a batch to single runs} */
    default boolean writesBatches() {
        return false;
    }

    /**
     * Writes adjacent pages of a file.
     *
     * @param first the first page
     * @param pages their bytes
     * @throws IOException if that failed; any part of them may have been written. The message names file and page
     */
    void write(long first, ByteBuffer pages) throws IOException;

    /**
     * Writes pages of a file, which need not be adjacent.
     *
     * @param id one of the pages
     * @param numbers the numbers of the pages in their file, in ascending order
     * @param from the index of the first number
     * @param to one behind the index of the last number
     * @param pages their bytes
     * @throws IOException if that failed; any part of any of them may have been written. The message names the file
     */
    void writeBatch(long id, long[] numbers, int from, int to, ByteBuffer pages) throws IOException;
}
