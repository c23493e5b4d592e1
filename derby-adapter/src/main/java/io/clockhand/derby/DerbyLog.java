// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import org.apache.derby.iapi.services.monitor.Monitor;

/** Derby's own log, {@code derby.log} by default. */
final class DerbyLog {
    private DerbyLog() {}

    /** Writes a line, if an engine runs: there is no log before its boot, after its shutdown, and without one. */
    static void write(String line) {
        if (Monitor.getMonitor() != null) {
            Monitor.logMessage(line);
        }
    }
}
