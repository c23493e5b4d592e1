// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.io.ForwardingPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testkit.SimulatedDisk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** The segments of a log on a simulated disk, which loses names that were not forced. Has no owner. */
final class SimulatedSegments implements SegmentStores {
    static final int PAGE_BYTES = 512;

    private final SimulatedDisk disk;

    SimulatedSegments(SimulatedDisk disk) {
        this.disk = disk;
        disk.setNamesSurvive(false);
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
        boolean isNew = !disk.fileNames().contains(segment);
        if (isNew && !create) {
            throw new NoSuchFileException(segment);
        }
        PageStore store = disk.pages(segment, PAGE_BYTES);
        if (isNew) {
            disk.forceNames();
        }
        return new Store(store, isNew);
    }

    @Override
    public void force() throws IOException {
        disk.forceNames();
    }

    /** As a file: its creation and its deletion are durable. */
    private final class Store extends ForwardingPageStore {
        private final boolean isNew;

        Store(PageStore store, boolean isNew) {
            super(store);
            this.isNew = isNew;
        }

        @Override
        public boolean isNew() {
            return isNew;
        }

        @Override
        public void read(long page, ByteBuffer target) throws IOException {
            store.read(page, target);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            store.write(page, source);
        }

        @Override
        public void delete() throws IOException {
            super.delete();
            disk.forceNames();
        }
    }
}
