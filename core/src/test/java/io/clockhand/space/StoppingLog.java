// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Notes the records; a test may stop a thread before one is appended, or let it fail. */
final class StoppingLog implements SpaceLog {
    final AtomicLong lsn = new AtomicLong();
    final List<String> creations = new CopyOnWriteArrayList<>();
    /** Called before each change. */
    volatile Hook beforeChange = page -> {};
    /** Called before each creation. */
    volatile Hook beforeCreation = mapPage -> {};

    /** Called with a number of a data page, or of a page of the map. */
    interface Hook {
        void on(long page) throws IOException;
    }

    @Override
    public long change(long page, int mask, int bits) throws IOException {
        beforeChange.on(page);
        return lsn.incrementAndGet();
    }

    @Override
    public long creation(long mapPage) throws IOException {
        beforeCreation.on(mapPage);
        long created = lsn.incrementAndGet();
        creations.add("map page " + mapPage);
        return created;
    }
}
