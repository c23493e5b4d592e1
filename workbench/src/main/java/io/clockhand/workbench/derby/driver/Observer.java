// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.workbench.environment.Child;
import java.nio.file.Path;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** Watches the page cache during a run, and profiles the measured interval if asked to. */
public class Observer implements Interval.Watch, AutoCloseable {
    private final CacheProbe probe;
    private final String file;
    /** Keeps the Flight Recorder going from the warm-up on, since its start takes a while; null without a profile. */
    private final Recording primer;

    private final Recording recording;
    private Integer residentAtStart;

    /**
     * Begins to watch.
     *
     * @param file for a Flight Recorder profile of the measured interval, or null for none
     */
    public Observer(CacheProbe probe, String file) throws Exception {
        this.probe = probe;
        this.file = file;
        primer = file == null ? null : new Recording(Configuration.getConfiguration("profile"));
        recording = file == null ? null : new Recording(Configuration.getConfiguration("profile"));
        if (primer != null) {
            primer.start();
        }
    }

    @Override
    public void onStart() throws Exception {
        residentAtStart = probe.residentPages();
        if (recording != null) {
            recording.start();
        }
    }

    @Override
    public void onTick(double fraction) throws Exception {
        probe.sample();
        Child.progress(fraction, "running");
    }

    @Override
    public void onEnd() throws Exception {
        if (recording != null) {
            recording.stop();
            recording.dump(Path.of(file));
        }
    }

    /** The pages that the cache held when measuring began; null before. */
    public final Integer residentAtStart() {
        return residentAtStart;
    }

    public final int maxResidentPages() throws Exception {
        return probe.maxResidentPages();
    }

    @Override
    public void close() {
        if (recording != null) {
            recording.close();
            primer.close();
        }
    }
}
