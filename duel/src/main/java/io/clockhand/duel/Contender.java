// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.io.IOException;

/** One of the alternatives that a duel compares: a name, and a process that can be started any number of times. */
public interface Contender {
    String name();

    /**
     * Starts the process and returns at once; {@link ContenderProcess#awaitReady} waits for it.
     *
     * <p>The process should end when its standard input ends, so that it does not outlive a killed parent even before
     * the referee knows it.
     */
    ContenderProcess start() throws IOException;
}
