// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.workbench.options.EnumNames;
import io.clockhand.workbench.pages.driver.GeneratedPages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Where the pages of a run come from. Files that are only read are opened for reading, so that all contenders of a duel
 * can have one open.
 */
public enum Io {
    /** A file, through the page cache of the operating system. */
    CACHED {
        @Override
        PageStore open(RunOrder.Pages pages, int pageBytes, boolean writes) throws IOException {
            return openFile(pages, pageBytes, writes, Set.of());
        }
    },
    /** A file, past the page cache of the operating system; pages must consist of whole blocks of the file system. */
    DIRECT {
        @Override
        PageStore open(RunOrder.Pages pages, int pageBytes, boolean writes) throws IOException {
            return openFile(pages, pageBytes, writes, Set.of(FileOption.DIRECT));
        }
    },
    /** Nowhere: they are made up. */
    MEMORY {
        @Override
        PageStore open(RunOrder.Pages pages, int pageBytes, boolean writes) {
            return writes
                    ? new ChangeablePages(pages.count(), pages.spread(), pageBytes)
                    : new GeneratedPages(pages.count(), pageBytes);
        }

        @Override
        PageStore reopen(PageStore closed, RunOrder.Pages pages, int pageBytes) {
            return closed;
        }
    };

    abstract PageStore open(RunOrder.Pages pages, int pageBytes, boolean writes) throws IOException;

    /** Opens a store that was closed, to read what was written. */
    PageStore reopen(PageStore closed, RunOrder.Pages pages, int pageBytes) throws IOException {
        return openFile(pages, pageBytes, false, Set.of());
    }

    private static PageStore openFile(RunOrder.Pages pages, int pageBytes, boolean writes, Set<FileOption> others)
            throws IOException {
        Set<FileOption> options = new HashSet<>(others);
        if (!writes) {
            options.add(FileOption.READ_ONLY);
        }
        return FilePageStore.open(Path.of(pages.file()), pageBytes, options.toArray(new FileOption[0]));
    }

    /** Opens a file and closes it again, to find out in time whether a run can. */
    public void check(Path file, long pages, int pageBytes, boolean writes) throws IOException {
        open(new RunOrder.Pages(this, file.toString(), pages, 1), pageBytes, writes)
                .close();
    }

    public boolean needsFile() {
        return this != MEMORY;
    }

    /** As options name it. */
    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
