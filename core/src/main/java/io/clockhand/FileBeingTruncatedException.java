// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/**
 * A page cannot be created now, since a truncation of the file waits for threads that use pages which it removes. The
 * thread that creates may be one of them, so it does not wait for the truncation: it closes the pages it has fixed, and
 * tries again.
 */
public final class FileBeingTruncatedException extends ClockhandException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message names the file
     */
    public FileBeingTruncatedException(String message) {
        super(message);
    }
}
