// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.lang.invoke.VarHandle;
import java.util.function.IntConsumer;

/**
 * The threads that wait for any frame, in order of arrival, and the frames that may be had: a miss that finds none
 * lines up here, and a thread that makes a frame claimable or free offers it here.
 *
 * <p><b>Offers are hints.</b> A frame that is offered goes into a ring, unless it is there, and the first sleeping
 * thread of the line is woken. That thread takes hints out of the ring and tries to claim those very frames, or to take
 * any free frame instead. A hint may be wrong by then, or late: it binds no thread, so no hand-over can be lost with a
 * thread that has given up, or come twice, or be harmed by a frame that was bound anew meanwhile. There are at most as
 * many hints as frames. A thread that has taken another frame than the one of its hint offers that one again.
 *
 * <p><b>The first sweeps.</b> Frames that could be had before the line was known are in no hint. So the thread that is
 * alone in the line sweeps all frames, and one whose sweep found a frame makes the next one sweep. A later thread need
 * not.
 *
 * <p><b>No wake-up is lost.</b> Invariant: if a thread sleeps while there is a hint, or a sweep is due, some thread
 * that is awake will try to claim a frame, and then leave or search the ring until it is empty; or it is about to wake
 * one. It holds since
 * <ul>
 * <li>an offer first adds the hint, then wakes the first that sleeps;
 * <li>a thread that is alone, or was woken, first lines up, then searches the ring, then sleeps; another sleeps at
 * once;
 * <li>a thread that leaves, for whatever reason, wakes the next one if there is a hint or a sweep is due.
 * </ul>
 *
 * <p><b>Memory order.</b> {@link FrameStates#isFrameWanted} says whether there is a line. It is written, under the lock
 * of the line, when the first thread lines up and when the last one leaves, and read by a thread that has dropped the
 * last pin or share of a frame, or freed one, after that atomic operation; all are volatile. The thread that lines up
 * sets it, fences, then sweeps. So either that sweep finds the frame without users, or the thread that has dropped the
 * pin sees that a frame is wanted. A hit that does not drop the last pin reads nothing, and one that does reads one
 * word that is rarely written.
 *
 * <p>An offer allocates nothing and cannot throw. The lock is held for a few steps; no thread parks under it.
 * Thread-safe, by platform and virtual threads.
 */
public final class FrameLine {
    /** No frame. */
    public static final int NONE = FrameRing.NONE;

    private final FrameStates states;
    private final int softFrames;
    /** Takes a dirty page that nobody uses; set before a thread waits, or null. */
    private volatile IntConsumer dirtyPages;
    /** Created by the first thread that lines up, before a frame is wanted; then never changed. */
    private volatile FrameRing hints;

    /** The threads that sleep, or are about to; the others of the line are awake: they have a turn. */
    private final WaitingLine sleeping = new WaitingLine();

    private int places;
    private boolean sweepDue;
    /** Set by {@link #endWaits} before it locks the line; read by each thread before it parks. */
    private volatile boolean ended;

    /** A thread's place in the line, from its arrival until it has a frame. Used by one thread, once at a time. */
    public static final class Place extends WaitingLine.Place {
        /** Whether the thread sweeps; used by it alone. */
        private boolean sweeps;
    }

    FrameLine(FrameStates states, int softFrames) {
        this.states = states;
        this.softFrames = softFrames;
    }

    /** {@return whether no thread waits for a frame} */
    public boolean isEmpty() {
        return !states.isFrameWanted();
    }

    // --- the threads that wait ---------------------------------------------------------------------------------------

    /**
     * Lines up. A place that had been in the line before comes before those that arrived later.
     *
     * @param place the caller's, which it must {@link #leave}
     * @return whether the caller is alone in the line, and so must try to claim a frame before it sleeps; it would take
     *     the frame of another otherwise, which has been woken for it
     */
    public boolean enter(Place place) {
        boolean alone;
        synchronized (this) {
            if (hints == null) {
                hints = new FrameRing(softFrames);
            }
            alone = places++ == 0;
            if (alone) {
                sweepDue = true;
                states.setFrameWanted(true);
            }
            sleep(place);
        }
        VarHandle.fullFence(); // the sweep comes after the store that says that a frame is wanted
        return alone;
    }

    /**
     * Lines up again after a {@link #await} that ended with a wake-up, and an attempt that failed. The caller must try
     * once more before it sleeps.
     *
     * @param place the caller's
     */
    public void enterAgain(Place place) {
        synchronized (this) {
            sleep(place);
        }
    }

