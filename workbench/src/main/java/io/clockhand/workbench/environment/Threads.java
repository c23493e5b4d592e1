// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The stacks of the threads of this JVM, for a log. */
public final class Threads {
    private Threads() {}

    /** Every thread with its stack, the locks it holds and the one it waits for. */
    public static String dump() {
        return Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(true, true))
                .map(Threads::described)
                .collect(Collectors.joining("\n", "All threads:\n", ""));
    }

    /** {@link ThreadInfo#toString} would truncate the stack after eight frames. */
    private static String described(ThreadInfo thread) {
        String head = '"' + thread.getThreadName() + "\" " + thread.getThreadState()
                + (thread.getLockName() == null ? "" : " on " + thread.getLockName())
                + (thread.getLockOwnerName() == null ? "" : " owned by \"" + thread.getLockOwnerName() + '"');
        return Arrays.stream(thread.getStackTrace())
                .map(frame -> "    at " + frame + "\n")
                .collect(Collectors.joining("", head + "\n", ""));
    }
}
