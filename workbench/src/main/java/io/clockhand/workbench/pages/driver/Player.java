// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import io.clockhand.PageId;
import io.clockhand.duel.SliceClock;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.WritablePage;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * One thread's share of the references: each fixes a page for reading, with a guard of the thread's own, and reads the
 * page's first eight bytes. A write fixes it exclusively, and counts the change in the page, too. Not thread-safe: its
 * counts may be read when its thread has ended.
 */
final class Player implements WorkThreads.Worker {
    /** One reference in about five hundred is timed: less than one in a hundred of the time goes into it. */
    private static final int CHUNKS_PER_SAMPLE = 8;

    private final PageGuard guard;
    private final WritablePage writable;
    private final int file;
    private final PageStream pages;
    private final int chunk;
    private final int interleave;
    private final LongSupplier log;
    /** Null if it plays as fast as it can. */
    private final Pace pace;

    private final Histogram nanos = Players.newHistogram();

    private int chunks;
    private int sinceYield;
    private long changes;
    private long wrongPages;
    private String firstWrong;

    /**
     * Makes a player.
     *
     * @param file the number of the file in the pool
     * @param chunk the references between two checks of the flags
     * @param interleave the references after which it yields; 0 for never
     * @param log appends the record of a change, and returns its LSN
     * @param pace null to play as fast as it can
     */
    Player(BufferPool pool, int file, PageStream pages, int chunk, int interleave, LongSupplier log, Pace pace) {
        this.guard = pool.newGuard();
        this.writable = pool.newWritablePage();
        this.file = file;
        this.pages = pages;
        this.chunk = chunk;
        this.interleave = interleave;
        this.log = log;
        this.pace = pace;
    }

    /** Records the latency of a reference now and then. */
    @Override
    public int work(boolean measuring, SliceClock clock) throws IOException {
        play(chunk);
        if (++chunks % CHUNKS_PER_SAMPLE == 0 && measuring) {
            playTimed(clock);
            return chunk + 1;
        }
        return chunk;
    }

    void play(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            awaitTurn();
            fix();
            if (++sinceYield == interleave) {
                sinceYield = 0;
                giveWay();
            }
        }
    }

    /** Records the latency; in a duel, where the clock is not null, only if it lies within one slice. */
    private void playTimed(SliceClock clock) throws IOException {
        awaitTurn();
        long slice = clock == null ? 0 : clock.slice();
        long begin = System.nanoTime();
        fix();
        long latency = System.nanoTime() - begin;
        if (clock == null || clock.counts(slice)) {
            nanos.recordValue(latency);
        }
    }

    private void awaitTurn() {
        if (pace != null) {
            pace.await();
        }
    }

    private void fix() throws IOException {
        long next = pages.next();
        long page = next < 0 ? ~next : next;
        long content = next < 0 ? change(page) : read(page);
        if (content != PageContent.of(page)) {
            addWrong(page, content);
        }
    }

    private long read(long page) throws IOException {
        try (PageGuard fixed = guard.fix(PageId.of(file, page))) {
            return fixed.getLong(0);
        }
    }

    private long change(long page) throws IOException {
        try (WritablePage fixed = writable.fix(PageId.of(file, page))) {
            long content = fixed.getLong(0);
            fixed.beginUpdate();
            long lsn = log.getAsLong();
            fixed.putLong(PageContent.CHANGES_OFFSET, fixed.getLong(PageContent.CHANGES_OFFSET) + 1);
            fixed.endUpdate(lsn);
            changes++;
            return content;
        }
    }

    /**
     * Lets another thread play. With more threads than processors a time slice would run one thread's share alone,
     * which is kinder to a small pool than threads that run at once; yielding interleaves them, and costs throughput.
     */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void giveWay() {
        Thread.yield();
    }

    private void addWrong(long page, long content) {
        wrongPages++;
        if (firstWrong == null) {
            firstWrong = "page " + page + " has another content: " + PageContent.describe(content);
        }
    }

    Histogram nanos() {
        return nanos;
    }

    /** Changes that it has made, also to wrong pages. */
    long changes() {
        return changes;
    }

    long wrongPages() {
        return wrongPages;
    }

    /** In words; null if all were right. */
    String firstWrong() {
        return firstWrong;
    }
}
