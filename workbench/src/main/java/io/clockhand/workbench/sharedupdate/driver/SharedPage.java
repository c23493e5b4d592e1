// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.io.FilePageStore;
import io.clockhand.page.SharedUpdatePage;
import io.clockhand.page.WritablePage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** A page of a pool, under its latch in shared mode. */
final class SharedPage extends HotPage {
    SharedPage(Rows rows, int lsnBytes, Log log, Path directory) throws IOException {
        super(rows, lsnBytes, log, PagesOfPool.open(true, isWide(lsnBytes) ? -1 : Rows.LSN_OFFSET, log, directory));
    }

    @Override
    public Updater updater(int thread, boolean counts) {
        return new Sharing(thread, counts);
    }

    private final class Sharing extends Updater {
        private final SharedUpdatePage page = pages.pool().newSharedUpdatePage();

        Sharing(int thread, boolean counts) {
            super(SharedPage.this, thread, counts);
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
                waits++;
            }
            return page.fix(id);
        }
    }

    // --- check -------------------------------------------------------------------------------------------------------

    /** The page in memory, the checkpoint, and the page in its file after the close. */
    @Override
    public String check(List<Updater> updaters) throws IOException {
        ByteBuffer image = ByteBuffer.allocateDirect(Rows.PAGE_BYTES).alignedSlice(Long.BYTES);
        try (WritablePage page = pages.pool().fixExclusive(id)) {
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
