// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.DoubleConsumer;

/**
 * The first bytes of a page: its own number with a mark, so that neither another page nor zeros can pass for it. The
 * next eight bytes are the same until the page is changed; each change adds one to them.
 */
public final class PageContent {
    /** Where the changes of a page are counted. */
    public static final int CHANGES_OFFSET = Long.BYTES;

    private static final int PAGES_PER_REPORT = 1_000;
    private static final long MARK = 0xC10C_0000_0000_0000L;
    private static final long NUMBER = (1L << 48) - 1;

    private PageContent() {}

    public static long of(long page) {
        return MARK | page;
    }

    /**
     * How often a page was changed.
     *
     * @param counted the eight bytes at {@link #CHANGES_OFFSET}
     */
    public static long changes(long page, long counted) {
        return counted - of(page);
    }

    /**
     * Reads pages from 0 on, and checks that each is the right one; {@return how often they were changed, all together}
     *
     * @param distance between two of them
     * @param progress receives the part that has been read, now and then
     */
    public static long changes(PageStore store, long count, int distance, DoubleConsumer progress) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(store.pageBytes());
        long changes = 0;
        for (long n = 0; n < count; n++) {
            long page = n * distance;
            store.read(page, bytes.clear());
            if (bytes.getLong(0) != of(page)) {
                throw new IOException("after the close, page " + page + " of " + store.name() + " has another content: "
                        + describe(bytes.getLong(0)));
            }
            changes += changes(page, bytes.getLong(CHANGES_OFFSET));
            if (n % PAGES_PER_REPORT == 0) {
                progress.accept((double) n / count);
            }
        }
        return changes;
    }

    /** A wrong content, in words. */
    public static String describe(long content) {
        return (content & ~NUMBER) == MARK
                ? "that of page " + (content & NUMBER)
                : String.format("0x%016x, which is no page's", content);
    }
}
