// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.Parking;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The dirty page context of a page that threads update concurrently, from its first update until the page is copied
 * to be written: which record made it dirty, and which updates have not contributed their LSN yet.
 *
 * <table>
 * <caption>The fields, and the threads that write them; all changes are CAS</caption>
 * <tr><th>field</th><th>meaning</th><th>written by</th></tr>
 * <tr><td>{@code checkpoint}</td><td>the number of the last checkpoint that had begun before the context was
 * made</td><td>its maker</td></tr>
 * <tr><td>{@code since}</td><td>the end of the log, read before the context was installed, and so before any update
 * of it appended a record</td><td>its maker</td></tr>
 * <tr><td>{@code firstLsn}</td><td>the least LSN of a counted update, or {@code since} for one without a record; or
 * NONE</td><td>a counted update, which lowers
 * it</td></tr>
 * <tr><td>{@code word}: dirty</td><td>an update has contributed its LSN</td><td>the counted updates, as they end; never
 * cleared</td></tr>
 * <tr><td>{@code word}: pending</td><td>counted updates that have not ended</td><td>+1 by an update that begins while
 * the context is not dirty; −1 by the same</td></tr>
 * <tr><td>{@code waiter}</td><td>the checkpoint that waits until none is pending; or null</td><td>that
 * thread</td></tr>
 * </table>
 *
 * <p>An update that begins while the context is dirty is not counted: its record comes after one whose LSN is known
 * already, so it cannot lower {@code firstLsn}. So the first LSN is right when no update is pending, and from the
 * moment when the context is dirty their number only falls. An update holds the page's latch in shared mode from its
 * begin to its end, and the page is copied under the latch in exclusive mode, so no update outlives its context.
 *
 * <p><b>Memory order.</b> CAS have volatile semantics. An update lowers {@code firstLsn} before it ends in
 * {@code word}, and a checkpoint reads the word first. A checkpoint stores {@code waiter} before it reads the word,
 * and an update that ends reads {@code waiter} after it has changed the word: so one of the two sees the other.
 *
 * <p>Source: Kodandaramaih, Kodavalla, Venkataramanappa, Concurrent Updates to Pages with Fixed-Size Rows Using
 * Lock-Free Algorithms, PVLDB 13(12), 2020, §3.2 and §3.4. The bound {@code since} is not in the paper: it lets a
 * checkpoint go on without updates that do not end in time. Another difference is that the copy needs the exclusive
 * latch ({@link CopyLatches}).
 */
public final class UpdateContext {
    private static final int DIRTY = 1 << 31;
    private static final int PENDING = DIRTY - 1;

    private static final VarHandle FIRST_LSN;
    private static final VarHandle WORD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            FIRST_LSN = lookup.findVarHandle(UpdateContext.class, "firstLsn", long.class);
            WORD = lookup.findVarHandle(UpdateContext.class, "word", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long checkpoint;
    private final long since;
    private volatile long firstLsn = DirtyPages.NONE;
    private volatile int word;
    private volatile Thread waiter;

    /**
     * Creates a context without updates.
     *
     * @param checkpoint the number of the last checkpoint that has begun
     * @param since the end of the log, read after that number
     */
    public UpdateContext(long checkpoint, long since) {
        this.checkpoint = checkpoint;
        this.since = since;
    }

    /** {@return the number of the last checkpoint that had begun before this was made} */
    long checkpoint() {
        return checkpoint;
    }

    /** {@return whether an update has contributed its LSN} */
    boolean isDirty() {
        return (word & DIRTY) != 0;
    }

    /** {@return the number of counted updates that have not ended} */
    int pending() {
        return word & PENDING;
    }

    /** Counts an update that begins; {@return false if that is not necessary} */
    public boolean tryCount() {
        for (; ; ) {
            int seen = word;
            if ((seen & DIRTY) != 0) {
                return false;
            }
            if (WORD.compareAndSet(this, seen, seen + 1)) {
                return true;
            }
        }
    }

    /**
     * Ends a counted update. Allocates nothing, and does not throw.
     *
     * @param lsn the LSN of its first record; 0 if a change has none, which counts as if its record were the first one
     *     possible, since a checkpoint must not go back to where there is no log
     */
    public void end(long lsn) {
        long first = lsn == 0 ? since : lsn;
        for (long seen = firstLsn; first < seen; seen = firstLsn) {
            if (FIRST_LSN.compareAndSet(this, seen, first)) {
                break;
            }
        }
        leave(DIRTY);
    }

    /** Ends a counted update that has changed nothing. Allocates nothing, and does not throw. */
    void cancel() {
        leave(0);
    }

    private void leave(int mark) {
        int seen;
        do {
            seen = word;
        } while (!WORD.compareAndSet(this, seen, (seen - 1) | mark));
        if ((seen & PENDING) == 1) {
            Thread waiting = waiter;
            if (waiting != null) {
                Parking.unpark(waiting);
            }
        }
    }

    /**
     * {@return a position that no update of this context needs a lesser one than: the first LSN, if it is known
     * already}
     */
    public long oldest() {
        return word == DIRTY ? firstLsn : since;
    }

    /**
     * Waits until the first LSN is known; called by one thread at a time.
     *
     * @param deadline the time, as of {@link System#nanoTime}, at which the caller does without it
     * @return as {@link #oldest()}
     */
    long awaitOldest(long deadline) {
        if ((word & PENDING) == 0) {
            return oldest();
        }
        waiter = Thread.currentThread();
        try {
            Parking.parkUntil(() -> (word & PENDING) == 0, deadline);
        } finally {
            waiter = null;
        }
        return oldest();
    }
}
