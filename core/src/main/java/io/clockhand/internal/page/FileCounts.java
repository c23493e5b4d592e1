// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import java.util.concurrent.atomic.LongAdder;

/** What a page pool counts of one file while it collects statistics. Thread-safe. */
public final class FileCounts {
    final LongAdder hits = new LongAdder();
    final LongAdder misses = new LongAdder();

    /** {@return pages of the file found mapped} */
    public long hits() {
        return hits.sum();
    }

    /** {@return pages of the file mapped by those that needed them} */
    public long misses() {
        return misses.sum();
    }
}
