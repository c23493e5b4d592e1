// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets threads write to the journal of a {@link DoubleWritePageStore} by group commit, and write pages in place at the
 * same time.
 *
 * <p>One thread at a time writes to the journal. Those that come during that wait; the next one takes the images of all
 * that wait, as many as fit in one batch, so that one force serves them all. Each thread then writes its own pages in
 * place, at the same time as others, and during the next write to the journal. Nobody waits for images that may never
 * come: the first thread to come writes at once.
 *
 * <p><b>Rules.</b>
 * <ul>
 * <li>Pages are written in place by the thread that has brought them here, after the force of the batch that has their
 * images.
 * <li>Images wait while one of their pages is in a batch that is not in place yet. So a page has one image in a batch,
 * and its images reach the journal and the place in the same order.
 * <li>A thread that clears the journal, or works {@linkplain #enterExclusive exclusively}, waits until no page is being
 * written in place; until it ends no other thread writes to the journal. Exclusive work comes before writes that wait,
 * but not twice in a row.
 * <li>A thread whose images another one has taken stays until that one has ended, whatever happens: its buffer is being
 * read. So no wait and no release fails for lack of memory: the thread pauses or spins instead.
 * </ul>
 *
 * <p><b>Shared words.</b> All of them are guarded by {@code lock}. Waits end without regard to interrupts; each is for
 * a thread that reads from or writes to one of the two stores, and needs nothing else. Thread-safe.
 */
class JournalWriters {
    /** How long a thread pauses that cannot wait. */
    private static final long PAUSE_NANOS = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** The most pages in one batch. */
    private final int mostPages;

    private final List<PageImages> waiting = new ArrayList<>();
    /** The images that a thread writes to the journal, or in place. */
    private final ArrayList<PageImages> inFlight = new ArrayList<>();
    /** How many of those in flight the journal has. */
    private int inPlace;
    /** Whether a thread writes to the journal, or works exclusively. */
    private boolean busy;
    /** How many threads wait for exclusive work. */
    private int waitingExclusive;
    /** Whether writes come next, since exclusive work has ended during which they waited. */
    private boolean writesNext;

    JournalWriters(int mostPages) {
        this.mostPages = mostPages;
    }

    /**
     * Waits until the journal has the images, or this thread must write them.
     *
     * @param images those of this thread
     * @return the images that this thread must write to the journal now, its own and those of others, and then call
     *     {@link #endJournal}; null if another thread has done that, perhaps without success: see their state
     */
    List<PageImages> awaitJournal(PageImages images) {
        lock.lock();
        try {
            waiting.add(images);
            try {
                while (mustWait(images)) {
                    awaitChange();
                }
                return images.state == PageImages.State.WAITING ? take(images) : null;
            } finally {
                if (images.state == PageImages.State.WAITING) { // no memory for the group
                    waiting.remove(images);
                    writesNext &= !waiting.isEmpty();
                    changed.signalAll();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean mustWait(PageImages images) {
        return switch (images.state) {
            case WAITING -> busy || (waitingExclusive > 0 && !writesNext) || !isFree(images, inFlight);
            case TAKEN -> true; // until the other thread's force has ended
            case IN_PLACE, FAILED -> false;
        };
    }

    private List<PageImages> take(PageImages first) {
        List<PageImages> group = new ArrayList<>(waiting.size());
        inFlight.ensureCapacity(inFlight.size() + waiting.size()); // from here on nothing is allocated
        group.add(first);
        int pages = first.count();
        for (int i = 0; i < waiting.size(); i++) {
            PageImages images = waiting.get(i);
            boolean fits = images != first && pages + images.count() <= mostPages;
            if (fits && isFree(images, group) && isFree(images, inFlight)) {
                group.add(images);
                pages += images.count();
            }
        }
        for (int i = 0; i < group.size(); i++) {
            group.get(i).state = PageImages.State.TAKEN;
            inFlight.add(group.get(i));
        }
        removeTaken();
        busy = true;
        writesNext = false;
        return group;
    }

    private void removeTaken() {
        int kept = 0;
        for (int i = 0; i < waiting.size(); i++) {
            if (waiting.get(i).state == PageImages.State.WAITING) {
                waiting.set(kept++, waiting.get(i));
            }
        }
        while (waiting.size() > kept) {
            waiting.remove(waiting.size() - 1);
        }
    }

    private static boolean isFree(PageImages images, List<PageImages> others) {
        for (int i = 0; i < others.size(); i++) {
            if (images.sharesPageWith(others.get(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * The journal has the images of a group on its device, or not.
     *
     * @param group what {@link #awaitJournal} has returned
     * @param failure why it has not; null if it has
     */
    void endJournal(List<PageImages> group, Throwable failure) {
        lockForRelease(lock);
        try {
            for (int i = 0; i < group.size(); i++) {
                PageImages images = group.get(i);
                images.failure = failure;
                images.state = failure == null ? PageImages.State.IN_PLACE : PageImages.State.FAILED;
                if (failure == null) {
                    inPlace++;
                } else {
                    inFlight.remove(images);
                }
            }
            busy = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Images that the journal has are in place, or the write has failed. */
    void endInPlace(PageImages images) {
        lockForRelease(lock);
        try {
            inFlight.remove(images);
            inPlace--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits, in the thread that writes to the journal, until no page is being written in place. */
    void awaitPagesInPlace() {
        lockForRelease(lock);
        try {
            while (inPlace > 0) {
                awaitChange();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no other thread writes, and keeps others from it until {@link #exitExclusive}. */
    void enterExclusive() {
        lock.lock();
        try {
            waitingExclusive++;
            while (busy || inPlace > 0 || writesNext) {
                awaitChange();
            }
            waitingExclusive--;
            busy = true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends what {@link #enterExclusive} has begun. */
    void exitExclusive() {
        lockForRelease(lock);
        try {
            busy = false;
            writesNext = !waiting.isEmpty();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a change, or pauses where the wait fails. The caller has the lock, before and after. */
    private void awaitChange() {
        try {
            await(changed);
        } catch (Error e) { // no memory for a place in the queue
            if (lock.isHeldByCurrentThread()) {
                lock.unlock();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            lockForRelease(lock);
        }
    }

    /** Waits without regard to interrupts. Tests override it. */
    @SuppressWarnings("WaitNotInLoop") // the callers' loops
    void await(Condition condition) {
        condition.awaitUninterruptibly();
    }

    /** Takes a lock, also where there is no memory for a place in its queue. */
    static void lockForRelease(ReentrantLock lock) {
        try {
            lock.lock();
        } catch (Error e) {
            while (!lock.tryLock()) {
                Thread.onSpinWait();
            }
        }
    }
}
