// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import java.io.IOException;

/**
 * A part of the log that was durable is not readable any more: it was changed or lost on the device, or by another
 * program. The message names the file, the position in the log, and the reason. A torn tail, which a crash leaves, is
 * no damage.
 */
public final class LogDamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The LSN at which the log cannot be read. */
    private final long lsn;

    LogDamagedException(String file, long lsn, String reason) {
        super("the log is damaged at LSN " + lsn + ", in " + file + ": " + reason
                + "; restore the file, or the database, from a backup");
        this.lsn = lsn;
    }

    /** {@return the LSN of the first record that cannot be read} */
    public long lsn() {
        return lsn;
    }
}
