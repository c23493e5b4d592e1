// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The child's side of a duel: tells which slice is running, and counts operations. Thread-safe; a {@link Counter}
 * belongs to one thread.
 *
 * <pre>{@code
 * SliceClock clock = SliceClock.open(file);
 * load();
 * clock.ready();
 * // in each thread:
 * SliceClock.Counter counter = clock.counter(thread);
 * while (!clock.isOver()) {
 *     long begun = clock.slice();
 *     long start = System.nanoTime();
 *     operation();
 *     long nanos = System.nanoTime() - start;
 *     counter.add(1);
 *     if (clock.counts(begun)) {
 *         latencies.record(nanos);
 *     }
 * }
 * }</pre>
 */
public final class SliceClock {
    private final SliceFile file;

    private SliceClock(SliceFile file) {
        this.file = file;
    }

    /** Opens the file that the parent's {@link SliceBoard} has made. */
    public static SliceClock open(Path file) throws IOException {
        return new SliceClock(SliceFile.open(file));
    }

    /** Reports that the data are prepared, and that the process may be stopped from now on. */
    public void ready() {
        file.store(SliceFile.READY, 1);
    }

    /** The running slice: 0 before the first, negative in warm-up, positive when it counts. */
    public long slice() {
        return file.load(SliceFile.SLICE);
    }

    /**
     * Whether an operation that began in a slice and ends now lies within that one slice, and the slice counts. Only
     * then is its latency valid: otherwise the process may have been stopped in between.
     *
     * @param begun the result of {@link #slice} before the operation
     */
    public boolean counts(long begun) {
        return begun > 0 && begun == slice();
    }

    /** Whether the duel is over and the process should end. */
    public boolean isOver() {
        return file.load(SliceFile.OVER) != 0;
    }

    /** How many counters there are. */
    public int counters() {
        return file.counters();
    }

    /** A counter for one thread, which is the only one that may use it. */
    public Counter counter(int index) {
        if (index < 0 || index >= file.counters()) {
            throw new IllegalArgumentException("no counter " + index + " among " + file.counters());
        }
        return new Counter(file, SliceFile.FIRST_COUNTER + index);
    }

    /** Operations that one thread has completed, warm-up included. */
    public static final class Counter {
        private final SliceFile file;
        private final int word;

        private Counter(SliceFile file, int word) {
            this.file = file;
            this.word = word;
        }

        /** Adds completed operations. */
        public void add(long operations) {
            file.add(word, operations);
        }
    }
}
