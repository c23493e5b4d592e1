// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

/** The time from a start of the disk to the next crash. Thread-safe. */
final class Boot {
    private final int number;
    /** Null while it lasts. */
    private volatile String end;

    Boot(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** Ends the boot, unless it has ended before. */
    void end(String cause) {
        if (end == null) {
            end = cause;
        }
    }

    boolean isOver() {
        return end != null;
    }

    /** Throws if the boot is over. */
    void check(String what) throws DiskCrashedException {
        String cause = end;
        if (cause != null) {
            throw new DiskCrashedException(
                    "cannot " + what + ": " + cause + " in boot " + number + " of the disk; open the file again");
        }
    }
}
