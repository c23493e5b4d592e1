// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameLine;

/**
 * The wait of one search for a frame: its place in the {@linkplain FrameLine line}, as a sequence of steps. The thread
 * calls {@link #next} until it has a frame, and does what the answer says: only it can claim and evict.
 *
 * <p>A thread that lines up looks at once if it is alone in the line; otherwise it sleeps first, or it would take the
 * frame of another, which has been woken for it. Each time it is woken it looks; if that was in vain it lines up again,
 * looks once more, since a frame may have come meanwhile, and sleeps.
 *
 * <p>Used by one thread, for one search; which may line up again after it has lost the victim that it had.
 */
public final class FrameWait {
    /** No frame is offered, but others may be had: sweep all. The next call says that there were none. */
    public static final int SWEEP = -2;
    /** The thread was woken: it looks whether it needs a frame still. */
    public static final int WOKEN = -3;
    /** The search has lasted for too long, or the pool has failed: the thread tries once more, and gives up. */
    public static final int OUT_OF_TIME = -4;

    private final FrameLine line;
    private final FrameLine.Place place = new FrameLine.Place();
    private final BoundedWait wait;
    /** When the search has lasted for too long; a second later than that once, if time has leapt past it in a sleep. */
    private long deadline;

    private boolean hasLeapt;
    /** How often the thread has slept. */
    private int count;
    /** Whether the thread looks for a frame before it sleeps again. */
    private boolean looks;
    /** Whether it has been woken since it has lined up, and so is in the line no more. */
    private boolean hasTurn;

    private boolean sweeps;

    FrameWait(FrameLine line, PoolOptions options) {
        this.line = line;
        this.wait = BoundedWait.begin(options, "a frame", () -> null);
        this.deadline = wait.deadline(options.exhaustedAfter().toNanos());
    }

    /** Lines up; {@link #leave} follows. */
    void enter() {
        hasTurn = false;
        sweeps = false;
        looks = line.enter(place);
    }

    /**
     * Waits for the next step.
     *
     * @return a frame that was offered, to be claimed or, if it is free, taken like any free frame; or {@link #SWEEP},
     *     {@link #WOKEN} or {@link #OUT_OF_TIME}
     */
    public int next() {
        if (sweeps) {
            sweeps = false;
            if (!isOver()) { // else the next in the line sweeps: this thread may have written nothing
                line.endSweep(place);
            }
            endLook();
        }
        while (looks) {
            int offered = line.poll();
            if (offered != FrameLine.NONE) {
                return offered;
            }
            if (line.beginSweep(place)) {
                sweeps = true;
                return SWEEP;
            }
            endLook();
        }
        if (!sleep()) {
            return OUT_OF_TIME;
        }
        looks = true;
        hasTurn = line.hasTurn(place);
        return WOKEN;
    }

    private void endLook() {
        looks = hasTurn;
        if (hasTurn) {
            hasTurn = false;
            line.enterAgain(place);
        }
    }

    private boolean sleep() {
        count++;
        if (line.await(place, deadline)) {
            return true;
        }
        long again = BoundedWait.afterLeap(deadline);
        if (hasLeapt || again == deadline) {
            return false;
        }
        hasLeapt = true;
        deadline = again;
        return line.hasSweep(place) || line.await(place, deadline); // its sweep was cut short: it sweeps again
    }

    /** Leaves the line, with a frame or without. */
    public void leave() {
        line.leave(place);
    }

    /** {@return whether the search has lasted for too long; other threads could take whatever it makes available} */
    public boolean isOver() {
        return System.nanoTime() - deadline >= 0;
    }

    /** {@return how often the thread has slept} */
    int count() {
        return count;
    }

    /** {@return how long the search has lasted since it first lined up, in nanoseconds} */
    long waited() {
        return wait.waited();
    }

    /**
     * Records the wait. Never throws.
     *
     * @param timedOut whether the search has ended without a frame
     */
    void end(boolean timedOut) {
        wait.end(timedOut);
    }
}
