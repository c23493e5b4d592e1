// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.PageId;
import io.clockhand.internal.file.FileTable;
import io.clockhand.internal.file.PageFile;
import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.page.PageSource;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** A file without pages, in a pool. Its store keeps nothing: pages are zero when they are read. */
abstract class GrowingFile implements PageSource {
    private static final int NUMBER = 5;

    final FileTable files = new FileTable(TwoFrames.options(), TwoFrames.PAGE_BYTES);
    final PagePool pool = TwoFrames.over(this, false);
    final PageFile file = open();

    private PageFile open() {
        try {
            return files.open(NUMBER, new ZeroStore());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public final void check(long id) {
        files.check(id);
    }

    @Override
    public final void read(long id, ByteBuffer target) throws IOException {
        files.read(id, target);
    }

    @Override
    public final String file(long id) {
        return files.file(id);
    }

    @Override
    public final long page(long id) {
        return files.page(id);
    }

    @Override
    public final String describe(long id) {
        return files.describe(id);
    }

    static long idOf(long page) {
        return PageId.of(NUMBER, page);
    }

    /** Fills a page that the caller has pinned with a word. */
    final void fill(int frame, long word) {
        int buffer = pool.buffer(frame);
        for (int offset = 0; offset < TwoFrames.PAGE_BYTES; offset += Long.BYTES) {
            pool.memory().putLong(buffer, offset, word);
        }
    }

    /** The page that a thread creates. */
    class NewPage implements PageFile.Mapping {
        long page;
        int frame;
        /** Of the file, before the page was mapped. */
        int truncations;

        /** Creates it; {@return its frame, pinned} */
        final int create() throws IOException {
            files.create(file, this);
            return frame;
        }

        @Override
        public void map(long number) throws IOException {
            page = number;
            truncations = file.truncations();
            frame = pool.create(idOf(number), DirtyPages.NONE);
        }
    }

    private static final class ZeroStore implements PageStore {
        @Override
        public String name() {
            return "zeros";
        }

        @Override
        public int pageBytes() {
            return TwoFrames.PAGE_BYTES;
        }

        @Override
        public long pages() {
            return 0;
        }

        @Override
        public void read(long page, ByteBuffer target) {
            target.putLong(0).putLong(0);
        }

        @Override
        public void write(long page, ByteBuffer source) {
            throw new UnsupportedOperationException("no page becomes dirty here");
        }

        @Override
        public void extend(long pages) {
            // it has all pages
        }

        @Override
        public void truncate(long pages) {
            // it keeps nothing
        }

        @Override
        public boolean tryOwn() {
            return true;
        }

        @Override
        public void force() {
            // it keeps nothing
        }

        @Override
        public void close() {
            // it has nothing open
        }
    }
}
