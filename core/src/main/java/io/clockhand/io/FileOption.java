// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

/**
 * How a file of pages is opened. Without an option it must exist, is locked, and is read and written through the
 * operating system's cache.
 */
public enum FileOption {
    /** The file is created, empty, if there is none. */
    CREATE,
    /** The file is created, empty; one that exists is an error. */
    CREATE_NEW,
    /** The file is opened without write permission. It must exist, and can be neither grown, truncated nor deleted. */
    READ_ONLY,
    /** Pages bypass the operating system's cache (direct I/O). See {@link FilePageStore}. */
    DIRECT,
    /**
     * The file is not locked: for an engine with a lock of its own, which keeps other processes from its files. A store
     * that locks the file, and one that does not, exclude each other within a JVM.
     */
    NO_LOCK,
    /**
     * The file may have any length in bytes: its last page may be incomplete, and is read with zeros behind its end. A
     * pool writes pages as a whole, so the file is longer, up to the end of a page, from the first write of its last
     * page on; when it is closed it has the length again that it had when it was opened, unless pages were created, or
     * the length was {@linkplain io.clockhand.page.PagedFile#setLengthBytes set}. A file that has become shorter
     * meanwhile is an error. Without this option the length must be a multiple of the page size.
     */
    ANY_LENGTH,
    /**
     * If the last page of the file is incomplete, it is cut off when the file is opened. A process that was killed
     * while it extended the file may leave such a page, and so may a crash; no extension that has returned does. For an
     * engine that knows that the file has pages of this size: of another file the last bytes would be lost. With {@link
     * #NO_LOCK} the engine sees to it that nobody extends the file in this moment. Has no effect on a file that is
     * opened with {@link #ANY_LENGTH}.
     */
    CUT_INCOMPLETE_PAGE
}
