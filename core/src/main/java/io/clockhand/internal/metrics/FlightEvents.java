// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.metrics;

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
        return HERE && jdk.jfr.FlightRecorder.isInitialized();
    }

    /** {@return an event that has begun, or null if such events are not recorded} */
    public static PageMissEvent pageMiss() {
        try {
            return isStarted() && PageMissEvent.isOn() ? PageMissEvent.begun() : null;
        } catch (Throwable failure) {
            return null;
        }
    }

    /** {@return an event that has begun, or null if such events are not recorded} */
    public static VictimSearchEvent victimSearch() {
        try {
            return isStarted() && VictimSearchEvent.isOn() ? VictimSearchEvent.begun() : null;
        } catch (Throwable failure) {
            return null;
        }
    }

    /** {@return whether waits are recorded} */
    public static boolean areWaitsRecorded() {
        return isStarted() && WaitEvent.isOn();
    }

    /** {@return an event that has begun, or null if such events are not recorded} */
    public static WaitEvent waiting() {
        try {
            return isStarted() && WaitEvent.isOn() ? WaitEvent.begun() : null;
        } catch (Throwable failure) {
            return null;
        }
    }

    /** {@return an event that has begun, or null if such events are not recorded} */
    public static BatchWriteEvent batchWrite() {
        try {
            return isStarted() && BatchWriteEvent.isOn() ? BatchWriteEvent.begun() : null;
        } catch (Throwable failure) {
            return null;
        }
    }

    /**
     * {@return an event that has begun, or null if such events are not recorded}
     *
     * @param dirtyPages the number of dirty pages now
     */
    public static CheckpointEvent checkpoint(int dirtyPages) {
        try {
            return isStarted() && CheckpointEvent.isOn() ? CheckpointEvent.begun(dirtyPages) : null;
        } catch (Throwable failure) {
            return null;
        }
    }

    /**
     * {@return an event that has begun, or null if such events are not recorded}
     *
     * @param dirtyPages the number of dirty pages now
     */
    public static FlusherPassEvent flusherPass(int dirtyPages) {
        try {
            return isStarted() && FlusherPassEvent.isOn() ? FlusherPassEvent.begun(dirtyPages) : null;
        } catch (Throwable failure) {
            return null;
        }
    }

    /**
     * Records the statistics of a pool at regular intervals, while such events are recorded.
     *
     * @param hook commits a {@link PoolStatisticsEvent}; refers to the pool weakly, or the pool would stay in memory
     * @return ends the recording of this pool
     */
    public static Runnable recordRegularly(Runnable hook) {
        return HERE ? PeriodicHook.add(hook) : () -> {};
    }
}
