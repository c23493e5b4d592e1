// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.PageId;
import io.clockhand.internal.file.FileTable;
import io.clockhand.internal.file.PageFile;
import io.clockhand.internal.file.Removal;
import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.page.PageSource;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** A file of one page, which is closed; another one is opened under its number. */
final class ReusedNumber implements PageSource {
    private static final int NUMBER = 5;
    private static final long PAGE = PageId.of(NUMBER, 0);

    private final FileTable files = new FileTable(TwoFrames.options(), TwoFrames.PAGE_BYTES);
    private final PagePool pool = TwoFrames.over(this, false);
    private final PageFile old = open(new OnePage("old"));

    private PageFile open(OnePage page) {
        try {
            return files.open(NUMBER, page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void check(long id) {
        files.check(id);
    }

    @Override
    public void read(long id, ByteBuffer target) throws IOException {
        files.read(id, target);
    }

    @Override
    public String file(long id) {
        return files.file(id);
    }

    @Override
    public long page(long id) {
        return files.page(id);
    }

    @Override
    public String describe(long id) {
        return files.describe(id);
    }

    /** Closes the file and opens another one under its number; {@return what this thread reads then} */
    String reuse() {
        try {
            files.remove(old, Removal.CLOSE, pool::invalidate);
        } catch (IOException e) {
            return "failed";
        }
        open(new OnePage("new"));
        return use();
    }

    /** {@return what a thread that fixes the page reads} */
    String use() {
        return TwoFrames.read(
                pool, PAGE, word -> word == 'o' && old.isGone() ? "old, whose number is free" : OnePage.words(word));
    }

    /** {@return what a thread reads now, and whether nothing is pinned, lost or there twice} */
    String end() {
        return TwoFrames.check(pool, use());
    }

    /** A store whose page shows its name, or that it was read after the store was closed. */
    private static final class OnePage implements PageStore {
        private static final String CLOSED = "read after close";

        private final String name;
        private volatile boolean closed;

        OnePage(String name) {
            this.name = name;
        }

        static String words(long word) {
            return word == 'o' ? "old" : word == 'n' ? "new" : CLOSED;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int pageBytes() {
            return TwoFrames.PAGE_BYTES;
        }

        @Override
        public long pages() {
            return 1;
        }

        @Override
        public void read(long page, ByteBuffer target) {
            long word = closed ? 'c' : name.charAt(0);
            target.putLong(word).putLong(word);
        }

        @Override
        public void write(long page, ByteBuffer source) {
            throw new UnsupportedOperationException("no test writes pages");
        }

        @Override
        public void truncate(long pages) {
            throw new UnsupportedOperationException("no test truncates this file");
        }

        @Override
        public boolean tryOwn() {
            return true;
        }

        @Override
        public void force() {
            // a file is forced when it is closed; nothing is written to this one
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
