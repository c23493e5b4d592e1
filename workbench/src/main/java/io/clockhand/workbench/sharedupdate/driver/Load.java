// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import java.util.Locale;

/** The work of the threads. */
public enum Load {
    /** Each updates rows of its own in one page. */
    ROWS,
    /** Each allocates and frees pages, by a free-space map. */
    ALLOCATE;

    /** As options name it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }
}
