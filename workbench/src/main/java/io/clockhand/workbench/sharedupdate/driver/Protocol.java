// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.sharedupdate.driver.LockedPage.Mutex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** How threads keep out of each other's way while they update rows of one page. */
public enum Protocol {
    /** A lock whose waiters park, held from before the log record to after the change. */
    EXCLUSIVE_LOCK,
    /** The same with waiters that spin. */
    EXCLUSIVE_SPIN,
    /** The latch of the pool in exclusive mode, for allocations. */
    EXCLUSIVE_LATCH,
    /** The latch of the pool in shared mode. */
    SHARED;

    /** The better of them, with the number of threads that suits it best, is what others are compared with. */
    public static final List<Protocol> CANDIDATES = List.of(EXCLUSIVE_LOCK, EXCLUSIVE_SPIN);

    /** The protocol of that name, as options have it. */
    public static Protocol of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /**
     * Makes a page of zeros.
     *
     * @param lsnBytes of its LSN, 8 or 10
     * @param directory for its file
     */
    public HotPage open(Rows rows, int lsnBytes, Log log, Path directory) throws IOException {
        return switch (this) {
            case EXCLUSIVE_LOCK -> new LockedPage(new Mutex.Parking(), rows, lsnBytes, log, directory);
            case EXCLUSIVE_SPIN -> new LockedPage(new Mutex.Spinning(), rows, lsnBytes, log, directory);
            case EXCLUSIVE_LATCH -> throw new IllegalArgumentException("only pages are allocated under that latch");
            case SHARED -> new SharedPage(rows, lsnBytes, log, directory);
        };
    }

    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
