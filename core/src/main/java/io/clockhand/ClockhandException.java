// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/**
 * A failure that a correct program may meet while others use the pool: a page that does not exist, a pool without a
 * free frame, a wait that took too long. The message names what was missing, and what to do about it.
 *
 * <p>Misuse is an {@link IllegalStateException} or an {@link IllegalArgumentException} instead, and a failure of I/O is
 * an {@link java.io.IOException}.
 */
public abstract sealed class ClockhandException extends RuntimeException
        permits FileBeingTruncatedException,
                NoSuchPageException,
                PoolExhaustedException,
                PoolFailedException,
                WaitTimeoutException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what was missing, and the remedy
     */
    ClockhandException(String message) {
        super(message);
    }

    /**
     * Makes the exception.
     *
     * @param message what was missing, and the remedy
     * @param cause what made it so
     */
    ClockhandException(String message, Throwable cause) {
        super(message, cause);
    }
}