    /**
     * Sleeps until the caller is woken, which has happened perhaps.
     *
     * @param place the caller's
     * @param deadline a {@link System#nanoTime}
     * @return false if the time is over; the caller may have been woken all the same, since one that is woken in vain
     *     again and again must give up, too
     */
    public boolean await(Place place, long deadline) {
        return !ended && Parking.parkUntil(place, deadline) && !ended && System.nanoTime() - deadline < 0;
    }

    /** Ends all waits, now and later, as if their time were over: the pool has failed. */
    public void endWaits() {
        ended = true;
        synchronized (this) {
            for (WaitingLine.Place woken = wakeFirst(); woken != null; woken = wakeFirst()) {
                WaitingLine.unpark(woken);
            }
        }
    }

    /**
     * Takes a hint.
     *
     * @return a frame that may be claimable or free, or {@link #NONE}
     */
    public int poll() {
        return hints.poll();
    }

    /**
     * Tells the caller to sweep all frames, if nobody has since that was due.
     *
     * @param place the caller's
     * @return whether to sweep; if no frame was found, {@link #endSweep} follows
     */
    public boolean beginSweep(Place place) {
        synchronized (this) {
            place.sweeps |= sweepDue;
            sweepDue = false;
            return place.sweeps;
        }
    }

    /**
     * {@return whether the caller has begun a sweep, and not ended it}
     *
     * @param place the caller's
     */
    public boolean hasSweep(Place place) {
        return place.sweeps;
    }

    /**
     * {@return whether the caller has been woken since it has lined up, and so is in the line no more}
     *
     * @param place the caller's
     */
    public boolean hasTurn(Place place) {
        return place.hasTurn();
    }

    /**
     * Ends a sweep that has found no frame: there was none to be had. Not called by a thread whose time is over, which
     * may have ended the sweep too soon: the next in the line sweeps then.
     *
     * @param place the caller's
     */
    public void endSweep(Place place) {
        place.sweeps = false;
    }

    /**
     * Leaves the line, with a frame or without, and wakes the next thread if there is anything to do for it.
     *
     * @param place the caller's
     */
    public void leave(Place place) {
        WaitingLine.Place woken = null;
        synchronized (this) {
            if (!place.hasTurn()) {
                sleeping.leave(place);
            }
            sweepDue |= place.sweeps; // it has found a frame, or failed: there may be more
            place.sweeps = false;
            if (--places == 0) {
                states.setFrameWanted(false);
            }
            if (sweepDue || hints.length() > 0) {
                woken = wakeFirst();
            }
        }
        WaitingLine.unpark(woken);
    }

    // --- the threads that offer frames -------------------------------------------------------------------------------

    /**
     * Offers a frame, if one is wanted and this one may be had. To be called after every change of a frame's words that
     * makes it claimable or free. A page that nobody uses may be dirty; it is queued then, and offered when it was
     * written.
     *
     * @param frame the frame; it may be in use again
     */
    public void offer(int frame) {
        if (!states.isFrameWanted()) {
            return;
        }
        if (states.mayBeHad(frame)) {
            FrameRing.Added added = hints.add(frame);
            if (added != FrameRing.Added.BEFORE) {
                wake(added == FrameRing.Added.FULL);
            }
        } else if (states.tryQueueDirty(frame)) {
            dirtyPages.accept(frame);
        }
    }

    /**
     * Sets what takes a dirty page that nobody uses, while a thread waits for a frame. It must not throw.
     *
     * @param sink takes the frame, which was marked as queued; may be called by any thread
     */
    public void useDirtyPages(IntConsumer sink) {
        dirtyPages = sink;
    }

    /** Makes a waiting thread sweep, since a frame may be had for another reason than a change of its words. */
    public void sweep() {
        if (states.isFrameWanted()) {
            wake(true);
        }
    }

    private void wake(boolean toSweep) {
        WaitingLine.Place woken;
        synchronized (this) {
            sweepDue |= toSweep;
            woken = wakeFirst();
        }
        WaitingLine.unpark(woken);
    }

    // --- under the lock ----------------------------------------------------------------------------------------------

    /** Adds a place to those that sleep, in order of arrival. */
    private void sleep(Place place) {
        place.clearTurn();
        sleeping.enter(place);
    }

    /**
     * Takes the first place off those that sleep; {@return it, to be unparked without the lock; null if there is none}
     */
    private WaitingLine.Place wakeFirst() {
        WaitingLine.Place place = sleeping.first();
        if (place != null) {
            sleeping.leave(place);
            place.giveTurn();
        }
        return place;
    }
}
