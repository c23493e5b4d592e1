// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files of pages, for benchmarks that read or write them. */
final class PageFiles {
    private PageFiles() {}

    /** Writes pages with their numbers, and forces them, or the system would write them during the measurement. */
    static void write(Path file, int pages) throws IOException {
        try (FileChannel output = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(PageReader.PAGE_BYTES);
            for (int page = 0; page < pages; page++) {
                output.write(
                        bytes.clear().putLong(PageReader.offset(page), page).clear());
            }
            output.force(true);
        }
    }

    /** The same through a store, which may add checksums. */
    static void write(PageStore store, int pages) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(store.pageBytes());
        for (int page = 0; page < pages; page++) {
            store.write(
                    page, bytes.clear().putLong(PageReader.offset(page), page).clear());
        }
        store.force();
    }

    /** {@return the option that bypasses the operating system's cache, which not every JDK has} */
    static OpenOption direct() throws ReflectiveOperationException {
        return (OpenOption) Class.forName("com.sun.nio.file.ExtendedOpenOption")
                .getField("DIRECT")
                .get(null);
    }
}
