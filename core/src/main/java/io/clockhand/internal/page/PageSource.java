// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.metrics.PageNames;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where {@link PagePool} reads pages from. Thread-safe.
 *
 * <p>The pool checks that a page exists before it looks for a frame, and again after it has mapped the page, before the
 * read. A truncation first makes the check fail, and then {@linkplain PagePool#invalidate invalidates} the pages, so at
 * least one of the two threads sees the other.
 */
public interface PageSource extends PageNames {

    /**
     * Checks that a page exists.
     *
     * @param id the page
     * @throws io.clockhand.NoSuchPageException if it does not
     */
    void check(long id);

    /**
     * Reads a page.
     *
     * @param id the page
     * @param target gets the bytes; exactly a page remains in it
     * @throws IOException if that failed; the message names file and page
     */
    void read(long id, ByteBuffer target) throws IOException;

    /**
     * {@return how many pages, from one on, a call of {@link #readRun} can read: 1 if each is better read by itself}
     *
     * @param id the first page
     * @param most the greatest number to return, at least 1
     */
    default int run(long id, int most) {
        return 1;
    }

    /**
     * Reads adjacent pages.
     *
     * @param first the first page
     * @param targets get the bytes of one page or several each; all of them, from 0 to the limit
     * @param count the number of targets
     * @throws IOException if one of them could not be read: nothing is known about the others then
     */
    default void readRun(long first, ByteBuffer[] targets, int count) throws IOException {
        throw new UnsupportedOperationException("this source reads page by page");
    }

    /**
     * {@return whether something below reads ahead of reads in sequence, see {@link io.clockhand.io.PageStore}}
     *
     * @param id a page
     */
    default boolean systemReadsAhead(long id) {
        return true;
    }

    /**
     * {@return what is counted of the file of a page; null if nothing is}
     *
     * @param id the page
     */
    default FileCounts counts(long id) {
        return null;
    }

    /**
     * Checks the bytes of a page as a read does.
     *
     * @param id the page
     * @param bytes has them
     * @param start where they begin there
     * @throws IOException if they are not those of a page that can be used
     */
    default void checkBytes(long id, ByteBuffer bytes, int start) throws IOException {
        // any will do
    }

    /**
     * Names a page for a message.
     *
     * @param id the page
     * @return a few words
     */
    String describe(long id);
}
