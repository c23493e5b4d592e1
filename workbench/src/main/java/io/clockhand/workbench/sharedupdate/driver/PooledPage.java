// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.io.FilePageStore;
import io.clockhand.page.SharedUpdatePage;
import io.clockhand.page.WritablePage;
import io.clockhand.wal.WideLsn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** A page of a pool, under its latch in shared or exclusive mode. */
final class PooledPage extends HotPage {
    private final boolean shared;

    PooledPage(boolean shared, Rows rows, int lsnBytes, Log log, Path directory) throws IOException {
        super(
                rows,
                lsnBytes,
                log,
                PagesOfPool.open(shared, isWide(lsnBytes) ? -1 : Rows.LSN_OFFSET, 1, log, directory));
        this.shared = shared;
    }

    @Override
    public Updater updater(int thread, boolean counts) {
        return shared ? new Sharing(thread, counts) : new Latching(thread, counts);
    }

    private final class Sharing extends Updater {
        private final SharedUpdatePage page = pages.pool().newSharedUpdatePage();
        private final long id = pages.id(0);

        Sharing(int thread, boolean counts) {
            super(PooledPage.this, thread, counts);
        }

        @Override
        long update(int offset, long value) throws IOException {
            try (SharedUpdatePage fixed = fix()) {
                fixed.beginUpdate();
                long lsn = log.append(offset, value);
                switch (rows.bytes()) {
                    case Byte.BYTES -> fixed.putByte(offset, (byte) value);
                    case Short.BYTES -> fixed.putShort(offset, (short) value);
                    case Integer.BYTES -> fixed.putInt(offset, (int) value);
                    default -> fixed.putLong(offset, value);
                }
                if (wide) {
                    fixed.raisePageLsn(Rows.LSN_OFFSET, position(lsn), slot(lsn));
                }
                fixed.endUpdate(lsn);
                return lsn;
            }
        }

        private SharedUpdatePage fix() throws IOException {
            if (counts) {
                if (page.tryFix(id)) {
                    return page;
                }
                countWait();
            }
            return page.fix(id);
        }
    }

    private final class Latching extends Updater {
        private final WritablePage page = pages.pool().newWritablePage();
        private final long id = pages.id(0);

        Latching(int thread, boolean counts) {
            super(PooledPage.this, thread, counts);
        }

        @Override
        long update(int offset, long value) throws IOException {
            try (WritablePage fixed = fix()) {
                fixed.beginUpdate();
                long lsn = log.append(offset, value);
                switch (rows.bytes()) {
                    case Byte.BYTES -> fixed.putByte(offset, (byte) value);
                    case Short.BYTES -> fixed.putShort(offset, (short) value);
                    case Integer.BYTES -> fixed.putInt(offset, (int) value);
                    default -> fixed.putLong(offset, value);
                }
                if (wide) {
                    raise(fixed, new WideLsn(position(lsn), slot(lsn)));
                }
                fixed.endUpdate(lsn);
                return lsn;
            }
        }

        private WritablePage fix() throws IOException {
            if (counts) {
                if (page.tryFix(id)) {
                    return page;
                }
                countWait();
            }
            return page.fix(id);
        }

        private void raise(WritablePage fixed, WideLsn lsn) {
            if (fixed.getWideLsn(Rows.LSN_OFFSET).compareTo(lsn) < 0) {
                fixed.putWideLsn(Rows.LSN_OFFSET, lsn);
            }
        }
    }

    // --- check -------------------------------------------------------------------------------------------------------

    /** The page in memory, the checkpoint, and the page in its file after the close. */
    @Override
    public String check(List<Updater> updaters) throws IOException {
        ByteBuffer image = ByteBuffer.allocateDirect(Rows.PAGE_BYTES).alignedSlice(Long.BYTES);
        try (WritablePage page = pages.pool().fixExclusive(pages.id(0))) {
            image.put(0, page.bytes(), 0, Rows.PAGE_BYTES);
        }
        String wrong = firstWrong(image, updaters);
        if (wrong != null) {
            return "in memory " + wrong;
        }
        long redo = pages.pool().checkpoint();
        if (redo > log.end()) {
            return "a checkpoint begins redo at " + redo + ", and the log ends at " + log.end();
        }
        pages.close();
        try (FilePageStore store = FilePageStore.open(pages.path(), Rows.PAGE_BYTES)) {
            store.read(0, image.clear());
        }
        wrong = firstWrong(image, updaters);
        return wrong == null ? null : "in the file " + wrong;
    }
}
