// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.sharedupdate.driver.LockedPage.Mutex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** How threads keep out of each other's way while they update rows of one page. */
public enum Protocol {
    /** The better of the two that follow, with the number of threads that suits it best. */
    EXCLUSIVE_BEST,
    /** A lock whose waiters park, held from before the log record to after the change. */
    EXCLUSIVE_LOCK,
    /** The same with waiters that spin. */
    EXCLUSIVE_SPIN,
    /** The latch of the pool in exclusive mode. */
    EXCLUSIVE_LATCH,
    /** The latch of the pool in shared mode. */
    SHARED;

    /** Those among which {@link #EXCLUSIVE_BEST} is the best. */
    public static final List<Protocol> CANDIDATES = List.of(EXCLUSIVE_LOCK, EXCLUSIVE_SPIN);

    /** The protocol of that name, as options have it. */
    public static Protocol of(String label) {
        return Arrays.stream(values())
                .filter(protocol -> protocol.toString().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no protocol " + label));
    }

    /**
     * Makes a page of zeros.
     *
     * @param lsnBytes of its LSN, 8 or 10
     * @param directory for its file
     */
    public HotPage open(Rows rows, int lsnBytes, Log log, Path directory) throws IOException {
        return switch (this) {
            case EXCLUSIVE_BEST -> throw new IllegalArgumentException("one of the others is the best");
            case EXCLUSIVE_LOCK -> new LockedPage(new Mutex.Parking(), rows, lsnBytes, log, directory);
            case EXCLUSIVE_SPIN -> new LockedPage(new Mutex.Spinning(), rows, lsnBytes, log, directory);
            case EXCLUSIVE_LATCH -> new PooledPage(false, rows, lsnBytes, log, directory);
            case SHARED -> new PooledPage(true, rows, lsnBytes, log, directory);
        };
    }

    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
