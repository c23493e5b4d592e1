// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

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
        Deque<Throwable> open = new ArrayDeque<>();
        Set<Throwable> seen = new HashSet<>();
        open.add(failure);
        while (!open.isEmpty()) {
            Throwable next = open.remove();
            if (!seen.add(next)) {
                continue;
            }
            if (String.valueOf(next.getMessage()).contains(NO_SPACE)) {
                return true;
            }
            if (next.getCause() != null) {
                open.add(next.getCause());
            }
            if (next instanceof SQLException sql && sql.getNextException() != null) {
                open.add(sql.getNextException());
            }
        }
        return false;
    }
}
