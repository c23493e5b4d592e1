// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import java.io.IOException;

/**
 * The log has failed before, so no call can go on: a force did not succeed, and nobody knows which records are on the
 * device; or the file of a segment that could not be begun could not be deleted. The engine closes its pool and the
 * log, opens both anew, and redoes. The cause is the first failure.
 */
public final class LogFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    LogFailedException(String log, Throwable cause) {
        super("the log in " + log + " has failed: " + cause.getMessage() + "; close it, open it anew, and redo", cause);
    }
}
