// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import io.clockhand.PageId;
import io.clockhand.duel.SliceClock;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import java.io.IOException;
import org.HdrHistogram.Histogram;

/**
 * One thread's share of the references: each is a fix to read, with a guard of the thread's own, and a look at the
 * page's first eight bytes. Not thread-safe: its counts may be read when its thread has ended.
 */
final class Player {
    /** A latency is known to one in a hundred. */
    private static final int DIGITS = 2;

    private final PageGuard guard;
    private final int file;
    private final PageStream pages;
    private final int interleave;
    private final Histogram nanos = newHistogram();

    private int sinceYield;
    private long wrongPages;
    private String firstWrong;

    /**
     * Makes a player.
     *
     * @param file the number of the file in the pool
     * @param interleave yields after so many references; 0 for never
     */
    Player(BufferPool pool, int file, PageStream pages, int interleave) {
        this.guard = pool.newGuard();
        this.file = file;
        this.pages = pages;
        this.interleave = interleave;
    }

    static Histogram newHistogram() {
        return new Histogram(DIGITS);
    }

    void play(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            fix();
            if (++sinceYield == interleave) {
                sinceYield = 0;
                giveWay();
            }
        }
    }

    /**
     * Plays one reference and records its latency.
     *
     * @param clock of a duel, in which only latencies within one slice count; may be null
     */
    void playTimed(SliceClock clock) throws IOException {
        long slice = clock == null ? 0 : clock.slice();
        long begin = System.nanoTime();
        fix();
        long latency = System.nanoTime() - begin;
        if (clock == null || clock.counts(slice)) {
            nanos.recordValue(latency);
        }
    }

    private void fix() throws IOException {
        long page = pages.next();
        long content;
        try (PageGuard fixed = guard.fix(PageId.of(file, page))) {
            content = fixed.getLong(0);
        }
        if (content != PageContent.of(page)) {
            addWrong(page, content);
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

    long wrongPages() {
        return wrongPages;
    }

    /** In words; null if all were right. */
    String firstWrong() {
        return firstWrong;
    }
}
