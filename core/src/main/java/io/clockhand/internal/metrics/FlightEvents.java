// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.metrics;

/**
 * The way to the events of Flight Recorder, for whoever is about to do what they tell of.
 *
 * <p><b>What it costs while nobody records.</b> The class of an event is not even loaded before the recorder has been started in this
 * JVM: to load the first one reads the descriptions of all events that the JDK has, which takes hundreds of milliseconds. Until then a question
 * is the load of one field of the recorder's; afterwards it is that and the load of the event's settings. No clock is read and nothing is
 * allocated.
 *
 * <p><b>Without the recorder.</b> Some JVMs, and images made by {@code jlink}, have no module {@code jdk.jfr}. Then there are no events, and
 * no class that needs the module is loaded: this is the only one here that others may use without having asked it for an event. Thread-safe.
 */
public final class FlightEvents {
    private static final boolean HERE = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightEvents() {}

    private static boolean isStarted() {
        return HERE && jdk.jfr.FlightRecorder.isInitialized();
    }

    /** {@return an event that has begun, or null if nobody records those} */
    public static PageMissEvent pageMiss() {
        return isStarted() && PageMissEvent.isOn() ? PageMissEvent.begun() : null;
    }

    /** {@return an event that has begun, or null if nobody records those} */
    public static VictimSearchEvent victimSearch() {
        return isStarted() && VictimSearchEvent.isOn() ? VictimSearchEvent.begun() : null;
    }

    /** {@return whether somebody records those} */
    public static boolean areWaitsRecorded() {
        return isStarted() && WaitEvent.isOn();
    }

    /** {@return an event that has begun, or null if nobody records those} */
    public static WaitEvent waiting() {
        return isStarted() && WaitEvent.isOn() ? WaitEvent.begun() : null;
    }

    /**
     * Has the figures of a pool told from time to time, while they are recorded.
     *
     * @param hook makes a {@link PoolStatisticsEvent} and commits it; refers to the pool weakly, or the pool would stay in memory
     * @return ends that
     */
    public static Runnable tellRegularly(Runnable hook) {
        return HERE ? PeriodicHook.add(hook) : () -> {};
    }
}
