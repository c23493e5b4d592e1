// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static io.clockhand.internal.frame.LatchWord.CLOSED;
import static io.clockhand.internal.frame.LatchWord.EXCLUSIVE;
import static io.clockhand.internal.frame.LatchWord.SHARERS;
import static io.clockhand.internal.frame.LatchWord.UPDATE;
import static io.clockhand.internal.frame.LatchWord.VERSION;
import static io.clockhand.internal.frame.LatchWord.VERSION_ONE;
import static io.clockhand.internal.frame.LatchWord.WAITED;
import static io.clockhand.internal.frame.LatchWord.WRITERS;
import static io.clockhand.internal.frame.LatchWord.WRITER_ONE;
import static io.clockhand.internal.frame.LatchWord.isExclusive;
import static io.clockhand.internal.frame.LatchWord.sharers;

import java.lang.invoke.VarHandle;
import java.util.function.LongPredicate;

/**
 * The latches of pages: shared, update and exclusive, and versions for readers that take none of them.
 *
 * <p>To wait for a latch, or to have it in another mode than shared, takes a pin. A share in it, as an {@link FrameRef} takes
 * it, keeps the page without one: whoever claims the frame must {@linkplain #tryClose close} the latch, and cannot while there
 * are sharers. The layout of the word, and who writes which field when, stand in {@link LatchWord}. Not reentrant: a thread that has a page shared and wants it again may wait for a writer that
 * waits for it.
 *
 * <p><b>Memory order.</b> Latches are taken, released and closed by CAS or atomic add, with volatile semantics. {@link #open} is a
 * release store: nobody else changes the word of a closed latch, since those who wait for one have a pin, and come after the page
 * was published. It pairs with the acquire load of a reader, who so sees the bytes, the identity and the buffer of the page. An
 * optimistic reader ({@link FrameRef}) loads the word with acquire order, reads, and loads it again behind an acquire fence. It
 * pairs with a writer that makes the word differ <i>before</i> it changes a byte: a writer by the CAS that sets X, the thread that
 * reuses a buffer by the one in {@link #tryClose}, and the fences behind them.
 *
 * <p><b>Waiting.</b> Who cannot have a latch spins for a moment and then parks, for a bounded time. While writers wait, no new
 * reader or updater comes in, so they are not starved. A reader or updater that has waited while one writer had the latch passes
 * those that still wait. Nobody is served in order: a thread that comes at the right moment may pass others that are being woken.
 *
 * <p>Thread-safe, by platform and virtual threads.
 */
public final class Latches {
    /** A reader who meets one of these must wait. */
    static final long NO_READERS = EXCLUSIVE | CLOSED | WRITERS;

    private final FrameStates rows;
    private final FrameWaiters waiters;
    /** Who has a frame in U or X mode, for messages only: racy. */
    private final Thread[] owners;

    /**
     * Makes the latches of some frames, all of them free.
     *
     * @param rows the words of the frames
     * @param frames how many frames there are
     */
    public Latches(FrameStates rows, int frames) {
        this.rows = rows;
        this.owners = new Thread[frames];
        this.waiters = new FrameWaiters(new FrameWaiters.WaitedWord() {
            @Override
            public long read(int frame) {
                return rows.latch(frame);
            }

            @Override
            public boolean trySetWaited(int frame, long seen) {
                return rows.casLatch(frame, seen, seen | WAITED);
            }

            @Override
            public boolean isWaited(long seen) {
                return (seen & WAITED) != 0;
            }
        });
    }

    // --- shared ------------------------------------------------------------------------------------------------------

    /**
     * Takes the latch to read.
     *
     * @param frame a frame that the caller has pinned
     * @param nanos how long to wait at most
     * @return false if it was not to be had in that time
     */
    public boolean acquireShared(int frame, long nanos) {
        return tryShared(frame) || awaitShared(frame, nanos);
    }

