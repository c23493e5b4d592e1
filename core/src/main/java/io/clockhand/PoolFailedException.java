// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/**
 * The pool has failed. Either a force has failed: then pages that were written before may be lost, and the operating
 * system may not tell again; the pool takes no changes any more, but pages can still be read. Or an error of the
 * virtual machine, whose memory or stack had run out, came in the middle of a step of the pool that changes several
 * words: then every call of the pool or cache is refused. The cause is that failure.
 *
 * <p>To go on, close the pool without writing, open it anew, and redo from the last checkpoint that has succeeded.
 * After a failed force, redo must write every page that it meets, since the operating system may still show the bytes
 * that it has not written.
 */
public final class PoolFailedException extends ClockhandException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what has failed, and the remedy
     * @param cause the failure of the force, or the error
     */
    public PoolFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
