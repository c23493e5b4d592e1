// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

/**
 * The first bytes of a page: its own number with a mark, so that neither another page nor zeros can pass for it. The
 * next eight bytes are the same until the page is changed; each change adds one to them.
 */
public final class PageContent {
    /** Where the changes of a page are counted. */
    public static final int CHANGES_OFFSET = Long.BYTES;

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

    /** A wrong content, in words. */
    public static String describe(long content) {
        return (content & ~NUMBER) == MARK
                ? "that of page " + (content & NUMBER)
                : String.format("0x%016x, which is no page's", content);
    }
}