    /**
     * Takes the latch to read, if nobody writes or waits to write.
     *
     * @param frame a frame that the caller has pinned
     * @return whether the caller has it
     */
    public boolean tryShared(int frame) {
        return tryShared(frame, NO_READERS);
    }

    private boolean tryShared(int frame, long obstacles) {
        for (; ; ) {
            long word = rows.latch(frame);
            if ((word & obstacles) != 0) {
                return false;
            }
            if ((word & SHARERS) == SHARERS) {
                throw tooManyReaders(frame);
            }
            if (rows.casLatch(frame, word, word + 1)) {
                return true;
            }
        }
    }

    private static IllegalStateException tooManyReaders(int frame) {
        return new IllegalStateException(
                "frame " + frame + " is latched by " + SHARERS + " readers, which is the most it can have");
    }

    private boolean awaitShared(int frame, long nanos) {
        long arrival = rows.latch(frame) & VERSION;
        LongPredicate free =
                word -> (word & (EXCLUSIVE | CLOSED)) == 0 && ((word & WRITERS) == 0 || (word & VERSION) != arrival);
        long deadline = System.nanoTime() + nanos;
        for (; ; ) {
            if (!waiters.await(frame, free, deadline - System.nanoTime())) {
                return false;
            }
            boolean passes = (rows.latch(frame) & VERSION) != arrival;
            if (tryShared(frame, passes ? EXCLUSIVE | CLOSED : NO_READERS)) {
                return true;
            }
        }
    }

    /**
     * Lets the latch go.
     *
     * @param frame a frame that the caller has latched to read
     */
    public void releaseShared(int frame) {
        long word = rows.latch(frame);
        if (sharers(word) == 0) { // before the add, which must not borrow from other fields
            throw misuse(frame, word, "released by a reader");
        }
        completeUnshare(frame, rows.addToLatch(frame, -1));
    }

    /**
     * Follows the release of a share: wakes who waits for the last one to go.
     *
     * @param frame a frame in which the caller had a share
     * @param before the latch before it was released
     */
    void completeUnshare(int frame, long before) {
        if ((before & WAITED) != 0 && sharers(before) == 1) {
            wake(frame);
        }
    }

    /** The second step of a release by one add: takes the mark off, and wakes by the word that had it. */
    private void wake(int frame) {
        for (; ; ) {
            long word = rows.latch(frame);
            if ((word & WAITED) == 0) {
                return;
            }
            if (rows.casLatch(frame, word, word & ~WAITED)) {
                waiters.wake(frame, word);
                return;
            }
        }
    }

    // --- update ------------------------------------------------------------------------------------------------------

    /**
     * Takes the latch to read, beside other readers, and perhaps to write later; one thread can have it so.
     *
     * @param frame a frame that the caller has pinned
     * @param nanos how long to wait at most
     * @return false if it was not to be had in that time
     */
    public boolean acquireUpdate(int frame, long nanos) {
        return tryUpdate(frame) || awaitUpdate(frame, nanos);
    }

    private boolean awaitUpdate(int frame, long nanos) {
        long arrival = rows.latch(frame) & VERSION;
        LongPredicate free = word ->
                (word & (EXCLUSIVE | CLOSED | UPDATE)) == 0 && ((word & WRITERS) == 0 || (word & VERSION) != arrival);
        long deadline = System.nanoTime() + nanos;
        for (; ; ) {
            if (!waiters.await(frame, free, deadline - System.nanoTime())) {
                return false;
            }
            boolean passes = (rows.latch(frame) & VERSION) != arrival;
            if (tryUpdate(frame, EXCLUSIVE | CLOSED | UPDATE | (passes ? 0 : WRITERS))) {
                return true;
            }
        }
    }

    /**
     * Takes the latch to read and perhaps to write later, if nobody has it so, or writes or waits to write.
     *
     * @param frame a frame that the caller has pinned
     * @return whether the caller has it
     */
    public boolean tryUpdate(int frame) {
        return tryUpdate(frame, NO_READERS | UPDATE);
    }

