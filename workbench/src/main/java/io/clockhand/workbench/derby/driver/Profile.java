// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** A Flight Recorder profile of the measured interval. */
public final class Profile implements AutoCloseable {
    /** Keeps the Flight Recorder going from the warm-up on, since its start takes a while. */
    private final Recording primer;

    private final Recording recording;

    public Profile() throws IOException {
        try {
            Configuration configuration = Configuration.getConfiguration("profile");
            primer = new Recording(configuration);
            primer.start();
            recording = new Recording(configuration);
        } catch (ParseException e) {
            throw new IOException("the JDK's own profile.jfc cannot be read", e);
        }
    }

    public void start() {
        recording.start();
    }

    public void writeTo(Path file) throws IOException {
        recording.stop();
        recording.dump(file);
    }

    @Override
    public void close() {
        recording.close();
        primer.close();
    }
}
