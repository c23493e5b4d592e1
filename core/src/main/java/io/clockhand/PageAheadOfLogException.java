// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import java.io.IOException;

/**
 * A page that was read from its file has an LSN behind the end of the log. The log was deleted or is older than the
 * file, or the file belongs to another log. If the pool went on, changes would be lost: redo skips the records whose
 * LSNs are not greater than that of the page.
 *
 * <p>To go on nevertheless, with the pages as they are, an engine begins its log behind the greatest LSN of all pages,
 * which it finds by reading them through the {@link io.clockhand.io.PageStore}.
 */
public final class PageAheadOfLogException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The LSN in the page. */
    private final long lsn;
    /** Where the log ends. */
    private final long logEnd;

    /**
     * Makes the exception.
     *
     * @param page names the page and its file
     * @param lsn the LSN in the page
     * @param logEnd where the log ends
     */
    public PageAheadOfLogException(String page, long lsn, long logEnd) {
        super(page + " has the LSN " + lsn + ", but the log ends at " + logEnd
                + ": the log was deleted, or is older than the file, or belongs to another one. Restore the log that"
                + " belongs to the file; or begin the log behind the greatest LSN of all pages");
        this.lsn = lsn;
        this.logEnd = logEnd;
    }

    /** {@return the LSN in the page} */
    public long lsn() {
        return lsn;
    }

    /** {@return where the log ends} */
    public long logEnd() {
        return logEnd;
    }
}
