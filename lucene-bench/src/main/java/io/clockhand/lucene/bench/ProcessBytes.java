// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process has read and written so far, as Linux counts it.
 *
 * @param fromDisk bytes that were read from the disk, those of mapped files and those read ahead included
 * @param written bytes that were written to files
 */
record ProcessBytes(long fromDisk, long written) {
    private static final Path FILE = Path.of("/proc/self/io");

    /** Null where the system does not count. */
    static ProcessBytes read() throws IOException {
        if (!Files.isReadable(FILE)) {
            return null;
        }
        long fromDisk = 0;
        long written = 0;
        for (String line : Files.readAllLines(FILE)) {
            String[] field = line.split(": ", 2);
            switch (field[0]) {
                case "read_bytes" -> fromDisk = Long.parseLong(field[1]);
                case "wchar" -> written = Long.parseLong(field[1]);
                default -> {}
            }
        }
        return new ProcessBytes(fromDisk, written);
    }
}
