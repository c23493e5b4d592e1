// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/** What a thread does that needs a page which another thread is reading. */
public enum PageIn {
    /**
     * It reads the page, too; the first that is done provides it, and nobody waits, as long as the
     * pool has spare buffers for them all. From the Nb-GCLOCK paper, Fig. 6.
     */
    OPTIMISTIC("optimistic"),
    /** It waits until the other thread is done. */
    COALESCED("coalesced");

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
