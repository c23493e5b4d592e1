// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

/**
 * A transaction has waited for another one for too long: perhaps each of the two waits for the other. Roll the
 * transaction back, and begin it anew.
 */
public final class LockTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LockTimeoutException(String message) {
        super(message);
    }
}
