// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which thread writes to the journal of a {@link DoubleWritePageStore}, and which write pages in place.
 *
 * <p>One thread at a time writes to the journal. Those that come meanwhile wait; the next one takes the images of all
 * that wait, as many as fit in one batch, so that one force serves them all. Each thread then writes its own pages in
 * place, at the same time as others, and while the next batch goes to the journal. Nobody waits for images that may
 * never come: the first thread to come writes at once.
 *
 * <p><b>Rules.</b>
 * <ul>
 * <li>Pages are written in place by the thread that has brought them here, after their images are on the journal's
 * device.
 * <li>Images wait while one of their pages is in a batch that is not in place yet. So a page has one image in a batch,
 * and its images reach the journal and the place in the same order.
 * <li>A thread that clears the journal, or works {@linkplain #enterAlone alone}, waits until no page is being written
 * in place; meanwhile no other thread writes to the journal.
 * </ul>
 *
 * <p><b>Shared words.</b> All of them are guarded by {@code lock}. Waits end without regard to interrupts; each is for
 * a thread that reads from or writes to one of the two stores, and needs nothing else. Thread-safe.
 */
final class JournalWriters {
    private static final int GROUP = 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** The most pages in one batch. */
    private final int mostPages;

    private final List<PageImages> waiting = new ArrayList<>();
    /** Those that a thread writes to the journal, or in place. */
    private final List<PageImages> begun = new ArrayList<>();
    /** Of those that are begun, the ones that the journal has. */
    private int inPlace;
    /** Whether a thread writes to the journal, or works alone. */
    private boolean taken;
    /** The threads that wait until they may work alone: they come before others that write to the journal. */
    private int waitingAlone;

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
        List<PageImages> group = new ArrayList<>(GROUP);
        lock.lock();
        try {
            waiting.add(images);
            try {
                while (mustWait(images)) {
                    changed.awaitUninterruptibly();
                }
                return images.state == PageImages.State.WAITING ? take(images, group) : null;
            } finally {
                if (images.state == PageImages.State.WAITING) { // only after an error
                    waiting.remove(images);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean mustWait(PageImages images) {
        return switch (images.state) {
            case WAITING -> taken || waitingAlone > 0 || !isFree(images);
            case TAKEN -> true; // until the other thread's force has ended
            case IN_PLACE, FAILED -> false;
        };
    }

    private List<PageImages> take(PageImages first, List<PageImages> group) {
        group.add(first);
        int pages = first.count();
        for (PageImages images : waiting) {
            if (images != first && pages + images.count() <= mostPages && isFree(images, group) && isFree(images)) {
                group.add(images);
                pages += images.count();
            }
        }
        begun.addAll(group);
        for (PageImages images : group) {
            images.state = PageImages.State.TAKEN;
        }
        removeTaken();
        taken = true;
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

    private boolean isFree(PageImages images) {
        return isFree(images, begun);
    }

    private static boolean isFree(PageImages images, List<PageImages> others) {
        for (PageImages other : others) {
            if (images.sharesPageWith(other)) {
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
        lock.lock();
        try {
            for (PageImages images : group) {
                images.failure = failure;
                images.state = failure == null ? PageImages.State.IN_PLACE : PageImages.State.FAILED;
                if (failure == null) {
                    inPlace++;
                } else {
                    begun.remove(images);
                }
            }
            taken = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Images that the journal has are in place, or the write has failed. */
    void endInPlace(PageImages images) {
        lock.lock();
        try {
            begun.remove(images);
            inPlace--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits, in the thread that writes to the journal, until no page is being written in place. */
    void awaitPagesInPlace() {
        lock.lock();
        try {
            while (inPlace > 0) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no other thread writes, and keeps others from it until {@link #exitAlone}. */
    void enterAlone() {
        lock.lock();
        try {
            waitingAlone++;
            try {
                while (taken || inPlace > 0) {
                    changed.awaitUninterruptibly();
                }
                taken = true;
            } finally {
                waitingAlone--;
                changed.signalAll(); // also if the wait has failed
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends what {@link #enterAlone} has begun. */
    void exitAlone() {
        lock.lock();
        try {
            taken = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
