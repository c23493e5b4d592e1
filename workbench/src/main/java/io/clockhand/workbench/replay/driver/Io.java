// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.workbench.pages.driver.GeneratedPages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Where the pages of a run come from. Files are only read, so that all contenders of a duel can have one open. */
public enum Io {
    /** A file, through the page cache of the operating system. */
    CACHED {
        @Override
        PageStore open(Path file, long pages, int pageBytes) throws IOException {
            return FilePageStore.open(file, pageBytes, FileOption.READ_ONLY);
        }
    },
    /** A file, past the page cache of the operating system; pages must consist of whole blocks of the file system. */
    DIRECT {
        @Override
        PageStore open(Path file, long pages, int pageBytes) throws IOException {
            return FilePageStore.open(file, pageBytes, FileOption.READ_ONLY, FileOption.DIRECT);
        }
    },
    /** Nowhere: they are made up. */
    MEMORY {
        @Override
        PageStore open(Path file, long pages, int pageBytes) {
            return new GeneratedPages(pages, pageBytes);
        }
    };

    abstract PageStore open(Path file, long pages, int pageBytes) throws IOException;

    /** Opens a file and closes it again, to find out in time whether a run can. */
    public void check(Path file, long pages, int pageBytes) throws IOException {
        open(file, pages, pageBytes).close();
    }

    public boolean needsFile() {
        return this != MEMORY;
    }

    /** As options name it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(Io::label).toList();
    }

    @Override
    public String toString() {
        return label();
    }
}
