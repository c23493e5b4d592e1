// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static io.clockhand.internal.frame.LatchWord.CLOSED;
import static io.clockhand.internal.frame.LatchWord.EXCLUSIVE;
import static io.clockhand.internal.frame.LatchWord.PROMISED;
import static io.clockhand.internal.frame.LatchWord.SHARERS;
import static io.clockhand.internal.frame.LatchWord.UPGRADABLE;
import static io.clockhand.internal.frame.LatchWord.VERSION;
import static io.clockhand.internal.frame.LatchWord.VERSION_ONE;
import static io.clockhand.internal.frame.LatchWord.WAITED;
import static io.clockhand.internal.frame.LatchWord.WRITERS;
import static io.clockhand.internal.frame.LatchWord.WRITER_ONE;
import static io.clockhand.internal.frame.LatchWord.isExclusive;
import static io.clockhand.internal.frame.LatchWord.sharers;

import io.clockhand.internal.frame.FrameWaiters.Outcome;
import java.lang.invoke.VarHandle;
import java.util.function.LongPredicate;

/**
 * The latches of pages: shared, update and exclusive, and versions for readers that hold none of them.
 *
 * <p>A thread needs a pin to wait for a latch, or to hold it in another mode than shared. A share, as {@link FrameRef}
 * acquires it, holds the page without a pin: a claim on the frame closes the latch ({@link FrameStates}), and cannot
 * while there are sharers. {@link LatchWord} draws the word and says which thread writes which field when. Not
 * reentrant: a thread that holds a page shared and wants it again may wait for a writer that waits for it.
 *
 * <p><b>Memory order.</b> Latches are acquired, released and closed by CAS or atomic add, with volatile semantics. A
 * latch is opened by a release store ({@link FrameStates#openLatch}), which pairs with the acquire load of a reader:
 * that sees the bytes, the identity and the buffer of the page. An optimistic reader ({@link FrameRef}) loads the
 * word with acquire order, reads, and loads the word again behind an acquire fence. That pairs with a writer that
 * changes the word <i>before</i> it changes a byte: by the CAS that sets X, or by the one that closes the latch of a
 * frame whose buffer is reused. Each of them is followed by a store-store fence.
 *
 * <p><b>Waiting.</b> A thread that cannot have a latch spins for a moment and then parks, for a bounded time. While
 * writers wait, no new reader or upgrader comes in, so writers are not starved. A reader or upgrader that has waited
 * while one writer had the latch passes those that still wait. Of upgraders, which may write, only one does so between
 * two writers, so these are not starved either. A release wakes, in order of arrival, the threads that can come in
 * together: all readers, one upgrader, or one writer. A thread that was woken and cannot come in is the first in its
 * line again; one that gives up has the latch tested again, so that another is woken instead.
 *
 * <p><b>Promises.</b> An arriving thread may barge ahead of threads that are being woken, which saves two switches of
 * threads for each brief hold. So that this starves nobody, a waiter that finds the latch taken again when it has
 * waited for a millisecond has it promised, if it is promised to no other: it sets p. From then on no other thread
 * acquires the latch to update or to write, but for the holder of U, which may upgrade. Readers come in beside the
 * promise of a reader or of an upgrader; a writer that waits keeps them out anyway. A waiter with a promise passes the
 * writers that wait. A promise ends with the CAS that acquires the latch, or when its thread gives up; unless that
 * thread writes, the latch is then tested again for those that the promise kept out. Those wait for the threads for
 * which the holder of the promise waits, so an upgrader that would have passed a waiting writer waits, like one that
 * has just arrived, until the readers before that writer have gone.
 *
 * <p>Thread-safe, by platform and virtual threads.
 */
public final class Latches {
    /** A reader that meets one of these bits must wait. */
    static final long NO_READERS = EXCLUSIVE | CLOSED | WRITERS;

    private static final long HELD = SHARERS | EXCLUSIVE | CLOSED | UPGRADABLE;

    private static final long NO_UPGRADER = EXCLUSIVE | CLOSED | UPGRADABLE | PROMISED;

    /** The wait after which a latch is promised, as in other locks that barge: long beside a switch of threads. */
    private static final long BARGED = 1_000_000;

    private final long barged;

