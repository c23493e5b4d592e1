// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

/** How a thread obtains a page that another thread is reading. */
public enum PageIn {
    /**
     * It reads the page, too; the first read that completes provides the page, and no thread waits, as long as the
     * pool has spare buffers for all readers. From the Nb-GCLOCK paper, Fig. 6.
     */
    OPTIMISTIC("optimistic"),
    /** It waits until the other thread is done. */
    COALESCED("coalesced"),
    /**
     * As {@link #COALESCED}; and a thread that brings a page in holds the lock of the replacement policy from the
     * search for a frame to the end of the read, so that one page is read at a time, and a hit that the policy must
     * record waits, too, for as long as the reads before it take. The Nb-GCLOCK paper compares its page-in with this
     * one (Fig. 9); for comparisons.
     */
    BLOCKING("blocking");

    /** The way that is used where none is named. */
    public static final PageIn DEFAULT = COALESCED;

    private final String label;

    PageIn(String label) {
        this.label = label;
    }

    /** {@return the name under which options know this way} */
    public String label() {
        return label;
    }
}
