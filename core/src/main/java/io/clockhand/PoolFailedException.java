// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/**
 * The pool takes no changes any more, since a force has failed: pages that were written before may be lost, and the
 * operating system may not tell again. The cause is that failure. Pages can still be read. To go on, close the pool
 * without writing, open it anew, and redo from the last checkpoint that has succeeded. Redo must write every page
 * that it meets, since the operating system may still show the bytes that it has not written.
 */
public final class PoolFailedException extends ClockhandException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what has failed, and the remedy
     * @param cause the failure of the force
     */
    public PoolFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
