// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where {@link PagePool} reads pages from. Thread-safe.
 *
 * <p>A page is checked before room is made for it, and again when it is mapped, before it is read. Whoever makes pages go away says so
 * first, so that the check fails, and then {@linkplain PagePool#invalidate throws them out}: one of the two sees the other.
 */
public interface PageSource {

    /**
     * Checks that a page exists, before room is made for it.
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
     * {@return what the file of a page is called}
     *
     * @param id the page
     */
    String file(long id);

    /**
     * {@return the number of a page in its file}
     *
     * @param id the page
     */
    long page(long id);

    /**
     * Names a page for a message.
     *
     * @param id the page
     * @return a few words
     */
    String describe(long id);
}
