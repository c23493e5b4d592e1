// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import java.io.IOException;

/**
 * The log has failed before, so nothing can be appended or made durable: a force did not succeed, and nobody knows
 * which records are on the device; or the file of a segment that could not be begun could not be deleted. The engine
 * closes its pool {@linkplain io.clockhand.page.BufferPool#closeWithoutWriting without writing}, closes the log, opens
 * both anew, and redoes. The cause is the first failure.
 */
public final class LogFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    LogFailedException(String log, Throwable cause) {
        super("the log in " + log + " has failed: " + reason(cause) + "; close it, open it anew, and redo", cause);
    }

    private static String reason(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
