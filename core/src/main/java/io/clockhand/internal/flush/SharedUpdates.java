// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import java.util.function.LongPredicate;

/**
 * Which pages have rows that many threads update at the same time, under shares in the page's latch.
 *
 * @param pages tells that by the id of a page, and depends on the number of its file alone; null for none
 * @param lsnOffset where in each page its LSN lies; negative if the pool does not know
 */
public record SharedUpdates(LongPredicate pages, int lsnOffset) {
    /** No page has such rows. */
    public static final SharedUpdates NONE = new SharedUpdates(null, -1);

    /** {@return whether there may be such pages} */
    public boolean isPossible() {
        return pages != null;
    }

    /**
     * {@return whether a page has such rows}
     *
     * @param id the page
     */
    public boolean allows(long id) {
        return pages != null && pages.test(id);
    }
}