    private final PoolFailure failure;
    private final FrameStates states;
    private final FrameWaiters waiters;
    /** The threads that hold U or X, for messages only: racy. */
    private final Thread[] owners;

    /**
     * Creates the latches of some frames.
     *
     * @param states the words of the frames
     * @param frames the number of frames
     */
    public Latches(FrameStates states, int frames) {
        this(states, frames, BARGED, new PoolFailure());
    }

    /**
     * Creates the latches of the frames of a pool.
     *
     * @param states the words of the frames
     * @param frames the number of frames
     * @param failure the pool fails if a release does
     */
    public Latches(FrameStates states, int frames, PoolFailure failure) {
        this(states, frames, BARGED, failure);
    }

    /**
     * Creates the latches of some frames.
     *
     * @param states the words of the frames
     * @param frames the number of frames
     * @param barged the wait, in nanoseconds, after which a latch is promised to a waiter that finds it taken again
     */
    public Latches(FrameStates states, int frames, long barged) {
        this(states, frames, barged, new PoolFailure());
    }

    private Latches(FrameStates states, int frames, long barged, PoolFailure failure) {
        this.failure = failure;
        failure.onFailure(this::endWaits);
        this.states = states;
        this.owners = new Thread[frames];
        this.waiters = new FrameWaiters(new LatchWords(states));
        this.barged = barged;
    }

    /**
     * Gives each page a new version, so that no optimistic read of one that has begun validates any more.
     *
     * @param frames the number of frames
     */
    public void endReads(int frames) {
        for (int frame = 0; frame < frames; frame++) {
            states.addToLatch(frame, VERSION_ONE);
        }
    }

    /** Ends all waits, now and later, as if their time were over: the pool has failed. */
    public void endWaits() {
        waiters.endWaits();
    }

    // --- shared ------------------------------------------------------------------------------------------------------

    /**
     * Acquires the latch in shared mode.
     *
     * @param frame a frame that the caller has pinned
     * @param nanos the longest time to wait
     * @return whether the caller has it; false if the time is over
     */
    public boolean acquireShared(int frame, long nanos) {
        return tryShared(frame) || awaitShared(frame, nanos);
    }

    /** {@return whether a reader may take a share: none of NO_READERS is set, and there are not too many readers} */
    static boolean admitsReader(long word) {
        return (word & (NO_READERS | SHARERS)) < SHARERS; // all bits of NO_READERS are above those of SHARERS
    }

    /**
     * Acquires the latch in shared mode, if no thread writes or waits to write.
     *
     * @param frame a frame that the caller has pinned
     * @return whether the caller has it
     */
    public boolean tryShared(int frame) {
        return tryShared(frame, NO_READERS, 0);
    }

    private boolean tryShared(int frame, long obstacles, long promise) {
        for (; ; ) {
            long word = states.latch(frame);
            if ((word & obstacles) != 0 || (word & SHARERS) == SHARERS) {
                return false;
            }
            if (states.casLatch(frame, word, (word & ~promise) + 1)) {
                return true;
            }
        }
    }

    private boolean awaitShared(int frame, long nanos) {
        long arrival = states.latch(frame) & VERSION;
        return await(
                frame,
                FrameWaiters.TOGETHER,
                (word, promise) -> (word & (EXCLUSIVE | CLOSED | writersBefore(word, arrival, promise))) == 0
                        && (word & SHARERS) != SHARERS,
                promise -> tryShared(
                        frame, EXCLUSIVE | CLOSED | writersBefore(states.latch(frame), arrival, promise), promise),
                nanos);
    }

    /** A reader or upgrader that has waited while a thread wrote, or has a promise, need not wait for other writers. */
    private static long writersBefore(long word, long arrival, long promise) {
        return promise != 0 || (word & VERSION) != arrival ? 0 : WRITERS;
    }

    /** When a waiter can come in; {@code promise} is PROMISED if the latch was promised to it, and 0 otherwise. */
    private interface Condition {
        boolean holds(long word, long promise);
    }

