// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.page.BufferPoolBuilder;
import io.clockhand.wal.LogFile;
import io.clockhand.wal.LogFileBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Shows the seam at which tests of recovery put a simulated disk: all files of a store are opened here. Source: the
 * interface of files of SQLite (VFS), by which its crash tests lose what was not forced.
 */
class Storage {
    final Path folder;

    Storage(Path folder) {
        this.folder = folder;
    }

    /** Opens or creates a file of pages. A crash may have left its last one incomplete, which nobody has used then. */
    PageStore pages(String name, int pageBytes) throws IOException {
        Path file = Files.createDirectories(folder).resolve(name);
        return FilePageStore.open(file, pageBytes, FileOption.CREATE, FileOption.CUT_INCOMPLETE_PAGE);
    }

    /** Opens or creates the log, which was durable up to an LSN. */
    LogFile log(long durableEnd) throws IOException {
        LogFileBuilder builder = LogFile.builder(folder.resolve("log")).durableEnd(durableEnd);
        return builder.options(FileOption.CREATE).open();
    }

    /** {@return the settings of the pool} */
    BufferPoolBuilder pool(BufferPoolBuilder builder) {
        return builder;
    }
}
