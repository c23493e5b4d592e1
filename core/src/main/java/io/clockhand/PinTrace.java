// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A pin in a pool that detects leaks: which page was fixed, where, by which thread, and how long ago. Immutable.
 *
 * @param id the page, as {@link PageId} packs it
 * @param page its number and the name of its file, as messages have them
 * @param mode how it is latched; shared for an optimistic reader that had to latch its page
 * @param threadId the id of the thread that has fixed it
 * @param threadName the name of that thread at the time; usually empty for a virtual thread
 * @param age how long it has been fixed
 * @param guardIsGarbage whether the garbage collector has reclaimed the guard, so that it can never be closed, and the
 *     page stays pinned; false until a collection has found that out
 * @param stackTrace where it was fixed, without the frames of the pool: the first element called it
 */
public record PinTrace(
        long id,
        String page,
        LatchMode mode,
        long threadId,
        String threadName,
        Duration age,
        boolean guardIsGarbage,
        List<StackTraceElement> stackTrace) {
    private static final Duration IN_MILLIS = Duration.ofSeconds(10);

    /**
     * Makes a trace; copies the stack trace.
     *
     * @param id the page
     * @param page the page, as messages have it
     * @param mode how it is latched
     * @param threadId the id of the thread
     * @param threadName its name
     * @param age how long it has been fixed
     * @param guardIsGarbage whether the garbage collector has reclaimed the guard
     * @param stackTrace where it was fixed
     */
    public PinTrace {
        Objects.requireNonNull(page, "page");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(threadName, "threadName");
        Objects.requireNonNull(age, "age");
        stackTrace = List.copyOf(stackTrace);
    }

    /** {@return one line: all but the callers of the method that has fixed the page} */
    @Override
    public String toString() {
        String time = age.compareTo(IN_MILLIS) < 0 ? age.toMillis() + " ms" : age.toSeconds() + " s";
        return page + ", latched " + mode.words() + " for " + time + " by thread '" + threadName + "' (id " + threadId
                + ")"
                + (stackTrace.isEmpty() ? "" : " at " + stackTrace.get(0))
                + (guardIsGarbage ? "; its guard is garbage and can never be closed" : "");
    }
}
