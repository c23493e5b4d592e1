// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.NoSuchPageException;
import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.PageMissEvent;
import io.clockhand.internal.pool.Failures;
import io.clockhand.internal.pool.FramePool;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The miss of several adjacent pages, which one call of the store reads straight into their buffers: claim a frame for
 * each (free, or a victim); bind and map them, as in {@link PageMiss}, whose steps these are; read all; publish each.
 * The pages get the frames in the order of their buffers, so that neighbours in the file are neighbours in memory where
 * that is possible, and the read has few targets.
 *
 * <p>Only the thread that has mapped a page of a run reads it: the {@link BufferWord} is <i>reserved in a run</i>, so
 * other threads wait for the end of the call, with optimistic page-in, too. Otherwise each would read again what is
 * under way.
 *
 * <p><b>Never at others' expense.</b> A run takes no frame while a thread waits for one, and waits for neither a frame
 * nor a buffer. It ends before the first page for which there is none, or which another thread has mapped.
 *
 * <p><b>Failures.</b> Pages that are mapped are loaded or given up, whatever is thrown. If the call fails, each page is
 * read by itself: so each fails by its own exception, and a damaged page fails no other.
 *
 * <p>Thread-safe.
 */
final class RunMiss {
    private final PageMiss miss;
    private final FramePool pool;
    private final PageSearch search;
    private final PageFrames frames;
    private final FrameStates states;
    private final PageBuffers buffers;
    private final PageSource source;
    private final PageCounters counters;

    RunMiss(
            PageMiss miss,
            FramePool pool,
            PageSearch search,
            PageFrames frames,
            PageBuffers buffers,
            PageSource source,
            PageCounters counters) {
        this.miss = miss;
        this.pool = pool;
        this.search = search;
        this.frames = frames;
        this.states = pool.states();
        this.buffers = buffers;
        this.source = source;
        this.counters = counters;
    }

    /** See {@link Residency#pageIn(PageRun, FrameRef)}. */
    void pageIn(PageRun run, FrameRef share) throws IOException {
        pool.enter();
        PageMissEvent event = run.keepsFirst() && run.given() == null ? miss.begin(run.id(0)) : null;
        try {
            boolean keeps = false;
            try {
                map(run);
                if (run.mapped() == 0 && run.lacksFrame()) {
                    event = null; // the page is read by itself then, and that has an event of its own
                }
                if (event != null) {
                    event.searched(run.mapped() > 0);
                }
                keeps = run.keepsFirst();
            } finally {
                load(run, keeps, share);
            }
            if (event != null && run.read() > 0) {
                event.filled(true, true);
            }
        } finally {
            run.end();
            FlightEvents.finish(event);
        }
    }

    /** Maps pages as long as there are frames for them. */
    private void map(PageRun run) throws IOException {
        int used = 0;
        try {
            claim(run);
            run.sort(buffers);
            while (used < run.claimed() && !frames.isMapped(run.id(used))) {
                int frame = run.frame(used);
                long id = run.id(used);
                used++; // from here on the frame has a page, or the steps free it
                boolean ahead = used > 1 || !run.keepsFirst();
                if (frames.mapInRun(frame, id, ahead) == FramePool.LOST) {
                    return;
                }
                run.countMapped();
            }
        } finally {
            for (int i = used; i < run.claimed(); i++) {
                pool.release(run.frame(i));
            }
        }
    }

    /** Claims frames with buffers for the pages, up to the first one that is mapped already. */
    private void claim(PageRun run) throws IOException {
        for (int i = 0; i < run.pages() && !frames.isMapped(run.id(i)); i++) {
            int frame = takeFrame(run, i);
            if (frame == FramePool.NONE || !frames.tryPrepare(frame)) {
                run.lackFrame();
                return;
            }
            run.claim(frame);
        }
    }

    /** {@return a frame, or NONE} A policy that throws fails a run only if it has no frame yet. */
    private int takeFrame(PageRun run, int i) throws IOException {
        try {
            return search.take(run.id(i), false);
        } catch (RuntimeException e) {
            if (i == 0) {
                throw e;
            }
            return FramePool.NONE;
        }
    }

    /**
     * Loads the pages that are mapped, or gives them up; the first one last, since the caller keeps it only if nothing
     * is thrown.
     */
    private void load(PageRun run, boolean keepsFirst, FrameRef share) throws IOException {
        int pages = run.mapped();
        if (pages == 0) {
            return;
        }
        Throwable together = readTogether(run, keepsFirst);
        Throwable error = together instanceof Error ? together : null;
        for (int i = pages - 1; i >= 0; i--) {
            boolean isFirst = i == 0 && keepsFirst;
            Throwable failure = together;
            if (together == null || (error == null && pages > 1)) {
                failure = load(run, i, together != null, isFirst && error == null, share);
            } else {
                giveUp(run, i, together);
            }
            if (failure instanceof Error) {
                error = Failures.join(error, failure);
            } else if (failure != null && isFirst && error == null) {
                Failures.<IOException>rethrow(failure);
            }
        }
        if (error != null) {
            Failures.<RuntimeException>rethrow(error);
        }
    }

    /** {@return what was thrown, or null} */
    private Throwable readTogether(PageRun run, boolean keepsFirst) {
        try {
            int pages = run.mapped();
            if (keepsFirst && run.given() == null) {
                counters.miss(run.id(0));
                counters.prefetches(pages - 1);
            } else {
                counters.prefetches(pages);
            }
            if (run.given() != null) {
                copy(run);
            } else if (pages == 1) {
                miss.read(buffers.reserved(run.frame(0)), run.id(0), null);
            } else {
                miss.read(FrameMemory.NONE, run.id(0), run);
            }
            return null;
        } catch (Throwable failure) {
            return failure;
        }
    }

    private void copy(PageRun run) throws IOException {
        run.checkOpen(); // a pool that closes says so before it looks for pins
        source.check(run.id(0)); // again, now that the page is mapped
        ByteBuffer target = buffers.bytes(buffers.reserved(run.frame(0)));
        target.put(0, run.given(), run.given().position(), target.limit());
    }

    /**
     * Publishes a page, or gives it up.
     *
     * @param alone whether it is to be read by itself
     * @param kept whether the caller needs it
     * @return what was thrown, or null; if the policy has thrown, the page is loaded all the same
     */
    private Throwable load(PageRun run, int i, boolean alone, boolean kept, FrameRef share) {
        int frame = run.frame(i);
        boolean read = false;
        try {
            if (alone) {
                miss.read(buffers.reserved(frame), run.id(i), null);
            }
            read = true;
            publish(run, i, kept && share != null);
        } catch (Throwable failure) {
            if (read) {
                pool.unpin(frame);
            } else {
                giveUp(run, i, failure);
            }
            return failure;
        }
        if (!kept) {
            pool.unpin(frame);
        } else if (share == null) {
            run.keep(frame);
        } else {
            share.beginShared(frame);
            run.keep(Residency.SHARED);
        }
        return null;
    }

    private void publish(PageRun run, int i, boolean share) {
        int frame = run.frame(i);
        try {
            states.setBuffer(frame, BufferWord.loaded(buffers.reserved(frame)));
        } catch (VirtualMachineError e) {
            throw pool.failure().fail(e);
        }
        run.countRead();
        pool.publish(frame, run.id(i), share);
    }

    private void giveUp(PageRun run, int i, Throwable failure) {
        frames.tryFail(run.frame(i), failure); // nobody else reads the page
        if (!(failure instanceof NoSuchPageException)) { // truncated meanwhile: as if it had not been requested
            run.countFailed();
        }
    }
}
