// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.io.PageStore;
import io.clockhand.workbench.pages.driver.PageContent;
import java.io.IOException;

/** A pool of pages of one store, with threads that write dirty pages in the background. Thread-safe. */
interface ComparedPool {
    /**
     * Fixes a page, checks that it is the right one, counts a change in it if it is to be changed, and unfixes it.
     *
     * @return whether it had to be read
     * @throws IOException if a page could not be read or written, or the page is not the right one
     */
    boolean use(long page, boolean change) throws IOException, InterruptedException;

    /** {@return what was done since the pool was made} */
    Figures figures();

    /** Writes what is dirty, and ends the threads; no other thread may use the pool. Does not close the store. */
    void close() throws IOException, InterruptedException;

    /** An empty pool for a scheme by its name. */
    static ComparedPool of(String scheme, PageStore store, int frames, double slowness) throws IOException {
        if (scheme.equals(Scheme.CLOCK)) {
            return new ClockPool(store, frames, "nb-gclock3");
        }
        return scheme.startsWith(Scheme.POOL)
                ? new ClockPool(store, frames, scheme.substring(Scheme.POOL.length()))
                : new ListPool(store, frames, Scheme.of(scheme, frames, slowness));
    }

    /** Throws if the first bytes are not those of the page. */
    static void check(long page, long content) throws IOException {
        if (content != PageContent.of(page)) {
            throw new IOException("page " + page + " has another content: " + PageContent.describe(content));
        }
    }

    /**
     * The work of a pool.
     *
     * @param readStalls misses that waited for a write before their read: of a victim that the thread wrote itself, for
     *     a slot of the temporary write buffer, or for a frame
     * @param framesScanned by misses in search of a victim
     * @param pagesWritten by threads of any kind
     */
    record Figures(long readStalls, long framesScanned, long pagesWritten) {
        Figures since(Figures before) {
            return new Figures(
                    readStalls - before.readStalls,
                    framesScanned - before.framesScanned,
                    pagesWritten - before.pagesWritten);
        }
    }
}