    /** {@code attempt} tries to acquire the latch, by a promise or without one. */
    private boolean await(int frame, int kind, Condition free, LongPredicate attempt, long nanos) {
        long start = System.nanoTime();
        boolean chosen = false;
        boolean comesBeforeOthers = false;
        boolean acquired = false;
        boolean ended = false;
        long promised = 0;
        try {
            Outcome outcome;
            do {
                long promise = promised;
                outcome = waiters.await(
                        frame,
                        word -> free.holds(word, promise),
                        promise == 0 ? kind : FrameWaiters.PROMISED,
                        chosen,
                        nanos - (System.nanoTime() - start));
                chosen |= outcome == Outcome.CHOSEN || outcome == Outcome.CHOSEN_BEFORE_OTHERS;
                comesBeforeOthers |= outcome == Outcome.CHOSEN_BEFORE_OTHERS;
                if (outcome != Outcome.TIME_IS_OVER) {
                    acquired = attempt.test(promise);
                    promised = acquired ? promise : promise(frame, promise, start);
                }
            } while (!acquired && outcome != Outcome.TIME_IS_OVER);
            ended = true;
        } finally {
            // if the wait has thrown, another thread may come in instead; readers may have gone since the thread was
            // chosen; the promise kept others out
            endWait(frame, acquired ? 0 : promised, !ended || comesBeforeOthers || promised != 0);
        }
        return acquired;
    }

