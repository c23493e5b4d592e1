// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.WaitEvent;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A file of a pool: its store, how many pages it has, how it grows, and how it is cut off.
 *
 * <p><b>Growth.</b> A creation takes the next number, writes zeros there beside other creations, and reports. The pages up to the last one
 * that was written exist as soon as every creation of a smaller number has come to an end; until then the creator waits. A page that could
 * not be written is cut off if nothing was written behind it, and its number is taken again; else it is a <i>hole</i>: it is not there, and
 * its number stays unused for as long as the pool has the file.
 *
 * <p><b>A cut</b> (truncate, drop, close) first waits for the creations under way, each up to the moment when its page is mapped, and keeps
 * new ones out; if that takes too long nothing has changed. Then it says that the pages are gone, then they are thrown out of the pool, then
 * the store is cut. If one of these later steps fails the cut is <i>owed</i>: the pages are gone, none can be created, and the next cut goes
 * on with it; so does the close of the file, or of the pool, with a truncation. A pool that closes waits for cuts and creations, too, and keeps
 * new ones out ({@link #shut}).
 *
 * <p><b>Shared words.</b> All are written under the lock, which is held for a few steps and never around I/O or a wait but its own. {@code
 * pages}, {@code holes}, {@code removal} and {@code store} are volatile, and read without it by {@link #check}. <i>Map, then check</i>: a thread that
 * brings a page in maps it first and then checks again whether it exists; a cut first stores that it does not and then looks for it in every
 * frame. So at least one of them sees the other, and no page stays behind that was cut off.
 */
final class PageFile {
    private static final long NONE = -1;

    /** What the pool is called. */
    private final String pool;

    private final String name;
    /** Null when the file has left. */
    private volatile PageStore store;

    private final long waitNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private volatile long pages;
    /** Sorted. */
    private volatile long[] holes = {};
    /** How the file leaves the pool, once that has begun; else null. */
    private volatile Removal removal;

    /** The number that the next creation takes; the others lie between {@code pages} and this. */
    private long next;

    private final TreeSet<Long> written = new TreeSet<>();
    private final TreeSet<Long> failed = new TreeSet<>();
    /** Creations that write. */
    private int writing;
    /** Creations whose page is not mapped yet, those that write among them. */
    private int arriving;
    /** To how many pages the store must be cut back: behind them lie parts of pages that failed, or pages of a truncation that did; or NONE. */
    private long cutBack = NONE;
    /** Whether a creation, the last one that was writing, cuts that off. */
    private boolean mending;
    /** Whether one thread cuts the file, or waits for the creations to do so. */
    private boolean cutting;
    /** How many pages a cut leaves that is not complete, or NONE. */
    private long owed = NONE;

    private boolean gone;
    /** Whether the pool closes. */
    private boolean shut;

    PageFile(String pool, PageStore store, long waitNanos) throws IOException {
        this.pool = pool;
        this.name = store.name();
        this.store = store;
        this.waitNanos = waitNanos;
        this.pages = store.pages();
        this.next = pages;
    }

    /** For those who have seen that a page exists, and keep the file from removal. */
    PageStore store() {
        return store;
    }

    String name() {
        return name;
    }

    long pages() {
        return pages;
    }

    /** {@return whether it has left the pool, or is about to} */
    boolean isRemoved() {
        return removal != null;
    }

    /** Throws if the page does not exist. */
    void check(long page) {
        long end = pages;
        if (page < end && holes.length == 0) {
            return;
        }
        Removal removed = removal;
        if (removed != null) {
            throw new NoSuchPageException(
                    "there is no page " + page + " of " + name() + " any more: the file was " + removed.words());
        }
        if (page >= end) {
            throw new NoSuchPageException(
                    "there is no page " + page + " of " + name() + ": it has " + end + " pages, from 0");
        }
        if (Arrays.binarySearch(holes, page) >= 0) {
            throw new NoSuchPageException("there is no page " + page + " of " + name()
                    + ": it could not be written when it was created, but pages behind it were");
        }
    }

    // --- growth ------------------------------------------------------------------------------------------------------

    /**
     * Writes a page of zeros behind the last one, and then says that it exists. The caller must say {@link #arrived} when it is mapped; not if
     * this throws.
     */
    long append(ByteBuffer zeros) throws IOException {
        long page = beginWriting();
        boolean exists = false;
        try {
            write(page, zeros);
            lock.lock();
            try {
                await(() -> pages > page, "the creation of an earlier page");
            } finally {
                lock.unlock();
            }
            exists = true;
            return page;
        } finally {
            if (!exists) {
                arrived();
            }
        }
    }

    private long beginWriting() {
        lock.lock();
        try {
            await(() -> !cutting && !mending, "the end of a cut");
            checkStays();
            if (next > PageId.GREATEST_PAGE) {
                throw new IllegalStateException(name + " is full: it has " + next + " pages, which is the most");
            }
            if (owed != NONE) {
                throw new IllegalStateException("no page can be created: " + name() + " is to be cut off behind " + owed
                        + " pages, which did not succeed; call truncate again");
            }
            writing++;
            arriving++;
            return next++;
        } finally {
            lock.unlock();
        }
    }

    private void write(long page, ByteBuffer zeros) throws IOException {
        try {
            store.write(page, zeros);
        } catch (Throwable failure) {
            endWriting(page, false, failure);
            throw failure;
        }
        endWriting(page, true, null);
    }

    private void endWriting(long page, boolean success, Throwable failure) {
        boolean mend;
        lock.lock();
        try {
            writing--;
            (success ? written : failed).add(page);
            publish();
            if (cutBack != NONE || !success) {
                cutBack = pages;
            }
            mend = cutBack != NONE && writing == 0;
            mending = mend;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (mend) {
            cutOffFailed(failure);
        }
    }

    /** Under the lock: every page up to the last written one exists if all before it have come to an end. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void publish() {
        long end = pages;
        while (end < next && (written.contains(end) || failed.contains(end))) {
            end++;
        }
        Long last = written.lower(end);
        if (last == null) {
            return;
        }
        var skipped = failed.headSet(last);
        if (!skipped.isEmpty()) {
            long[] more = Arrays.copyOf(holes, holes.length + skipped.size());
            int at = holes.length;
            for (long hole : skipped) {
                more[at++] = hole;
            }
            holes = more; // before pages, so that nobody finds them
            skipped.clear();
        }
        written.headSet(end).clear();
        pages = last + 1;
    }

    /**
     * Nothing was written behind {@code pages} but parts of pages, for lack of room perhaps: a file whose end is torn could not be opened
     * again. If this fails it is tried again after the next creation, and when the file is closed.
     */
    private void cutOffFailed(Throwable failure) {
        boolean mended = false;
        try {
            store.truncate(pages);
            mended = true;
        } catch (IOException | RuntimeException e) {
            if (failure != null) {
                failure.addSuppressed(e);
            }
        } finally {
            lock.lock();
            try {
                cutBack = mended ? NONE : cutBack;
                failed.clear();
                next = pages;
                mending = false;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** The page of a creation is mapped, or will never be. */
    void arrived() {
        lock.lock();
        try {
            arriving--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // --- cuts --------------------------------------------------------------------------------------------------------

    /** What is done between the two halves of a cut. */
    interface Cut {
        /** Throws pages out, and cuts the store. */
        void apply() throws IOException;
    }

    /** Leaves the first pages only; {@code cut} is not called if there are no others. */
    void truncate(long keep, Cut cut) throws IOException {
        cut(keep, null, cut);
    }

    /** Takes the file away. */
    void remove(Removal removal, Cut cut) throws IOException {
        cut(0, removal, cut);
    }

    private void cut(long keep, Removal removal, Cut cut) throws IOException {
        if (!beginCut(keep, removal)) {
            return;
        }
        boolean complete = false;
        try {
            cut.apply();
            complete = true;
        } finally {
            endCut(removal, complete);
        }
    }

    private boolean beginCut(long keep, Removal removal) {
        lock.lock();
        try {
            await(() -> !cutting, "the end of another cut");
            checkNotShut();
            if (removal == null || gone) {
                checkStays();
            }
            if (keep < 0 || keep > pages) {
                throw new IllegalArgumentException(
                        name() + " has " + pages + " pages, and cannot be cut off behind " + keep);
            }
            if (removal == null && keep == pages && owed == NONE) {
                return false;
            }
            cutting = true;
            boolean alone = false;
            try {
                await(() -> arriving == 0, "pages that are being created");
                alone = true;
            } finally {
                cutting = alone;
                changed.signalAll();
            }
            if (removal != null) {
                this.removal = removal;
            } else {
                cutBack = keep;
            }
            owed = keep;
            pages = keep;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void endCut(Removal removal, boolean complete) {
        lock.lock();
        try {
            if (complete) {
                owed = NONE;
                cutBack = NONE;
                next = pages;
                holes = Arrays.stream(holes).filter(hole -> hole < pages).toArray();
                if (removal != null) {
                    gone = true;
                    store = null;
                }
            }
            cutting = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void checkStays() {
        checkNotShut();
        Removal removed = removal;
        if (removed != null) {
            throw new IllegalArgumentException(name() + " was " + removed.words());
        }
    }

    private void checkNotShut() {
        if (shut) {
            throw new IllegalStateException("the pool is closed");
        }
    }

    // --- the end -----------------------------------------------------------------------------------------------------

    /** Waits for creations and cuts, and lets none begin. */
    void shut() {
        lock.lock();
        try {
            await(() -> !cutting && arriving == 0, "pages that are being created, or cut off");
            shut = true;
        } finally {
            lock.unlock();
        }
    }

    /** The pool stays open after all. */
    void reopen() {
        lock.lock();
        try {
            shut = false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the store, unless the file has left; cuts off first what failed creations and truncations have left. Nothing is created or cut
     * meanwhile.
     *
     * @param anyhow whether it is closed even if it cannot be cut off; else it stays open, and this can be called again
     */
    void closeStore(boolean anyhow) throws IOException {
        PageStore closing = store;
        if (closing == null) {
            return;
        }
        boolean whole = false;
        try {
            if (cutBack != NONE) {
                closing.truncate(cutBack);
                forgetCutBack();
            }
            whole = true;
        } finally {
            if (whole || anyhow) {
                closing.close();
            }
        }
    }

    /** A store that cannot be closed then is closed again, perhaps, when nothing can be cut off it any more. */
    private void forgetCutBack() {
        lock.lock();
        try {
            cutBack = NONE;
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock, which is let go meanwhile. Uninterruptible: an interrupt is kept. */
    private void await(BooleanSupplier condition, String what) {
        if (condition.getAsBoolean()) {
            return;
        }
        WaitEvent event = FlightEvents.waiting();
        boolean timedOut = true;
        try {
            awaitChange(condition, what);
            timedOut = false;
        } finally {
            if (event != null && event.isWanted()) {
                event.record(pool, what, name(), timedOut);
            }
        }
    }

    private void awaitChange(BooleanSupplier condition, String what) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + waitNanos;
        try {
            while (!condition.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new WaitTimeoutException(
                            "waited " + TimeUnit.NANOSECONDS.toMillis(waitNanos) + " ms for " + what + " of " + name());
                }
                try {
                    changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
