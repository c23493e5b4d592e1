// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.metrics;

/** An event that lasts for a time. {@link FlightEvents#finish} ends it. */
public interface TimedEvent {
    /** Ends the event, and records it if it lasted long enough. */
    void finish();
}
