// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import java.sql.SQLException;

/** Finds in a chain of causes the one sentence worth showing. */
public final class Failures {
    private static final String NO_SPACE = "No space left on device";

    private Failures() {}

    /** The innermost message, since Derby wraps the cause in the failure of the statement. */
    public static String sentence(Throwable failure) {
        if (isDiskFull(failure)) {
            return "the disk is full (" + NO_SPACE + ")";
        }
        Throwable shown = failure;
        while (shown.getCause() != null && !(shown instanceof SQLException && shown.getMessage() != null)) {
            shown = shown.getCause();
        }
        String state = shown instanceof SQLException sql && sql.getSQLState() != null
                ? " (SQLState " + sql.getSQLState() + ")"
                : "";
        boolean speaks = shown.getMessage() != null && !(shown instanceof Error);
        String message = speaks ? shown.getMessage() : shown.toString();
        return message.strip().replaceAll("\\s*\\R\\s*", " ") + state;
    }

    /** This JVM, which holds whole traces, has too little memory for one. */
    public static CommandFailure heapTooSmall(OutOfMemoryError cause) {
        return new CommandFailure(
                "the heap of " + Disk.megabytes(Runtime.getRuntime().maxMemory())
                        + " is too small for this; give it more, as in java -Xmx8g -jar workbench.jar, or ask for"
                        + " fewer references",
                cause);
    }

    /** Whether a full disk lies at the bottom of it; Derby keeps some causes in the next-exception chain only. */
    private static boolean isDiskFull(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (namesFullDisk(cause)) {
                return true;
            }
            if (cause instanceof SQLException sql) {
                for (Throwable next : sql) { // its causes, and those of the next exceptions
                    if (namesFullDisk(next)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static boolean namesFullDisk(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains(NO_SPACE);
    }
}
