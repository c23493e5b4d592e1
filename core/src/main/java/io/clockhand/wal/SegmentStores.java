// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.io.PageStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** The files of a log. Called by one thread at a time, but for the stores that were opened. */
interface SegmentStores {
    /** {@return the name of the folder, for messages} */
    String name();

    /** {@return the size of a page of a segment in bytes, a power of two} */
    int pageBytes();

    /**
     * Makes this the owner of the log, until the result is closed.
     *
     * @param create whether the folder is created, if there is none
     * @return what releases the log
     * @throws IOException if another log has it
     */
    Closeable own(boolean create) throws IOException;

    /** {@return the names of all segments, in no order} */
    List<String> list() throws IOException;

    /**
     * Opens a segment.
     *
     * @param segment its name
     * @param create whether it is created, if there is none; a crash does not undo that
     * @return its pages
     * @throws IOException if that failed
     */
    PageStore open(String segment, boolean create) throws IOException;

    /** Makes the names of all segments durable. */
    void force() throws IOException;
}
