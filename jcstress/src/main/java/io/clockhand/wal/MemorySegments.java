// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.io.PageStore;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Segments of a log in memory, as they were written, and as the last force has brought them to the device. */
final class MemorySegments implements SegmentStores {
    /** The least that a header fits into. */
    static final int PAGE_BYTES = 64;

    private static final int MOST_SPINS = 200;

    private final NavigableMap<String, Content> contents = new ConcurrentSkipListMap<>();
    private final AtomicInteger open = new AtomicInteger();

    private static final class Content {
        private byte[] bytes = new byte[0];
        private byte[] device = bytes;

        synchronized int length() {
            return bytes.length;
        }

        synchronized void write(int at, ByteBuffer source) {
            int end = at + source.remaining();
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, end);
            }
            source.get(bytes, at, end - at);
        }

        synchronized boolean read(int at, ByteBuffer target) {
            if (at + target.remaining() > bytes.length) {
                return false;
            }
            target.put(bytes, at, target.remaining());
            return true;
        }

        synchronized void truncate(int length) {
            bytes = Arrays.copyOf(bytes, length);
        }

        synchronized void force() {
            device = bytes.clone();
        }

        synchronized long device(int at) {
            return at + Long.BYTES > device.length
                    ? -1
                    : ByteBuffer.wrap(device).getLong(at);
        }
    }

    /** {@return the number at an LSN on the device, or −1 if there is none} */
    long device(long lsn) {
        var segment = contents.floorEntry(Segment.nameOf(lsn));
        long first = Long.parseLong(segment.getKey().substring(0, 16), 16);
        return segment.getValue().device((int) (PAGE_BYTES + (lsn - first)));
    }

    /** {@return how many stores are open} */
    int open() {
        return open.get();
    }

    @Override
    public String name() {
        return "memory";
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
        return List.copyOf(contents.keySet());
    }

    @Override
    public PageStore open(String segment, boolean create) throws IOException {
        boolean isNew = create && !contents.containsKey(segment);
        if (isNew) {
            contents.put(segment, new Content());
        }
        Content content = contents.get(segment);
        if (content == null) {
            throw new NoSuchFileException(segment);
        }
        open.incrementAndGet();
        return new Store(segment, content, isNew);
    }

    @Override
    public void force() {
        // names are durable at once
    }

    private final class Store implements PageStore {
        private final String segment;
        private final Content content;
        private final boolean isNew;
        private volatile boolean closed;

        Store(String segment, Content content, boolean isNew) {
            this.segment = segment;
            this.content = content;
            this.isNew = isNew;
        }

        private void checkOpen() throws IOException {
            if (closed) {
                throw new IOException(segment + " is closed");
            }
        }

        @Override
        public String name() {
            return segment;
        }

        @Override
        public int pageBytes() {
            return PAGE_BYTES;
        }

        @Override
        public boolean isNew() {
            return isNew;
        }

        @Override
        public long pages() throws IOException {
            checkOpen();
            return content.length() / PAGE_BYTES;
        }

        @Override
        public void read(long page, ByteBuffer target) throws IOException {
            checkOpen();
            if (!content.read((int) page * PAGE_BYTES, target)) {
                throw new EOFException(segment + " ends before page " + page);
            }
            checkOpen();
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            writeRun(page, source);
        }

        @Override
        public void writeRun(long first, ByteBuffer source) throws IOException {
            checkOpen();
            content.write((int) first * PAGE_BYTES, source);
        }

        @Override
        public void truncate(long pages) throws IOException {
            checkOpen();
            content.truncate((int) pages * PAGE_BYTES);
        }

        @Override
        public boolean tryOwn() {
            return true;
        }

        @Override
        public void force() throws IOException {
            checkOpen();
            int spins = ThreadLocalRandom.current().nextInt(MOST_SPINS);
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait(); // so that the other thread comes before, while and after the device has the bytes
            }
            content.force();
        }

        @Override
        public void delete() throws IOException {
            checkOpen();
            if (contents.remove(segment) == null) {
                throw new NoSuchFileException(segment);
            }
            close();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                open.decrementAndGet();
            }
        }
    }
}
