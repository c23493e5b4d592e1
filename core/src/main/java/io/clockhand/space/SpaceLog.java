// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import java.io.IOException;

/**
 * Takes the log records of a {@link FreeSpaceMap}. Called by many threads at once, each with a page of the map latched,
 * so it must not use the pool. If a method throws, the map stays as it was.
 */
public interface SpaceLog {
    /** For engines without a log: every LSN is 0. */
    SpaceLog NONE = new SpaceLog() {
        @Override
        public long change(long page, int mask, int bits) {
            return 0;
        }

        @Override
        public long creation(long mapPage) {
            return 0;
        }

        @Override
        public String toString() {
            return "no log";
        }
    };

    /**
     * Appends the record of a change; {@link FreeSpaceMap#redo} repeats it.
     *
     * @param page the data page whose byte changes
     * @param mask the bits of the byte that are set
     * @param bits their values
     * @return the LSN of the record, greater than 0
     * @throws IOException if it could not be appended
     */
    long change(long page, int mask, int bits) throws IOException;

    /**
     * Appends the record of a new page of the map; {@link FreeSpaceMap#redoCreation} repeats it.
     *
     * @param mapPage the number of the page in the file of the map
     * @return the LSN of the record, greater than 0
     * @throws IOException if it could not be appended
     */
    long creation(long mapPage) throws IOException;
}
