// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.Spares;
import java.io.IOException;
import java.util.function.IntSupplier;

/**
 * A miss that goes on with a {@linkplain SequentialMisses sequence} reads the pages that follow, too, in one call. Once
 * a sequence has reached the greatest run, and nothing below the store reads ahead, the next run is read by a thread of
 * the pool at the same time. So at most two runs are in memory that nobody has used yet, for each sequence.
 *
 * <p>Thread-safe.
 */
public final class ReadAhead {
    private final Residency residency;
    private final PageSource source;
    private final IntSupplier most;
    private final Starter starter;
    private final SequentialMisses sequences = new SequentialMisses();
    private final Spares<PageRun> runs;

    /** Reads pages with a thread of the pool. */
    public interface Starter {
        /**
         * Begins to read pages; does nothing if there is no thread for it.
         *
         * @param first the first page
         * @param pages the number of pages
         */
        void start(long first, int pages);
    }

    /**
     * Begins without sequences.
     *
     * @param most the greatest number of pages read at once: at the moment, since the pool may be resized
     */
    ReadAhead(Residency residency, PageSource source, Spares<PageRun> runs, IntSupplier most, Starter starter) {
        this.residency = residency;
        this.source = source;
        this.runs = runs;
        this.most = most;
        this.starter = starter;
    }

    /**
     * Reads a page in, and those that follow, if its miss goes on with a sequence.
     *
     * @param id the page
     * @param share takes a share in the latch instead of a pin; null for the pin
     * @param scanned gets the pages of a scan, which reads no run at the same time; null if it is none
     * @return as {@link Residency#pageIn(long, FrameRef)}; or {@link FramePool#NONE} if the page is to be read in by
     *     itself
     * @throws IOException if the page could not be read
     */
    int pageIn(long id, FrameRef share, ScannedPages scanned) throws IOException {
        int limit = scanned == null ? most.getAsInt() : Math.min(most.getAsInt(), scanned.mostAtOnce());
        int pages = sequences.next(id, limit);
        if (pages > 1) {
            pages = source.run(id, pages);
            if (pages == 1) {
                return FramePool.NONE; // the last page of the file, or the store reads no runs
            }
        }
        if (pages <= 1) {
            sequences.note(id + 1, pages + 1);
            return FramePool.NONE;
        }
        if (scanned == null && pages == limit && !source.systemReadsAhead(id)) {
            startNext(id + pages, limit);
        }
        int places = scanned == null ? 0 : scanned.makePlaces(pages);
        long thread = Thread.currentThread().getId();
        PageRun run = runs.take(thread);
        try {
            return pageIn(run, id, pages, share);
        } finally {
            if (scanned != null) {
                scanned.put(places, id, run.mapped());
            }
            runs.putBack(thread, run);
        }
    }

    private void startNext(long id, int limit) {
        int pages = source.run(id, limit);
        if (pages > 1) {
            starter.start(id, pages);
            sequences.note(id + pages, limit); // where the sequence goes on if that thread is fast enough
        }
    }

    private int pageIn(PageRun run, long id, int pages, FrameRef share) throws IOException {
        run.begin(id, pages);
        run.keepFirst();
        residency.pageIn(run, share);
        int mapped = run.mapped();
        sequences.note(id + Math.max(1, mapped), pages);
        return mapped == 0 && run.lacksFrame() ? FramePool.NONE : run.kept();
    }
}
