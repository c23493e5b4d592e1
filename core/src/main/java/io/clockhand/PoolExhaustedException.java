// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import java.util.List;

/**
 * Every frame is pinned, the pool has reached its maximum size, and no frame became free in time. The message names the
 * frames, the pins, some of what they hold, and the setting to raise.
 *
 * <p>If the pool detects leaks, the message also has the oldest pins, each with its age and the call that has fixed the
 * page. Their stacks are the suppressed exceptions of this one, and {@link #pins} has all pins.
 */
public final class PoolExhaustedException extends ClockhandException {
    private static final long serialVersionUID = 1L;

    private final transient List<PinTrace> pins;

    /**
     * Makes the exception of a pool that does not detect leaks.
     *
     * @param message frames, pins and remedy
     */
    public PoolExhaustedException(String message) {
        this(message, List.of());
    }

    /**
     * Makes the exception of a pool that detects leaks.
     *
     * @param message frames, pins and remedy
     * @param pins the pins, the oldest first
     */
    public PoolExhaustedException(String message, List<PinTrace> pins) {
        super(message);
        this.pins = pins;
    }

    /**
     * {@return the pins, the oldest first; empty if leaks are not detected, or this has been serialized}
     */
    public List<PinTrace> pins() {
        return pins == null ? List.of() : pins;
    }
}
