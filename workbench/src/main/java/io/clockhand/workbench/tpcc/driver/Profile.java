// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** A Flight Recorder profile of the measured interval, or nothing if none is wanted. */
final class Profile implements AutoCloseable {
    private final Recording recording;
    private final Path file;

    private Profile(Recording recording, Path file) {
        this.recording = recording;
        this.file = file;
    }

    /** Starts recording; {@code file} may be null. */
    static Profile start(String file) throws IOException {
        if (file == null) {
            return new Profile(null, null);
        }
        try {
            Recording recording = new Recording(Configuration.getConfiguration("profile"));
            recording.start();
            return new Profile(recording, Path.of(file));
        } catch (ParseException e) {
            throw new IOException("the JDK's own profile.jfc cannot be read", e);
        }
    }

    @Override
    public void close() throws IOException {
        if (recording != null) {
            recording.stop();
            recording.dump(file);
            recording.close();
        }
    }
}
