// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.io.IOException;

/** A pool of pages of one file, with threads that write dirty pages in the background. Thread-safe. */
public interface ComparedPool extends AutoCloseable {

    /** {@return a user for one thread} */
    PageUser newUser();

    /** {@return what was done since the pool was made} */
    PoolFigures figures();

    /** Writes what is dirty, and ends the threads; nobody may use the pool meanwhile. Does not close the store. */
    @Override
    void close() throws IOException;

    /** Fixes pages for one thread. Not thread-safe. */
    interface PageUser {
        /**
         * Fixes a page, checks that it is the right one ({@link io.clockhand.workbench.pages.driver.PageContent}),
         * counts a change in it if it is to be changed, and unfixes it.
         *
         * @return whether it had to be read
         * @throws IOException if a page could not be read or written, or the page is not the right one
         */
        boolean use(long page, boolean change) throws IOException;
    }
}
