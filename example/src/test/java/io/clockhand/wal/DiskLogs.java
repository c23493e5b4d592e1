// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.io.PageStore;
import io.clockhand.testkit.SimulatedDisk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** Opens logs on a simulated disk. In this package, since {@link LogFile} opens its segments itself. */
public final class DiskLogs {
    private static final int PAGE_BYTES = 512;
    private static final String PREFIX = "log/";

    private DiskLogs() {}

    /**
     * Opens or creates a log.
     *
     * @param builder its settings
     * @param disk has its segments
     * @return the log
     * @throws IOException if it cannot be opened, or the disk has crashed
     */
    public static LogFile open(LogFileBuilder builder, SimulatedDisk disk) throws IOException {
        return builder.open(new Segments(disk));
    }

    private record Segments(SimulatedDisk disk) implements SegmentStores {
        @Override
        public String name() {
            return "the simulated disk";
        }

        @Override
        public int pageBytes() {
            return PAGE_BYTES;
        }

        @Override
        public Closeable own(boolean create) {
            return () -> {};
        }

        @Override
        public List<String> list() {
            return disk.fileNames().stream()
                    .filter(name -> name.startsWith(PREFIX))
                    .map(name -> name.substring(PREFIX.length()))
                    .toList();
        }

        @Override
        public PageStore open(String segment, boolean create) throws IOException {
            if (!create && !list().contains(segment)) {
                throw new NoSuchFileException(segment);
            }
            return disk.pages(PREFIX + segment, PAGE_BYTES);
        }

        @Override
        public void force() {
            // names survive at once
        }
    }
}
