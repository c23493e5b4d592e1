// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

/**
 * Every frame is pinned, the pool has reached its greatest size, and no frame became free in time. The message names
 * the frames, the pins, some of what they hold, and the setting to raise.
 */
public final class PoolExhaustedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message frames, pins and remedy
     */
    public PoolExhaustedException(String message) {
        super(message);
    }
}
