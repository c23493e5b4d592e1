// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.space.FreeSpaceMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Allocates some pages, frees them, and begins anew, as statements with temporary tables do. Not thread-safe. */
final class AllocatingThread implements WorkThreads.Operation {
    private static final int PAGES = 8;

    private final FreeSpaceMap space;
    private final long[] pages = new long[PAGES];
    private int allocated;
    private boolean frees;
    private long updates;

    AllocatingThread(FreeSpaceMap space) {
        this.space = space;
    }

    /** Allocates or frees one page. */
    @Override
    public void perform() throws IOException {
        if (frees) {
            space.free(pages[allocated - 1]);
            allocated--;
            frees = allocated > 0;
        } else {
            pages[allocated] = space.allocate();
            allocated++;
            frees = allocated == PAGES;
        }
        updates++;
    }

    long updates() {
        return updates;
    }

    /** The pages that it has at the moment. */
    List<Long> pages() {
        List<Long> own = new ArrayList<>();
        for (int i = 0; i < allocated; i++) {
            own.add(pages[i]);
        }
        return own;
    }

    @Override
    public void close() {}
}