    private boolean tryUpdate(int frame, long obstacles) {
        for (; ; ) {
            long word = rows.latch(frame);
            if ((word & obstacles) != 0) {
                return false;
            }
            if (rows.casLatch(frame, word, word | UPDATE)) {
                owners[frame] = Thread.currentThread();
                return true;
            }
        }
    }

    /**
     * Lets the latch go.
     *
     * @param frame a frame that the caller has latched for update
     */
    public void releaseUpdate(int frame) {
        owners[frame] = null;
        for (; ; ) {
            long word = rows.latch(frame);
            if ((word & UPDATE) == 0) {
                throw misuse(frame, word, "released from update mode");
            }
            if (rows.casLatch(frame, word, word & ~(UPDATE | WAITED))) {
                waiters.wake(frame, word);
                return;
            }
        }
    }

    /**
     * Turns update mode into exclusive mode, when the readers have gone.
     *
     * @param frame a frame that the caller has latched for update
     * @param nanos how long to wait at most
     * @return false if readers stayed for that time; the caller has the latch for update still
     */
    public boolean upgrade(int frame, long nanos) {
        if ((rows.latch(frame) & UPDATE) == 0) {
            throw misuse(frame, rows.latch(frame), "upgraded");
        }
        return acquireToWrite(frame, UPDATE, nanos);
    }

    /**
     * Turns update mode into exclusive mode, if nobody reads.
     *
     * @param frame a frame that the caller has latched for update
     * @return whether the caller has it exclusively now
     */
    public boolean tryUpgrade(int frame) {
        if ((rows.latch(frame) & UPDATE) == 0) {
            throw misuse(frame, rows.latch(frame), "upgraded");
        }
        return tryToWrite(frame, UPDATE, 0);
    }

    // --- exclusive ---------------------------------------------------------------------------------------------------

    /**
     * Takes the latch to write.
     *
     * @param frame a frame that the caller has pinned
     * @param nanos how long to wait at most
     * @return false if it was not to be had in that time
     */
    public boolean acquireExclusive(int frame, long nanos) {
        return acquireToWrite(frame, 0, nanos);
    }

    /**
     * Takes the latch to write, if nobody has it.
     *
     * @param frame a frame that the caller has pinned
     * @return whether the caller has it
     */
    public boolean tryExclusive(int frame) {
        return tryToWrite(frame, 0, 0);
    }

    /** From {@code own}, the bits that the caller has in the latch already. */
    private boolean acquireToWrite(int frame, long own, long nanos) {
        if (tryToWrite(frame, own, 0)) {
            return true;
        }
        long deadline = System.nanoTime() + nanos;
        long counted = countWriter(frame);
        boolean acquired = false;
        try {
            do {
                boolean uncounted =
                        counted == 0; // there were too many of them: it counts itself as soon as there is room
                if (!waiters.await(
                        frame,
                        word -> (word & (SHARERS | EXCLUSIVE | CLOSED | UPDATE)) == own
                                || (uncounted && (word & WRITERS) != WRITERS),
                        deadline - System.nanoTime())) {
                    return false;
                }
                counted = uncounted ? countWriter(frame) : counted;
                acquired = tryToWrite(frame, own, counted);
            } while (!acquired);
            return true;
        } finally {
            if (!acquired && counted != 0) {
                rows.addToLatch(frame, -counted);
                wake(frame); // readers may wait for nothing but this writer
            }
        }
    }

    private boolean tryToWrite(int frame, long own, long counted) {
        for (; ; ) {
            long word = rows.latch(frame);
            if ((word & (SHARERS | EXCLUSIVE | CLOSED | UPDATE)) != own) {
                return false;
            }
            if (rows.casLatch(frame, word, ((word & ~own) | EXCLUSIVE) - counted)) {
                VarHandle.storeStoreFence(); // X comes before the bytes that are written under it
                owners[frame] = Thread.currentThread();
                return true;
            }
        }
    }

