// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import org.apache.derby.iapi.services.monitor.Monitor;

/** Derby's own log, {@code derby.log} by default. */
final class DerbyLog {
    /** Beyond that a line is shortened: the key of a compiled statement is its text. */
    private static final int MOST_CHARACTERS = 1_000;

    private DerbyLog() {}

    /** Writes one line, if an engine runs: there is no log before its boot, after its shutdown, and without one. */
    static void write(String line) {
        try {
            if (Monitor.getMonitor() != null) {
                Monitor.logMessage(oneLine(line));
            }
        } catch (SecurityException e) {
            // the caller's caller may not use the log, and what the caller does goes on without a line
        }
    }

    /** {@return the text without line breaks and other control characters, which are escaped, and not too long} */
    static String oneLine(String text) {
        int end = Math.min(text.length(), MOST_CHARACTERS);
        StringBuilder line = new StringBuilder(end);
        for (int at = 0; at < end; at++) {
            char next = text.charAt(at);
            switch (next) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (isControl(next)) {
                        line.append("\\u").append(Integer.toHexString(0x1_0000 | next), 1, 5);
                    } else {
                        line.append(next);
                    }
                }
            }
        }
        if (end < text.length()) {
            line.append(" ... (").append(text.length()).append(" characters)");
        }
        return line.toString();
    }

    private static boolean isControl(char next) {
        int type = Character.getType(next);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
