// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import java.util.ArrayDeque;
import java.util.Deque;

/** The latest faults and crashes of a disk, for messages. Thread-safe. */
final class DiskHistory {
    private static final int MOST_LINES = 100;

    private final Deque<String> lines = new ArrayDeque<>();
    private long forgotten;

    synchronized void add(String line) {
        lines.add(line);
        if (lines.size() > MOST_LINES) {
            lines.remove();
            forgotten++;
        }
    }

    @Override
    public synchronized String toString() {
        return (forgotten == 0 ? "" : forgotten + " earlier ones, ") + lines;
    }
}
