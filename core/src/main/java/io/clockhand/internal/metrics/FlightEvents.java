// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.metrics;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Creates Flight Recorder events; returns null while recording is off, or if there is no memory for an event. Never
 * throws: a thread that has begun something must not fail because it cannot be recorded.
 *
 * <p><b>Cost while recording is off.</b> The class of an event is not loaded before the recorder has been started in
 * this JVM: to load the first one reads the descriptions of all events that the JDK has, which takes hundreds of
 * milliseconds. Until then a call loads one field of the recorder; afterwards it also loads the settings of the event.
 * No clock is read and nothing is allocated.
 *
 * <p><b>Without the recorder.</b> Some JVMs, and images made by {@code jlink}, lack the module {@code jdk.jfr}. Then
 * there are no events, and no class that needs the module is loaded: other packages must ask this class for an event
 * before they use another class of this package. Thread-safe.
 */
public final class FlightEvents {
    private static final boolean HERE = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightEvents() {}

    private static boolean isStarted() {
        try {
            return HERE && jdk.jfr.FlightRecorder.isInitialized();
        } catch (Throwable failure) {
            return false;
        }
    }

    /** {@return an event that has begun, or null if such events are not recorded} */
    public static PageMissEvent pageMiss() {
        return isStarted() ? begun(PageMissEvent::isOn, PageMissEvent::begun) : null;
    }

    /** {@return an event that has begun, or null if such events are not recorded} */
    public static VictimSearchEvent victimSearch() {
        return isStarted() ? begun(VictimSearchEvent::isOn, VictimSearchEvent::begun) : null;
    }

    /** {@return whether waits are recorded} */
    public static boolean areWaitsRecorded() {
        return isStarted() && WaitEvent.isOn();
    }

    /** {@return an event that has begun, or null if such events are not recorded} */
    public static WaitEvent waiting() {
        return isStarted() ? begun(WaitEvent::isOn, WaitEvent::begun) : null;
    }

    /** {@return an event that has begun, or null if such events are not recorded} */
    public static BatchWriteEvent batchWrite() {
        return isStarted() ? begun(BatchWriteEvent::isOn, BatchWriteEvent::begun) : null;
    }

    /**
     * {@return an event that has begun, or null if such events are not recorded}
     *
     * @param pool the name of the pool
     * @param dirtyPages the number of dirty pages now
     */
    public static CheckpointEvent checkpoint(String pool, int dirtyPages) {
        return isStarted() ? begun(CheckpointEvent::isOn, () -> CheckpointEvent.begun(pool, dirtyPages)) : null;
    }

    /**
     * {@return an event that has begun, or null if such events are not recorded}
     *
     * @param pool the name of the pool
     * @param dirtyPages the number of dirty pages now
     */
    public static FlusherPassEvent flusherPass(String pool, int dirtyPages) {
        return isStarted() ? begun(FlusherPassEvent::isOn, () -> FlusherPassEvent.begun(pool, dirtyPages)) : null;
    }

    private static <E> E begun(BooleanSupplier on, Supplier<E> begin) {
        try {
            return on.getAsBoolean() ? begin.get() : null;
        } catch (Throwable failure) {
            return null;
        }
    }

    /**
     * Ends an event, and records it if it lasted long enough. If that fails, the event is lost.
     *
     * @param event the event, or null
     */
    public static void finish(TimedEvent event) {
        if (event == null) {
            return;
        }
        try {
            event.finish();
        } catch (Throwable failure) {
            // the caller goes on with what it has: a pin, a latch, a frame, the position of a checkpoint
        }
    }

    /**
     * Records figures of a pool at regular intervals, while such events are recorded.
     *
     * @param event returns the class of the events; called when the recorder has been started
     * @param hook commits such events; refers to the pool weakly, or the pool would stay in memory
     * @return ends the recording of this pool
     */
    public static Runnable recordRegularly(Supplier<Class<?>> event, Runnable hook) {
        return HERE ? PeriodicHook.add(event, hook) : () -> {};
    }
}
