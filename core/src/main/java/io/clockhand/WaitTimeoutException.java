// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/** A wait for another thread took longer than the pool's settings allow. The message names what was waited for. */
public final class WaitTimeoutException extends ClockhandException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what was waited for, and how long
     */
    public WaitTimeoutException(String message) {
        super(message);
    }
}
