// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.io.PageStore;
import io.clockhand.testkit.SimulatedDisk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** The segments of a log on a simulated disk, with pages of a sector. Has no owner. */
final class SimulatedSegments implements SegmentStores {
    static final int PAGE_BYTES = 512;

    private final SimulatedDisk disk;

    SimulatedSegments(SimulatedDisk disk) {
        this.disk = disk;
    }

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
        return List.copyOf(disk.fileNames());
    }

    @Override
    public PageStore open(String segment, boolean create) throws IOException {
        if (!create && !disk.fileNames().contains(segment)) {
            throw new NoSuchFileException(segment);
        }
        return disk.pages(segment, PAGE_BYTES);
    }

    @Override
    public void force() {
        // names survive at once
    }
}
