// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** A log, and stores; it notes their calls, and its own, in order. */
final class EventLog implements WriteAheadLog {
    final List<String> events = new CopyOnWriteArrayList<>();
    private final AtomicLong end = new AtomicLong(100);
    volatile IOException failure;
    volatile RuntimeException endFailure;

    @Override
    public long end() {
        if (endFailure != null) {
            throw endFailure;
        }
        return end.get();
    }

    /** Appends a record; {@return its LSN} */
    long append() {
        return end.getAndAdd(10);
    }

    @Override
    public void makeDurable(long lsn) throws IOException {
        if (failure != null) {
            throw failure;
        }
        events.add("log " + lsn);
    }

    /** {@return a store in memory with some pages of zeros} */
    Recorded store(String name, int pageBytes, int pages) throws IOException {
        Recorded store = new Recorded(name, pageBytes);
        for (int page = 0; page < pages; page++) {
            store.memory.write(page, ByteBuffer.allocate(pageBytes));
        }
        return store;
    }

    /** A store in memory whose writes and forces are noted, and fail if a test says so. */
    final class Recorded implements PageStore {
        final MemoryPageStore memory;
        private final String name;
        volatile IOException writeFailure;
        volatile IOException forceFailure;
        /** Thrown once. */
        volatile Error writeError;
        /** Called before each write with its first page, and before each force with −1. */
        volatile LongConsumer before = page -> {};

        Recorded(String name, int pageBytes) {
            this.name = name;
            this.memory = new MemoryPageStore(name, pageBytes);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int pageBytes() {
            return memory.pageBytes();
        }

        @Override
        public long pages() {
            return memory.pages();
        }

        @Override
        public void read(long page, ByteBuffer target) throws IOException {
            memory.read(page, target);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            writeRun(page, source);
        }

        @Override
        public void writeRun(long first, ByteBuffer source) throws IOException {
            before.accept(first);
            if (writeFailure != null) {
                throw writeFailure;
            }
            Error error = writeError;
            if (error != null) {
                writeError = null;
                throw error;
            }
            int pages = source.remaining() / pageBytes();
            events.add(name + " " + first + (pages == 1 ? "" : " to " + (first + pages - 1)));
            memory.writeRun(first, source);
        }

        @Override
        public void truncate(long pages) throws IOException {
            events.add(name + " truncated to " + pages);
            memory.truncate(pages);
        }

        @Override
        public boolean tryOwn() {
            return memory.tryOwn();
        }

        @Override
        public void force() throws IOException {
            before.accept(-1);
            if (forceFailure != null) {
                throw forceFailure;
            }
            events.add(name + " forced");
        }

        @Override
        public void close() throws IOException {
            memory.close();
        }

        /** {@return the long at an offset of a page of the store} */
        long longAt(long page, int offset) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(pageBytes());
            memory.read(page, bytes);
            return bytes.getLong(offset);
        }
    }
}
