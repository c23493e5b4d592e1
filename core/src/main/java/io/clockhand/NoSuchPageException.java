// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/**
 * A page does not exist: it lies behind the end of its file, was cut off, could not be written when it was created, or its file has left the
 * pool. The message says which.
 */
public final class NoSuchPageException extends IllegalArgumentException {
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
