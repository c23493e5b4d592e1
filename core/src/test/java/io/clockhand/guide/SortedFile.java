// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.guide;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.OptimisticPage;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PageView;
import io.clockhand.page.PagedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Up to 262,144 sorted positive numbers in a file; page 0 has the first number of each other page. */
public final class SortedFile {
    private static final int PAGE_BYTES = 4096;
    private static final int NUMBER = 7;
    private static final int PER_PAGE = PAGE_BYTES / Long.BYTES;

    private final BufferPool pool;
    private final PagedFile file;

    public SortedFile(BufferPool pool, Path path) throws IOException {
        this.pool = pool;
        this.file = pool.open(NUMBER, path);
    }

    /** Writes the file, before a pool opens it. */
    public static void write(Path path, long[] sorted) throws IOException {
        try (FilePageStore store = FilePageStore.open(path, PAGE_BYTES, FileOption.CREATE)) {
            ByteBuffer index = ByteBuffer.allocate(PAGE_BYTES);
            for (int page = 1; (page - 1) * PER_PAGE < sorted.length; page++) {
                ByteBuffer leaf = ByteBuffer.allocate(PAGE_BYTES);
                for (int i = (page - 1) * PER_PAGE; i < Math.min(sorted.length, page * PER_PAGE); i++) {
                    leaf.putLong(sorted[i]);
                }
                index.putLong(sorted[(page - 1) * PER_PAGE]);
                store.write(page, leaf.clear());
            }
            store.write(0, index.clear());
            store.force();
        }
    }

    /** Pinned and latched: the parent stays until the child is here. */
    public boolean contains(long number) throws IOException {
        try (PageGuard index = pool.fix(file.id(0))) {
            long leaf = 1L + lastNotAbove(number, index);
            try (PageGuard page = pool.fix(file.id(leaf))) {
                return page.getLong(lastNotAbove(number, page) * Long.BYTES) == number;
            }
        }
    }

    /** Neither pinned nor latched: the child is validated, and after it the parent once more. */
    public boolean contains(long number, OptimisticPage index, OptimisticPage page) throws IOException {
        for (; ; ) {
            index.read(file.id(0));
            long leaf = 1L + lastNotAbove(number, index);
            if (!index.validate()) {
                continue; // what was read is not to be followed
            }
            page.read(file.id(leaf));
            boolean found = page.getLong(lastNotAbove(number, page) * Long.BYTES) == number;
            if (page.validateAndRelease() && index.validateAndRelease()) {
                return found;
            }
        }
    }

    private static int lastNotAbove(long number, PageView bytes) {
        int at = 0;
        while (at + 1 < PER_PAGE && isNotAbove(bytes.getLong((at + 1) * Long.BYTES), number)) {
            at++;
        }
        return at;
    }

    private static boolean isNotAbove(long entry, long number) {
        return 0 < entry && entry <= number;
    }
}
