// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.workbench.environment.Child;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** Watches the page cache during a run, and profiles the measured interval if asked to. */
public class Observer implements Interval.Watch, AutoCloseable {
    private final CacheProbe probe;
    private final String recording;
    private final Profile profile;
    private Integer residentAtStart;

    /**
     * Begins to watch.
     *
     * @param recording file for the profile, or null for none
     */
    public Observer(CacheProbe probe, String recording) throws IOException {
        this.probe = probe;
        this.recording = recording;
        this.profile = recording == null ? null : new Profile();
    }

    @Override
    public void onStart() throws Exception {
        residentAtStart = probe.residentPages();
        if (profile != null) {
            profile.start();
        }
    }

    @Override
    public void onTick(double fraction) throws Exception {
        probe.sample();
        Child.progress(fraction, "running");
    }

    @Override
    public void onEnd() throws Exception {
        if (profile != null) {
            profile.writeTo(Path.of(recording));
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
        if (profile != null) {
            profile.close();
        }
    }

    /** A Flight Recorder profile of the measured interval. */
    private static final class Profile implements AutoCloseable {
        /** Keeps the Flight Recorder going from the warm-up on, since its start takes a while. */
        private final Recording primer;

        private final Recording recording;

        Profile() throws IOException {
            try {
                Configuration configuration = Configuration.getConfiguration("profile");
                primer = new Recording(configuration);
                primer.start();
                recording = new Recording(configuration);
            } catch (ParseException e) {
                throw new IOException("the JDK's own profile.jfc cannot be read", e);
            }
        }

        void start() {
            recording.start();
        }

        void writeTo(Path file) throws IOException {
            recording.stop();
            recording.dump(file);
        }

        @Override
        public void close() {
            recording.close();
            primer.close();
        }
    }
}
