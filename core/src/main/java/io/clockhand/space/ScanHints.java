// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Which pages of a map need not be searched, since nothing was found there: for free pages, and for pages with room up
 * to each {@link Fullness}. In memory only.
 *
 * <p>For each map page and kind of search there is a word: OPEN, SCANNING or NOTHING. A thread that searches the whole
 * page sets SCANNING before it reads a row, by CAS from OPEN, and NOTHING afterwards, by CAS from SCANNING. A thread
 * that has changed a row so that a search could find it sets OPEN, if the word is anything else. Rows and words are
 * accessed in opposite orders with full fences between, so either the search sees the row, or the change sees the
 * search, whose last CAS fails then. A second thread that searches the page at the same time stores nothing.
 *
 * <p>Thread-safe; {@link #ensure} by one thread at a time.
 */
final class ScanHints {
    private static final int OPEN = 0;
    private static final int SCANNING = 1;
    private static final int NOTHING = 2;

    /** Searches for free pages. */
    static final int FREE = 0;
    /** Free pages, and room up to each of {@link Fullness}. */
    static final int KINDS = 1 + Fullness.values().length;

    private static final int CHUNK_PAGES = 256;

    /** Grows by copying; chunks stay. */
    private volatile AtomicIntegerArray[] chunks = new AtomicIntegerArray[0];

    /** {@return the kind of a search for room} */
    static int room(Fullness most) {
        return 1 + most.number();
    }

    /** Makes room for a number of map pages. */
    void ensure(long mapPages) {
        int need = (int) ((mapPages + CHUNK_PAGES - 1) / CHUNK_PAGES);
        int have = chunks.length;
        if (need > have) {
            AtomicIntegerArray[] more = Arrays.copyOf(chunks, need);
            for (int i = have; i < need; i++) {
                more[i] = new AtomicIntegerArray(CHUNK_PAGES * KINDS);
            }
            chunks = more;
        }
    }

    /** {@return whether a search of that kind finds nothing in the page} */
    boolean isNothing(long mapPage, int kind) {
        return chunk(mapPage).get(index(mapPage, kind)) == NOTHING;
    }

    /** A search of the whole page begins; {@return what {@link #end} wants to know} */
    boolean begin(long mapPage, int kind) {
        boolean begun = chunk(mapPage).compareAndSet(index(mapPage, kind), OPEN, SCANNING);
        VarHandle.fullFence(); // the rows are read afterwards
        return begun;
    }

    /** The search that has begun has ended, and has read every row in vain; or it has found one, or failed. */
    void end(long mapPage, int kind, boolean inVain) {
        if (inVain) {
            chunk(mapPage).compareAndSet(index(mapPage, kind), SCANNING, NOTHING);
        } else {
            open(mapPage, kind); // also if a search that began before has ended in vain meanwhile
        }
    }

    /** A row of the page has changed: a search for a free page finds it, if it is free; else searches for room. */
    void open(long mapPage, boolean free, Fullness fullness) {
        VarHandle.fullFence(); // the row was written before
        if (free) {
            open(mapPage, FREE);
            return;
        }
        for (int kind = room(fullness); kind < KINDS; kind++) {
            open(mapPage, kind);
        }
    }

    private void open(long mapPage, int kind) {
        AtomicIntegerArray chunk = chunk(mapPage);
        int index = index(mapPage, kind);
        if (chunk.get(index) != OPEN) {
            chunk.set(index, OPEN);
        }
    }

    private AtomicIntegerArray chunk(long mapPage) {
        return chunks[(int) (mapPage / CHUNK_PAGES)];
    }

    private static int index(long mapPage, int kind) {
        return (int) (mapPage % CHUNK_PAGES) * KINDS + kind;
    }
}
