// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.metrics;

import java.util.function.Supplier;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Records figures of one pool at regular intervals. Waits until the recorder has been started: a periodic event
 * that is added before would load the descriptions of all events. Thread-safe.
 */
final class PeriodicHook implements FlightRecorderListener {
    private final Supplier<Class<?>> event;
    private final Runnable hook;
    private boolean added;
    private boolean removed;

    private PeriodicHook(Supplier<Class<?>> event, Runnable hook) {
        this.event = event;
        this.hook = hook;
    }

    static Runnable add(Supplier<Class<?>> event, Runnable hook) {
        PeriodicHook periodic = new PeriodicHook(event, hook);
        FlightRecorder.addListener(periodic); // calls it at once if the recorder has been started before
        return periodic::remove;
    }

    @Override
    public synchronized void recorderInitialized(FlightRecorder recorder) {
        if (!removed && !added) {
            added = true;
            FlightRecorder.addPeriodicEvent(event.get().asSubclass(Event.class), hook);
        }
    }

    private void remove() {
        FlightRecorder.removeListener(this);
        boolean wasAdded;
        synchronized (this) {
            removed = true;
            wasAdded = added;
        }
        if (wasAdded) {
            FlightRecorder.removePeriodicEvent(hook);
        }
    }
}
