// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.NoSuchPageException;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.page.GroupRead;
import io.clockhand.internal.page.PagePool;
import java.io.IOException;
import java.util.Objects;

/**
 * Pages that are read together without latches or pins, and validated afterwards: for look-ups that know several pages
 * before they read the first, such as a multi-get, a hash join, or the neighbours in a graph. A read waits for memory
 * some three times; those of a group wait at the same time.
 *
 * <pre>{@code
 * try (OptimisticGroup group = pool.newOptimisticGroup(16)) {
 *     do {
 *         group.read(ids, 0, 16);
 *         for (int i = 0; i < 16; i++) {
 *             values[i] = group.page(i).getLong(16);
 *         }
 *     } while (!group.validate());
 * }
 * }</pre>
 *
 * <p>The rules for what was read before a validation are those of {@link OptimisticPage}. Each page is right by itself:
 * two pages need not be of the same moment, and a page that was copied (see below) was right at a moment during {@link
 * #read} alone. So a page of a group must not be the parent in lock coupling, where the parent is validated after the
 * child was read: use an {@code OptimisticPage} for that.
 *
 * <p><b>No latch stays.</b> A page that is not in memory, or is being written, is latched for a moment, for reading,
 * while {@link #read} has no other latch; then it is read without, as the others are. Under a policy that records
 * accesses this happens to every page. If the same pages did not validate four times, {@code read} copies them, each
 * under its latch, and they validate. So a loop as above ends, if it repeats with the same pages in the same order:
 * with others the count begins anew. No thread waits for a group longer than for one copy of a page, and a group that
 * waits for a thread holds nothing itself. So it takes part in no deadlock, if its thread holds no latch.
 *
 * <p><b>Memory.</b> The copies take direct memory of the capacity times {@code pageBytes}, and up to a page more for
 * each two megabytes begun, to align them; from the first copy until the group is garbage. The memory that a pool
 * reserves when it is built does not include it: leave space for it in {@code -XX:MaxDirectMemorySize}.
 *
 * <p>Absent pages are read one after the other; {@linkplain
 * BufferPool#prefetch(long[]) prefetch} them where that matters.
 *
 * <p>Owned and reused by its caller; not thread-safe. Allocates nothing but the copies. Source: group prefetch as in X.
 * Zhou, J. Hu, A. Pavlo, M. Stonebraker: Making Array-Based Translation Practical for Modern, High-Performance Buffer
 * Management, arXiv 2604.00423, 2026.
 */
public final class OptimisticGroup implements AutoCloseable {
    /** The greatest capacity. */
    static final int MOST_PAGES = 1024;
    /** After this number of reads of the same pages that did not validate, they are copied. */
    static final int TRIES = 4;

    private final PageFixer fixer;
    private final FrameMemory memory;
    private final GroupRead reads;
    private final GroupPage[] pages;
    /** Pages 0 to {@code count − 1} can be read. */
    private int count;
    /** The reads of the same pages that did not validate. */
    private int failures;
    /** Whether the last read is one of them. */
    private boolean failed;
    /** Whether the pages are copies, which were right during the read. */
    private boolean copied;
    /** As many buffers as pages, and an array of a page; null before they are needed. */
    private FrameMemory copies;

    private byte[] image;

    OptimisticGroup(PageFixer fixer, PagePool pool, int capacity) {
        if (capacity < 1 || capacity > MOST_PAGES) {
            throw new IllegalArgumentException(
                    "a group has between 1 and " + MOST_PAGES + " pages, so its capacity cannot be " + capacity);
        }
        this.fixer = fixer;
        this.memory = pool.memory();
        this.reads = pool.newGroupRead(capacity);
        this.pages = new GroupPage[capacity];
        for (int i = 0; i < capacity; i++) {
            pages[i] = new GroupPage(this, i);
        }
    }

    /** {@return the greatest number of pages that can be read at once} */
    public int capacity() {
        return pages.length;
    }

    /** {@return the number of pages that the last {@link #read} has begun to read; 0 if it failed, or after a close} */
    public int size() {
        return count;
    }

