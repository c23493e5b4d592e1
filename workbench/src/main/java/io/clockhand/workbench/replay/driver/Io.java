// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.pages.driver.GeneratedPages;
import io.clockhand.workbench.pages.driver.PageContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Where the pages of a run come from. Files that are only read are opened for reading, so that all contenders of a duel
 * can have one open.
 */
public enum Io {
    /** A file, through the page cache of the operating system. */
    CACHED,

    /** A file, past the page cache of the operating system; pages must consist of whole blocks of the file system. */
    DIRECT,

    /** Nowhere: they are made up. */
    MEMORY;

    PageStore open(Replay.Pages pages, int pageBytes, boolean writes) throws IOException {
        if (this == MEMORY) {
            return writes
                    ? new ChangeablePages(pages.count(), pages.spread(), pageBytes)
                    : new GeneratedPages(pages.count(), pageBytes);
        }
        Set<FileOption> options = EnumSet.noneOf(FileOption.class);
        if (!writes) {
            options.add(FileOption.READ_ONLY);
        }
        if (this == DIRECT) {
            options.add(FileOption.DIRECT);
        }
        return FilePageStore.open(Path.of(pages.file()), pageBytes, options.toArray(new FileOption[0]));
    }

    @Override
    public String toString() {
        return EnumNames.of(this);
    }

    /** Keeps of a write how often the page was changed. Can be read after it was closed. Thread-safe. */
    private static final class ChangeablePages extends GeneratedPages {
        private final int spread;

        /** Of each key: key k lies on page {@code spread * k}, and no other page can be changed. */
        private final AtomicLongArray changes;

        ChangeablePages(long pages, int spread, int pageBytes) {
            super(pages, pageBytes);
            this.spread = spread;
            this.changes = new AtomicLongArray(Math.toIntExact((pages + spread - 1) / spread));
        }

        @Override
        public void read(long page, ByteBuffer target) {
            long changed = page % spread == 0 ? changes.get((int) (page / spread)) : 0;
            target.putLong(target.position() + PageContent.CHANGES_OFFSET, PageContent.of(page) + changed);
            super.read(page, target);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            long content = source.getLong(source.position());
            if (content != PageContent.of(page) || page % spread != 0) {
                throw new IOException("cannot write page " + page + " of " + name() + ": its content is "
                        + PageContent.describe(content));
            }
            long counted = source.getLong(source.position() + PageContent.CHANGES_OFFSET);
            changes.set((int) (page / spread), PageContent.changes(page, counted));
            source.position(source.limit());
        }
    }
}
