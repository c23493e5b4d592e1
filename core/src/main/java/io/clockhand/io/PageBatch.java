// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Several pages in one call of a store: checks of the call, and the writes of runs. */
final class PageBatch {
    private PageBatch() {}

    /** Throws unless the arguments are those of a {@linkplain PageStore#writeBatch batch}. */
    static void check(long[] pages, int from, int to, ByteBuffer bytes, int pageBytes, Object store) {
        if (from < 0 || to > pages.length || from >= to) {
            throw new IllegalArgumentException("there is no batch from " + from + " to " + to + " in " + pages.length
                    + " numbers of pages of " + store);
        }
        if (bytes.remaining() != (long) (to - from) * pageBytes) {
            throw new IllegalArgumentException(bytes.remaining() + " bytes remain in the buffer, but " + (to - from)
                    + " pages of " + store + " have " + pageBytes + " each");
        }
        FilePageStore.checkPosition(pages[from], 1, pageBytes, store);
        FilePageStore.checkPosition(pages[to - 1], 1, pageBytes, store);
        for (int i = from + 1; i < to; i++) {
            if (pages[i] <= pages[i - 1]) {
                throw new IllegalArgumentException("page " + pages[i] + " of " + store + " follows page " + pages[i - 1]
                        + " in a batch; the numbers must ascend");
            }
        }
    }

    /**
     * {@return the number of pages of a {@linkplain PageStore#readRun run to be read}} Throws unless the arguments are
     * those of one.
     */
    static int checkTargets(long first, ByteBuffer[] targets, int count, int pageBytes, Object store) {
        if (count < 1 || count > targets.length) {
            throw new IllegalArgumentException(
                    "a run of " + store + " cannot be read into " + count + " of " + targets.length + " buffers");
        }
        long pages = 0;
        for (int i = 0; i < count; i++) {
            FilePageStore.checkRun(first, targets[i], pageBytes, store);
            pages += targets[i].remaining() / pageBytes;
        }
        if (pages > Integer.MAX_VALUE / pageBytes) {
            throw new IllegalArgumentException("a run of " + store + " cannot have " + pages + " pages");
        }
        FilePageStore.checkPosition(first, pages, pageBytes, store);
        return (int) pages;
    }

    /** {@return one behind the last page that is adjacent to the first one} */
    static int endOfRun(long[] pages, int from, int to) {
        int end = from + 1;
        while (end < to && pages[end] == pages[end - 1] + 1) {
            end++;
        }
        return end;
    }

    /** Writes each run of adjacent pages by itself. The arguments were checked. */
    static void writeRuns(PageStore store, long[] pages, int from, int to, ByteBuffer source) throws IOException {
        int pageBytes = store.pageBytes();
        int limit = source.limit();
        try {
            for (int begin = from, end; begin < to; begin = end) {
                end = endOfRun(pages, begin, to);
                source.limit(source.position() + (end - begin) * pageBytes);
                if (end == begin + 1) {
                    store.write(pages[begin], source);
                } else {
                    store.writeRun(pages[begin], source);
                }
            }
        } finally {
            source.limit(limit);
        }
    }
}