    /** {@return what the caller has added to the word, and must take off again} */
    private long countWriter(int frame) {
        for (; ; ) {
            long word = rows.latch(frame);
            if ((word & WRITERS) == WRITERS) {
                return 0;
            }
            if (rows.casLatch(frame, word, word + WRITER_ONE)) {
                return WRITER_ONE;
            }
        }
    }

    /**
     * Lets the latch go, with a new version.
     *
     * @param frame a frame that the caller has latched to write
     */
    public void releaseExclusive(int frame) {
        endExclusive(frame, 0);
    }

    /**
     * Turns exclusive mode into a share, with a new version; no writer comes in between.
     *
     * @param frame a frame that the caller has latched exclusively
     */
    public void downgrade(int frame) {
        endExclusive(frame, 1);
    }

    private void endExclusive(int frame, int shares) {
        owners[frame] = null;
        for (; ; ) {
            long word = rows.latch(frame);
            if (!isExclusive(word)) {
                throw misuse(frame, word, "released by a writer");
            }
            if (rows.casLatch(frame, word, (word & ~(EXCLUSIVE | WAITED)) + VERSION_ONE + shares)) {
                waiters.wake(frame, word);
                return;
            }
        }
    }

    // --- versions ----------------------------------------------------------------------------------------------------

    /**
     * Keeps all readers out, if there are none: no read begins from now on, and no optimistic one that has begun will validate. So the
     * buffer may be written to afterwards. Takes the mark of the waiters off, since those who wait have a pin.
     *
     * @param frame a frame that the caller has claimed
     * @return false if the page is being read; nothing has changed then
     */
    public boolean tryClose(int frame) {
        for (; ; ) {
            long word = rows.latch(frame);
            if ((word & (SHARERS | UPDATE | EXCLUSIVE | WRITERS)) != 0) { // all but the first have a pin, too
                return false;
            }
            if (rows.casLatch(frame, word, ((word & VERSION) + VERSION_ONE) | CLOSED)) {
                VarHandle.storeStoreFence(); // the version comes before the bytes of the next page
                return true;
            }
        }
    }

    /**
     * Lets readers in. The page, its identity and its buffer must be there; who waits for the page must wait for its frame to be
     * published, which comes after this.
     *
     * @param frame a frame whose latch the caller has closed, or one whose page it has loaded into a frame that had none
     * @param share whether the caller has a share from the beginning
     */
    public void open(int frame, boolean share) {
        rows.setLatch(frame, (rows.latch(frame) & VERSION) | (share ? 1 : 0));
    }

    /**
     * {@return whether the frame holds no page that could be read}
     *
     * @param frame any frame
     */
    public boolean isClosed(int frame) {
        return LatchWord.isClosed(rows.latch(frame));
    }

    // --- messages ----------------------------------------------------------------------------------------------------

    /**
     * Says who has the latch of a frame.
     *
     * @param frame any frame
     * @return a few words
     */
    public String describe(int frame) {
        long word = rows.latch(frame);
        Thread owner = owners[frame];
        String name = owner == null ? "a thread" : "thread '" + owner.getName() + "' (id " + owner.getId() + ")";
        StringBuilder text = new StringBuilder();
        if (isExclusive(word)) {
            text.append("latched to write by ").append(name);
        } else if (LatchWord.isUpdate(word)) {
            text.append("latched for update by ").append(name);
        }
        if (sharers(word) > 0) {
            text.append(text.length() > 0 ? " and " : "latched ").append("to read by ");
            text.append(sharers(word) == 1 ? "one thread" : sharers(word) + " threads");
        }
        if (LatchWord.writers(word) > 0) {
            text.append(text.length() > 0 ? "; " : "")
                    .append(LatchWord.writers(word))
                    .append(" waiting to write");
        }
        return text.length() > 0 ? text.toString() : "not latched";
    }

    static IllegalStateException misuse(int frame, long word, String what) {
        return new IllegalStateException(
                "the latch of frame " + frame + " cannot be " + what + ": " + LatchWord.toString(word));
    }
}
