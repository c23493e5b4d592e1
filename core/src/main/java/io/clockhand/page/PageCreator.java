// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.internal.file.FileTable;
import io.clockhand.internal.file.PageFile;
import io.clockhand.internal.flush.Checkpointer;
import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.flush.Flusher;
import io.clockhand.internal.page.PagePool;
import io.clockhand.io.PageCorruptException;
import java.io.IOException;

/** Creates pages of files. A call that fails leaves neither pin nor latch behind. Thread-safe. */
final class PageCreator {
    /**
     * A page that is being created, or null. Read by no thread, but the compiler cannot know that, so it does not
     * replace the object by its fields: {@link io.clockhand.internal.pool.BoundedWait} says how a thread without memory
     * would lose its pin, and the creation would never end.
     */
    @SuppressWarnings("UnusedVariable")
    private static volatile WritablePage some;

    private static final int NONE = PagePool.NONE;

    private final PageFixer fixer;
    private final PagePool pages;
    private final FileTable files;
    private final Flusher flusher;
    private final Checkpointer checkpointer;

    PageCreator(PageFixer fixer, PagePool pages, FileTable files, Flusher flusher, Checkpointer checkpointer) {
        this.fixer = fixer;
        this.pages = pages;
        this.files = files;
        this.flusher = flusher;
        this.checkpointer = checkpointer;
    }

    /**
     * Creates a page of zeros behind the last one of a file, and fixes it exclusively. It is clean, since the extension
     * of the file has written the zeros and a checkpoint forces them, unless the store can only read what was written.
     */
    WritablePage create(PageFile file) throws IOException {
        return create(file, DirtyPages.checkPosition(fixer.logEnd()));
    }

    /** As {@link #create(PageFile)}, with the position of the log from which on the page must be repeated. */
    private WritablePage create(PageFile file, long needed) throws IOException {
        fixer.pace();
        checkpointer.checkNotFailed();
        WritablePage created = new WritablePage(fixer);
        some = created;
        try {
            long position = file.needsFirstWrite() ? needed : DirtyPages.NONE;
            NewPage mapping = new NewPage(file, position);
            int frame;
            do {
                frame = create(mapping);
            } while (frame == NONE);
            long id = PageId.of(file.number(), mapping.page);
            fixer.latchPinned(frame, id, LatchMode.EXCLUSIVE, created);
            created.take(frame, id);
        } finally {
            some = null;
        }
        return created;
    }

    /**
     * Creates a page, pins it, and waits until it exists. That is without a pin: or threads that wait for an earlier
     * creation could pin all frames, while it waits for one. {@return the frame, or NONE if the page was truncated
     * meanwhile}
     */
    private int create(NewPage mapping) throws IOException {
        PageFile file = mapping.file;
        try {
            files.create(file, mapping);
        } finally {
            if (file.needsFirstWrite()) {
                flusher.onDirty(); // never throws; the page may be dirty although the creation has failed
            }
        }
        if (!file.isBeingCreated(mapping.page)) {
            return mapping.frame;
        }
        pages.unpin(mapping.frame);
        file.awaitExists(mapping.page);
        int frame;
        try {
            frame = pages.pin(PageId.of(file.number(), mapping.page));
        } catch (NoSuchPageException e) {
            return NONE;
        }
        if (file.truncations() == mapping.truncations) {
            return frame; // from now on a truncation waits for the pin
        }
        pages.unpin(frame); // another thread has created a page of that number, or another file has the number
        return NONE;
    }

    /** Maps a page that is created, in a frame that is pinned then. */
    private final class NewPage implements PageFile.Mapping {
        private final PageFile file;
        private final long position;
        private int frame = NONE;
        private long page;
        /** Read while the file cannot be truncated. */
        private int truncations;

        NewPage(PageFile file, long position) {
            this.file = file;
            this.position = position;
        }

        @Override
        public void map(long number) throws IOException {
            page = number;
            truncations = file.truncations();
            frame = pages.create(PageId.of(file.number(), number), position);
        }

        @Override
        public boolean isMapped(long number) {
            return pages.isMapped(PageId.of(file.number(), number));
        }
    }

    /** Repeats a creation after a crash; see {@link PagedFile#redoCreation}. */
    WritablePage redoCreation(PageFile file, long lsn, long page) throws IOException {
        DirtyPages.checkPosition(lsn);
        long id = PageId.of(file.number(), page);
        file.checkLimit(page);
        fixer.checkRepeated(lsn);
        while (file.pages() <= page) {
            create(file, lsn).close();
        }
        WritablePage created = new WritablePage(fixer);
        try {
            return created.fix(id);
        } catch (PageCorruptException e) {
            fixer.pace();
            checkpointer.checkNotFailed();
            file.checkWritable("create a page of");
            int frame;
            try {
                frame = pages.create(id, lsn);
            } finally {
                flusher.onDirty();
            }
            fixer.latchPinned(frame, id, LatchMode.EXCLUSIVE, created);
            created.take(frame, id);
            return created;
        }
    }
}
