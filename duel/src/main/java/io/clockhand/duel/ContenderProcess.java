// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.io.IOException;

/**
 * A live contender, as the referee sees it. The referee calls these methods from one thread, in this order: {@link
 * #awaitReady}, then {@link #beginSlice}, {@link #awaitSlice} and {@link #endSlice} once for each slice, then {@link
 * #finish}. A method that finds the process dead, or waits too long for it, throws {@link ContenderFailure}.
 */
public interface ContenderProcess {
    ProcessHandle handle();

    /** Waits until the process has started and prepared its data; it runs meanwhile. */
    void awaitReady() throws IOException, InterruptedException;

    /**
     * Permits a slice. The process is still stopped and is continued right after this call.
     *
     * @param slice negative while the contender warms up, positive when the slice counts; no number is used twice
     */
    void beginSlice(int slice) throws IOException;

    /**
     * Waits until the slice is over, for at most {@code nanos}; returns whether it is over.
     *
     * @param nanos positive
     */
    boolean awaitSlice(long nanos) throws IOException, InterruptedException;

    /**
     * Returns the contender's work in the slice. The process has been stopped before this call.
     *
     * @param ranNanos the time from continuing the process to stopping it, for processes that do not time themselves
     */
    Slice endSlice(long ranNanos) throws IOException;

    /** Lets the process, which runs again, end in an orderly way, and waits for its end. */
    void finish() throws IOException, InterruptedException;
}
