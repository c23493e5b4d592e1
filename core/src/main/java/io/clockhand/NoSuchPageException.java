// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/**
 * A page does not exist: it lies behind the end of its file, was truncated, could not be written when it was created,
 * or its file is not open in the pool. The message says which.
 */
public final class NoSuchPageException extends ClockhandException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message the page, its file, and why it is not there
     */
    public NoSuchPageException(String message) {
        super(message);
    }
}
