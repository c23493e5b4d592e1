// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.wal.WriteAheadLog;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The dirty page table: which log records the changes in each frame may need, if the machine crashes now.
 *
 * <p>Three numbers for each frame, all of them positions in the engine's log:
 *
 * <table>
 * <caption>The numbers, and the threads that write them</caption>
 * <tr><th>number</th><th>meaning</th><th>written by</th></tr>
 * <tr><td>{@code rec}</td><td>no change since the last copy was made has a record before it (<i>recLSN</i>); or
 * NONE</td><td>a thread that has the latch exclusively, as it begins an update; the thread that creates the page,
 * before it publishes it; the thread that writes the page, under its latch; the thread that has claimed the
 * frame, when the page goes</td></tr>
 * <tr><td>{@code inFlight}</td><td>the same of the changes that are in copies only, none of which has reached the file;
 * or NONE</td><td>the thread that writes the page, of which there is one at a time; the thread that has claimed the
 * frame</td></tr>
 * <tr><td>{@code pageLsn}</td><td>the greatest LSN of a record whose change is in the page (<i>pageLSN</i>), of those
 * since the page was clean</td><td>a thread that has the latch, by CAS</td></tr>
 * </table>
 *
 * <p><b>Mark, log, change.</b> An update begins with {@link #begin}: it stores the end of the log in {@code rec}, marks
 * the page as dirty, and fences. Only then does the engine append the record and change the page. A checkpoint reads
 * the end of the log, fences, then reads the numbers. So if it misses a {@code rec}, the record was appended after the
 * end that it has read.
 *
 * <p><b>From {@code rec} to {@code inFlight}.</b> A write stores {@code inFlight} before it clears {@code rec}, and a
 * checkpoint reads {@code rec} before {@code inFlight}. So it sees at least one of the two until the write has
 * succeeded. If the write fails, {@code inFlight} stays as it is, until a later write succeeds; it never moves back,
 * since a checkpoint that reads while numbers move in both directions could miss it in both places.
 *
 * <p><b>Concurrent updates.</b> A thread that updates a page under a share in its latch begins with {@link #prepare}
 * and ends with {@link #contribute}; the page has an {@link UpdateContext} then, instead of a {@code rec}. Such a page
 * is copied under its latch in exclusive mode, and its context is removed then. A checkpoint waits until updates that
 * have begun have contributed their LSNs, but not for long ({@link #PATIENCE_NANOS}), and without keeping new ones
 * out.
 *
 * <p>All accesses are volatile. Thread-safe, provided that each caller has what the methods ask for. Nothing here
 * allocates, waits or throws, except that a position that no log can have is refused, that {@link #prepare} makes a
 * context and reads the end of the log, and that {@link #oldest} waits.
 */
public final class DirtyPages {
    /** No position in the log; greater than any. */
    public static final long NONE = Long.MAX_VALUE;

    /**
     * How long a checkpoint waits, in all, for updates that have begun and not ended. Then it goes back to where the
     * log ended before they began.
     */
    static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final VarHandle LSN = MethodHandles.arrayElementVarHandle(long[].class);

    private final FrameStates states;
    private final long[] rec;
    private final long[] inFlight;
    private final long[] pageLsn;
    private final AtomicInteger dirty = new AtomicInteger();
    /** Null if no page is updated concurrently. */
    private final UpdateContexts contexts;

    /**
     * Creates a table without dirty pages.
     *
     * @param states the words of the frames
     * @param frames the number of frames
     * @param sharedUpdates whether pages are updated concurrently
     */
    public DirtyPages(FrameStates states, int frames, boolean sharedUpdates) {
        this.states = states;
        this.contexts = sharedUpdates ? new UpdateContexts(frames) : null;
        this.rec = filled(frames);
        this.inFlight = filled(frames);
        this.pageLsn = new long[frames];
    }

    private static long[] filled(int frames) {
        long[] numbers = new long[frames];
        Arrays.fill(numbers, NONE);
        return numbers;
    }

    // --- updates -----------------------------------------------------------------------------------------------------

    /**
     * Begins an update: from now on the page is dirty, and no checkpoint goes past a record that is appended later.
     *
     * @param frame a frame that the caller has pinned and latched exclusively; or has pinned, to create its page, and
     *     not published
     * @param position the end of the log; or, of an update that repeats a record, the LSN of that record
     * @throws IllegalArgumentException if that is no position; nothing has changed
     */
    public void begin(int frame, long position) {
        checkPosition(position);
        if (needed(frame) == NONE) {
            set(pageLsn, frame, 0);
        }
        if (position < get(rec, frame)) {
            set(rec, frame, position);
        }
        if (states.markDirty(frame)) {
            dirty.getAndIncrement();
        }
        VarHandle.fullFence(); // the record comes after all this
    }

    /**
     * {@return whether the page has a concurrent update whose LSN is known already: another one needs no {@link
     * #prepare}}
     *
     * @param frame a frame in whose latch the caller has a share, until its update ends
     */
    public boolean isPrepared(int frame) {
        UpdateContext context = contexts.find(frame);
        return context != null && context.isDirty();
    }

    /**
     * Begins a concurrent update: from now on the page is dirty, and no checkpoint goes past a record that is appended
     * later. Has no effect but the mark if it throws.
     *
     * @param frame a frame in whose latch the caller has a share, until its update ends
     * @param log the log of the engine
     * @return what counts the update: {@link #contribute} or {@link UpdateContext#cancel} must follow; or null if it is
     *     not counted
     * @throws IllegalArgumentException if the log ends at no position
     */
    public UpdateContext prepare(int frame, WriteAheadLog log) {
        UpdateContext context = contexts.install(frame, log);
        if (states.markDirty(frame)) {
            dirty.getAndIncrement();
        }
        boolean counted = context.tryCount();
        VarHandle.fullFence(); // the record comes after all this
        return counted ? context : null;
    }

    /**
     * Ends a concurrent update that was counted.
     *
     * @param counted what {@link #prepare} returned
     * @param lsn the LSN of its first record; 0 if a change has none
     */
    public void contribute(UpdateContext counted, long lsn) {
        counted.end(lsn);
    }

    /**
     * Ends a concurrent update that was counted, and has changed nothing.
     *
     * @param counted what {@link #prepare} returned
     */
    public void cancel(UpdateContext counted) {
        counted.cancel();
    }

    /**
     * Checks a position.
     *
     * @param position a position in a log
     * @return it
     * @throws IllegalArgumentException if it is none
     */
    public static long checkPosition(long position) {
        if (position < 0 || position == NONE) {
            throw new IllegalArgumentException(
                    position + " is no position in a log: it must not be negative, nor the greatest number");
        }
        return position;
    }

    /**
     * Raises the pageLSN.
     *
     * @param frame a frame whose latch the caller has, exclusively or to update the page concurrently
     * @param lsn the LSN of the record that describes its change
     */
    public void raise(int frame, long lsn) {
        long seen;
        do {
            seen = get(pageLsn, frame);
        } while (lsn > seen && !LSN.compareAndSet(pageLsn, frame, seen, lsn));
    }

    // --- writing -----------------------------------------------------------------------------------------------------

    /**
     * Takes the dirty mark off a page that is about to be copied.
     *
     * @param frame a frame that the caller is writing, and in whose latch it has a share; or, if the page can be
     *     updated concurrently, that it has latched exclusively
     * @return the pageLSN of the copy
     */
    public long beginCopy(int frame) {
        UpdateContext context = context(frame);
        long since = Math.min(get(rec, frame), context == null ? NONE : context.oldest());
        set(inFlight, frame, Math.min(get(inFlight, frame), since));
        set(rec, frame, NONE);
        if (context != null) {
            contexts.remove(frame);
        }
        if (states.clearDirty(frame)) {
            dirty.getAndDecrement();
        }
        return get(pageLsn, frame);
    }

    /**
     * The copy has reached the file.
     *
     * @param frame a frame that the caller is writing
     */
    public void written(int frame) {
        set(inFlight, frame, NONE);
    }

    /**
     * The copy has not reached the file, or not wholly: the page is dirty again.
     *
     * @param frame a frame that the caller is writing
     */
    public void failed(int frame) {
        if (states.markDirty(frame)) {
            dirty.getAndIncrement();
        }
    }

    /**
     * Forgets the changes of a page that does not exist any more.
     *
     * @param frame a frame that the caller has claimed
     */
    public void discard(int frame) {
        set(rec, frame, NONE);
        if (context(frame) != null) {
            contexts.remove(frame);
        }
        set(inFlight, frame, NONE);
        if (states.clearDirty(frame)) {
            dirty.getAndDecrement();
        }
    }

    // --- reading -----------------------------------------------------------------------------------------------------

    /**
     * {@return the least position that a page needs whose changes may not have reached its file, or {@code logEnd} if
     * that is less}
     *
     * @param logEnd the end of the log, read before this call
     */
    public long oldest(long logEnd) {
        VarHandle.fullFence(); // the end of the log was read before
        long number = contexts == null ? 0 : contexts.beginCheckpoint();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        long oldest = logEnd;
        for (int frame = 0; frame < rec.length; frame++) {
            long since = get(rec, frame); // before inFlight
            UpdateContext context = context(frame); // before inFlight
            if (context != null) {
                boolean isLater = context.checkpoint() >= number;
                since = Math.min(since, isLater ? context.oldest() : context.awaitOldest(deadline));
            }
            oldest = Math.min(oldest, Math.min(since, get(inFlight, frame)));
        }
        return oldest;
    }

    /**
     * {@return the least position that the page of a frame needs, or {@link #NONE}}
     *
     * @param frame any frame
     */
    public long needed(int frame) {
        long since = get(rec, frame); // before inFlight
        UpdateContext context = context(frame); // before inFlight
        since = context == null ? since : Math.min(since, context.oldest());
        return Math.min(since, get(inFlight, frame));
    }

    private UpdateContext context(int frame) {
        return contexts == null ? null : contexts.find(frame);
    }

    /** {@return the number of pages that are marked as dirty at the moment} */
    public int count() {
        return dirty.get();
    }

    private static long get(long[] numbers, int frame) {
        return (long) LSN.getVolatile(numbers, frame);
    }

    private static void set(long[] numbers, int frame, long lsn) {
        LSN.setVolatile(numbers, frame, lsn);
    }
}
