// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.workbench.options.EnumNames;

/** Where the rows of a thread lie in the page. */
public enum RowLayout {
    /** Together, in 128 bytes that no other thread writes to. */
    PADDED,
    /** Between those of the others, so that threads write to the same lines of the processor's cache. */
    INTERLEAVED;

    /** As options name it. */
    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
