// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.PageAheadOfLogException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongSupplier;

/**
 * Compares the LSN of each page that is read with the end of the log. Thread-safe.
 *
 * @param lsnOffset where the LSN lies in each page
 * @param logEnd the end of the log, asked for after the page was read: the page was written when the log was durable up
 *     to its LSN
 */
public record LsnCheck(int lsnOffset, LongSupplier logEnd) {
    /** Throws if the page that begins at a position has an LSN behind the end of the log. */
    void check(FileTable files, long id, ByteBuffer page, int start) throws PageAheadOfLogException {
        long lsn = page.getLong(start + lsnOffset);
        if (page.order() == ByteOrder.LITTLE_ENDIAN) {
            lsn = Long.reverseBytes(lsn);
        }
        if (lsn != 0) {
            long end = logEnd.getAsLong();
            if (lsn < 0 || lsn > end) {
                throw new PageAheadOfLogException(files.describe(id), lsn, end);
            }
        }
    }
}