    /**
     * Begins to read pages, and ends the read of others.
     *
     * @param ids the pages; one that occurs twice is read twice
     * @param from the index of the first of them
     * @param number the number of pages, at least 1
     * @throws IOException if a page had to be read from its file and could not; then none can be read
     * @throws NoSuchPageException if one of the pages does not exist
     * @throws IllegalArgumentException if there are no pages, or more than the capacity
     * @throws IndexOutOfBoundsException if the array has fewer pages
     * @throws IllegalStateException if the pool is closed, or another thread uses this
     * @throws PoolExhaustedException if every frame was pinned for too long
     * @throws WaitTimeoutException if another thread had a latch, or was busy with a page, for too long
     */
    public void read(long[] ids, int from, int number) throws IOException {
        Objects.checkFromIndexSize(from, number, ids.length);
        if (number < 1 || number > pages.length) {
            throw new IllegalArgumentException(
                    "this group reads between 1 and " + pages.length + " pages at once, not " + number);
        }
        if (pages[0].isInUse()) {
            pages[0].checkUser();
        }
        boolean begun = false;
        try {
            fixer.checkOpen();
            if (!reads.set(ids, from, number)) {
                failures = 0;
            }
            failed = false;
            copied = failures >= TRIES;
            if (copied) {
                copy(number);
            } else {
                begin(number);
            }
            begun = true;
        } finally {
            if (!begun) {
                close();
            }
        }
    }

    private void begin(int number) throws IOException {
        int left = reads.begin();
        for (int k = 0; k < left; k++) {
            int index = reads.left(k);
            beginShare(index);
            endShare(index);
        }
        reads.touchBytes();
        for (int i = 0; i < number; i++) {
            pages[i].show(memory, reads.ref(i).buffer());
        }
        hideFrom(number);
    }

    private void copy(int number) throws IOException {
        if (copies == null) {
            image = new byte[memory.pageBytes()];
            FrameMemory buffers = new FrameMemory(memory.pageBytes(), pages.length);
            for (int i = 0; i < pages.length; i++) {
                pages[i].copy = buffers.poll();
            }
            copies = buffers;
        }
        for (int i = 0; i < number; i++) {
            beginShare(i);
            try {
                memory.copyTo(reads.ref(i).buffer(), image);
            } finally {
                endShare(i);
            }
            copies.copyFrom(pages[i].copy, image);
        }
        for (int i = 0; i < number; i++) {
            pages[i].show(copies, pages[i].copy);
        }
        hideFrom(number);
        failures = 0;
    }

    private void beginShare(int index) throws IOException {
        fixer.share(reads.id(index), reads.ref(index), pages[index]);
    }

    private void endShare(int index) {
        reads.ref(index).endShare();
        pages[index].endTracking();
    }

    private void hideFrom(int first) {
        for (int i = first; i < count; i++) {
            pages[i].hide();
        }
        count = first;
    }

    /**
     * {@return a page of the group} The same object for each read, so it can be kept.
     *
     * @param index its place, 0 to {@link #size} − 1
     */
    public PageView page(int index) {
        return pages[Objects.checkIndex(index, count)];
    }

    /**
     * Tells whether everything read since {@link #read} is right: each page was there all the time, and no thread wrote
     * to it, except that rows may have changed that are {@linkplain SharedUpdatePage updated in shared mode}. May be
     * called again.
     *
     * <p>If {@code read} copied the pages, since four reads of them had failed, this is true also if a page has changed
     * since: each was right at a moment during {@code read}, and need not be now.
     *
     * @return false if the reads must be done again
     * @throws IllegalStateException if no pages are being read, or another thread uses this
     */
    public boolean validate() {
        pages[0].checkUser();
        if (copied || reads.areUnchanged()) {
            return true;
        }
        countFailure();
        return false;
    }

    /**
     * As {@link #validate()}, for one page, with the same exception for copies. A caller that repeats with the pages
     * that failed, in a smaller group, comes to an end too.
     *
     * @param index the page's place, 0 to {@link #size} − 1
     * @return false if the reads of this page must be done again
     */
    public boolean validate(int index) {
        page(index);
        pages[index].checkUser();
        if (copied || reads.ref(index).isUnchanged()) {
            return true;
        }
        countFailure();
        return false;
    }

    /** At most once for a read. */
    private void countFailure() {
        if (!failed) {
            failed = true;
            failures++;
        }
    }

    /** Ends the use of the pages. May be called when there are none; {@link #read} begins anew, from any thread. */
    @Override
    public void close() {
        if (pages[0].isInUse()) {
            pages[0].checkUser();
        }
        for (GroupPage page : pages) {
            page.hide();
        }
        count = 0;
    }

    @Override
    public String toString() {
        return "the optimistic reader of " + count + " pages, " + (count == 0 ? "none" : fixer.describe(reads.id(0)))
                + " first";
    }

    /** A page of the group. */
    static final class GroupPage extends PageView {
        private final OptimisticGroup group;
        private final int index;
        /** The buffer of its copy. */
        private int copy;

        private GroupPage(OptimisticGroup group, int index) {
            super(group.memory, group.fixer.pinTracker() != null);
            this.group = group;
            this.index = index;
        }

        @Override
        public long id() {
            checkUser();
            return group.reads.id(index);
        }

        @Override
        public String toString() {
            return "the optimistic reader of " + group.fixer.describe(group.reads.id(index)) + " in a group";
        }
    }
}