    private void endWait(int frame, long broken, boolean wakes) {
        try {
            breakPromise(frame, broken);
            if (wakes) {
                wake(frame);
            }
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
    }

    /** {@return PROMISED if the latch is promised to the caller, which has waited in vain since {@code start}} */
    private long promise(int frame, long promise, long start) {
        if (promise != 0 || System.nanoTime() - start < barged) {
            return promise;
        }
        for (; ; ) {
            long word = states.latch(frame);
            if ((word & PROMISED) != 0) {
                return 0;
            }
            if (states.casLatch(frame, word, word | PROMISED)) {
                return PROMISED;
            }
        }
    }

    /** Ends a promise that was not used; the caller has the latch tested again. */
    private void breakPromise(int frame, long promise) {
        long word;
        do {
            word = states.latch(frame);
        } while (promise != 0 && !states.casLatch(frame, word, word & ~promise));
    }

    /**
     * Releases the latch.
     *
     * @param frame a frame that the caller has latched in shared mode
     */
    public void releaseShared(int frame) {
        long word = states.latch(frame);
        if (sharers(word) == 0) { // before the add, which must not borrow from other fields
            throw misuse(frame, word, "released by a reader");
        }
        try {
            completeUnshare(frame, states.addToLatch(frame, -1));
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
    }

    /**
     * Completes the release of a share: wakes the threads that wait for the last one to go, or for one of the most that
     * there can be, or for any frame.
     *
     * @param frame a frame in which the caller had a share
     * @param before the latch before it was released
     */
    void completeUnshare(int frame, long before) {
        if ((before & WAITED) != 0 || (sharers(before) == 1 && states.isFrameWanted())) {
            notifyOfUnshare(frame, before);
        }
    }

    private void notifyOfUnshare(int frame, long before) {
        try {
            if (sharers(before) == 1 || sharers(before) == SHARERS) {
                wake(frame);
            }
            if (sharers(before) == 1) {
                states.line().offer(frame);
            }
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
    }

    /** The second step of a release by one add: clears the mark, and wakes by the word that had it. */
    private void wake(int frame) {
        for (; ; ) {
            long word = states.latch(frame);
            if ((word & WAITED) == 0) {
                return;
            }
            if (states.casLatch(frame, word, word & ~WAITED)) {
                waiters.wake(frame, word);
                return;
            }
        }
    }

    // --- update ------------------------------------------------------------------------------------------------------

    /**
     * Acquires the latch in upgradable mode: to read concurrently with other readers, and perhaps to write later. One
     * thread can have it so.
     *
     * @param frame a frame that the caller has pinned
     * @param nanos the longest time to wait
     * @return whether the caller has it; false if the time is over
     */
    public boolean acquireUpgradable(int frame, long nanos) {
        return tryUpgradable(frame) || awaitUpgradable(frame, nanos);
    }

    private boolean awaitUpgradable(int frame, long nanos) {
        long arrival = states.latch(frame) & VERSION;
        return await(
                frame,
                FrameWaiters.UPGRADABLE,
                (word, promise) -> (word & ((NO_UPGRADER & ~promise) | writersBefore(word, arrival, promise))) == 0,
                promise -> tryUpgradable(
                        frame,
                        (NO_UPGRADER & ~promise) | writersBefore(states.latch(frame), arrival, promise),
                        promise),
                nanos);
    }

    /**
     * Acquires the latch in upgradable mode, if no thread has it so, or writes or waits to write, or has a promise of
     * it.
     *
     * @param frame a frame that the caller has pinned
     * @return whether the caller has it
     */
    public boolean tryUpgradable(int frame) {
        return tryUpgradable(frame, NO_UPGRADER | WRITERS, 0);
    }

    private boolean tryUpgradable(int frame, long obstacles, long promise) {
        for (; ; ) {
            long word = states.latch(frame);
            if ((word & obstacles) != 0) {
                return false;
            }
            if (states.casLatch(frame, word, (word & ~promise) | UPGRADABLE)) {
                owners[frame] = Thread.currentThread();
                return true;
            }
        }
    }

    /**
     * Releases the latch.
     *
     * @param frame a frame that the caller has latched in upgradable mode
     */
    public void releaseUpgradable(int frame) {
        owners[frame] = null;
        try {
            for (; ; ) {
                long word = states.latch(frame);
                if ((word & UPGRADABLE) == 0) {
                    throw misuse(frame, word, "released from upgradable mode");
                }
                if (states.casLatch(frame, word, word & ~(UPGRADABLE | WAITED))) {
                    waiters.wake(frame, word);
                    return;
                }
            }
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
    }

    /**
     * Upgrades upgradable mode to exclusive mode when the readers have gone.
     *
     * @param frame a frame that the caller has latched in upgradable mode
     * @param nanos the longest time to wait
     * @return false if readers stayed for that time; the caller still has the latch in upgradable mode
     */
    public boolean upgrade(int frame, long nanos) {
        if ((states.latch(frame) & UPGRADABLE) == 0) {
            throw misuse(frame, states.latch(frame), "upgraded");
        }
        return acquireToWrite(frame, UPGRADABLE, nanos);
    }

    /**
     * Upgrades upgradable mode to exclusive mode, if no thread reads.
     *
     * @param frame a frame that the caller has latched in upgradable mode
     * @return whether the caller has it exclusively now
     */
    public boolean tryUpgrade(int frame) {
        if ((states.latch(frame) & UPGRADABLE) == 0) {
            throw misuse(frame, states.latch(frame), "upgraded");
        }
        return tryToWrite(frame, UPGRADABLE, 0, 0);
    }

    // --- exclusive ---------------------------------------------------------------------------------------------------

    /**
     * Acquires the latch in exclusive mode.
     *
     * @param frame a frame that the caller has pinned
     * @param nanos the longest time to wait
     * @return whether the caller has it; false if the time is over
     */
    public boolean acquireExclusive(int frame, long nanos) {
        return acquireToWrite(frame, 0, nanos);
    }

    /**
     * Acquires the latch in exclusive mode, if no thread has it or a promise of it.
     *
     * @param frame a frame that the caller has pinned
     * @return whether the caller has it
     */
    public boolean tryExclusive(int frame) {
        return tryToWrite(frame, 0, 0, 0);
    }

    /** {@code own} is the bits that the caller already has in the latch. */
    private boolean acquireToWrite(int frame, long own, long nanos) {
        if (tryToWrite(frame, own, 0, 0)) {
            return true;
        }
        long start = System.nanoTime();
        boolean mayBeChosen = false;
        boolean chosen = false;
        boolean acquired = false;
        long promised = 0;
        long counted = 0;
        try {
            for (; ; ) {
                counted = counted == 0 ? countWriter(frame) : counted;
                // if there were too many waiting writers it counts itself when they have gone, to keep readers out
                boolean uncounted = counted == 0;
                long obstacles = obstaclesToWrite(own, promised);
                mayBeChosen = true; // if the wait throws
                Outcome outcome = waiters.await(
                        frame,
                        word -> (word & obstacles) == own || (uncounted && (word & WRITERS) == 0),
                        promised != 0 ? FrameWaiters.PROMISED : own == 0 ? FrameWaiters.WRITE : FrameWaiters.UPGRADE,
                        chosen,
                        nanos - (System.nanoTime() - start));
                chosen |= outcome == Outcome.CHOSEN;
                mayBeChosen = chosen;
                if (outcome == Outcome.TIME_IS_OVER) {
                    return false;
                }
                acquired = tryToWrite(frame, own, counted, promised);
                if (acquired) {
                    return true;
                }
                promised = own == 0 ? promise(frame, promised, start) : 0;
            }
        } finally {
            if (!acquired) {
                giveUp(frame, promised, counted, mayBeChosen);
            }
        }
    }

    /** The caller does not wait to write any more. */
    private void giveUp(int frame, long promised, long counted, boolean mayBeChosen) {
        try {
            breakPromise(frame, promised);
            uncountWriter(frame, counted, mayBeChosen || promised != 0);
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
    }

    /** The holder of U may upgrade, whomever the latch is promised to. */
    private static long obstaclesToWrite(long own, long promise) {
        return own == 0 ? HELD | (PROMISED & ~promise) : HELD;
    }

    private boolean tryToWrite(int frame, long own, long counted, long promise) {
        long obstacles = obstaclesToWrite(own, promise);
        for (; ; ) {
            long word = states.latch(frame);
            if ((word & obstacles) != own) {
                return false;
            }
            if (states.casLatch(frame, word, ((word & ~(own | promise)) | EXCLUSIVE) - counted)) {
                VarHandle.storeStoreFence(); // X comes before the bytes that are written under it
                owners[frame] = Thread.currentThread();
                return true;
            }
        }
    }

    /** {@return what the caller has added to the word, and must subtract again; 0 if there are too many writers} */
    private long countWriter(int frame) {
        for (; ; ) {
            long word = states.latch(frame);
            if ((word & WRITERS) == WRITERS) {
                return 0;
            }
            if (states.casLatch(frame, word, word + WRITER_ONE)) {
                return WRITER_ONE;
            }
        }
    }

    private void uncountWriter(int frame, long counted, boolean mayBeChosen) {
        if (counted != 0) {
            long word;
            do { // no atomic add: the JVM links a call of one when it is first made, which needs memory
                word = states.latch(frame);
            } while (!states.casLatch(frame, word, word - counted));
        }
        if (counted != 0 || mayBeChosen) {
            wake(frame); // readers may wait for nothing but this writer; and if it was chosen, another comes in instead
        }
    }

    /**
     * Releases the latch, with a new version.
     *
     * @param frame a frame that the caller has latched in exclusive mode
     */
    public void releaseExclusive(int frame) {
        endExclusive(frame, VERSION_ONE);
    }

    /**
     * Releases the latch of a page that the caller has only read, without a new version: optimistic reads that began
     * before validate.
     *
     * @param frame a frame that the caller has latched in exclusive mode
     */
    public void releaseUnchanged(int frame) {
        endExclusive(frame, 0);
    }

    /**
     * Turns exclusive mode into a share, with a new version; no writer comes in between.
     *
     * @param frame a frame that the caller has latched exclusively
     */
    public void downgrade(int frame) {
        endExclusive(frame, VERSION_ONE + 1);
    }

    /** {@code added} has the new version, and the share that the caller keeps. */
    private void endExclusive(int frame, long added) {
        owners[frame] = null;
        try {
            for (; ; ) {
                long word = states.latch(frame);
                if (!isExclusive(word)) {
                    throw misuse(frame, word, "released by a writer");
                }
                if (states.casLatch(frame, word, (word & ~(EXCLUSIVE | WAITED)) + added)) {
                    waiters.wake(frame, word);
                    return;
                }
            }
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
    }

    /**
     * {@return whether the latch is closed: the frame holds no page that could be read}
     *
     * @param frame any frame
     */
    public boolean isClosed(int frame) {
        return LatchWord.isClosed(states.latch(frame));
    }

    // --- messages ----------------------------------------------------------------------------------------------------

    /**
     * Names the holders of a latch.
     *
     * @param frame any frame
     * @return a few words
     */
    public String describe(int frame) {
        long word = states.latch(frame);
        Thread owner = owners[frame];
        String name = owner == null ? "a thread" : "thread '" + owner.getName() + "' (id " + owner.getId() + ")";
        return LatchWord.describe(word, name);
    }

    static IllegalStateException misuse(int frame, long word, String what) {
        return new IllegalStateException(
                "the latch of frame " + frame + " cannot be " + what + ": " + LatchWord.toString(word));
    }
}
