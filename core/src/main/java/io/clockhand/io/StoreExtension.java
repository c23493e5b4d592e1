// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Extends stores by zeros, and truncates a store that could not be extended to its former number of pages. Its last
 * page is not cut: another thread may have written it since the extension began.
 */
final class StoreExtension {
    private static final int ZERO_BYTES = 1 << 18;
    /** The greatest size of a page, so that any store's pages fill the zeros, and any block size divides it. */
    private static final int ALIGNMENT = 1 << 16;

    /** The size of {@link #zeros} in direct memory. */
    static final int DIRECT_BYTES = ZERO_BYTES + ALIGNMENT - 1;

    /** Read-only; allocated when a store is first extended. Two threads may do that, and one of the two is dropped. */
    private static volatile ByteBuffer shared;

    private StoreExtension() {}

    /** Writes runs of zeros. */
    interface Writer {
        /** Writes some pages. */
        void write(long first, ByteBuffer zeros) throws IOException;
    }

    /**
     * {@return zeros in direct memory for any page size, aligned for direct I/O, with a position of the caller's own}
     */
    static ByteBuffer zeros() {
        ByteBuffer zeros = shared;
        if (zeros == null) {
            zeros = ByteBuffer.allocateDirect(DIRECT_BYTES)
                    .alignedSlice(ALIGNMENT)
                    .asReadOnlyBuffer();
            shared = zeros;
        }
        return zeros.duplicate();
    }

    /**
     * Extends a store by runs of zeros.
     *
     * @param store the store
     * @param pages the number of pages that it has afterwards, unless it has more
     * @param zeros a number of whole pages, of which each run has as many or fewer
     * @throws IOException see {@link PageStore#extend}
     */
    static void extend(PageStore store, long pages, ByteBuffer zeros) throws IOException {
        extend(store, pages, zeros, store::writeRun);
    }

    /** As {@link #extend(PageStore, long, ByteBuffer)}, with a writer of its own. */
    @SuppressWarnings("ReferenceEquality") // the very error
    static void extend(PageStore store, long pages, ByteBuffer zeros, Writer writer) throws IOException {
        int pageBytes = store.pageBytes();
        checkPages(pages, pageBytes, store.name());
        int most = zeros.capacity() / pageBytes;
        long before = store.pages();
        try {
            for (long next = before; next < pages; ) {
                int count = (int) Math.min(most, pages - next);
                writer.write(next, zeros.clear().limit(count * pageBytes));
                next += count;
            }
        } catch (IOException e) {
            throw truncateAfter(e, store, before, pages);
        } catch (Throwable e) { // also a checked exception of another language
            Throwable second = truncate(store, before);
            if (second != null && second != e) { // which a JVM without memory may throw twice
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    private static IOException truncateAfter(IOException e, PageStore store, long before, long pages) {
        String failed =
                "cannot extend " + store.name() + " from " + before + " to " + pages + " pages: " + e.getMessage();
        Throwable second = truncate(store, before);
        if (second == null) {
            return new IOException(failed, e);
        }
        IOException both = new IOException(
                failed + "; nor could it be truncated to its former number of pages, so it may have more now: "
                        + second.getMessage(),
                e);
        both.addSuppressed(second);
        return both;
    }

    /** {@return why the store could not be truncated, or null} */
    private static Throwable truncate(PageStore store, long pages) {
        try {
            store.truncate(pages);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    static void checkPages(long pages, int pageBytes, Object store) {
        if (pages < 0 || pages > FilePageStore.mostPages(pageBytes)) {
            throw new IllegalArgumentException("cannot extend " + store + " to " + pages + " pages: a store has between"
                    + " 0 and " + FilePageStore.mostPages(pageBytes) + " of them");
        }
    }
}
