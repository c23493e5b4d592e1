// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.io.DoubleWritePageStore;
import io.clockhand.io.ForwardingPageStore;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store with a journal of a few pages, in memory, for threads that write the same few pages. Both stores note what a
 * crash would lose: each page in place must have its image on the journal's device, or be on the device itself, and no
 * page is written by two threads at once. A journal can be used again: a test takes one and gives it back.
 */
final class StressJournal {
    static final int PAGES = 4;

    private static final int PAGE_BYTES = 512;
    private static final int JOURNAL_PAGES = 5;
    private static final ConcurrentLinkedQueue<StressJournal> FREE = new ConcurrentLinkedQueue<>();

    private final Journal journal = new Journal();
    private final Pages pages = new Pages();
    private final DoubleWritePageStore store;
    private final AtomicLong images = new AtomicLong();
    private volatile String wrong;

    private StressJournal() {
        try {
            store = DoubleWritePageStore.open(pages, journal, JOURNAL_PAGES);
            store.extend(PAGES);
            store.force();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static StressJournal take() {
        StressJournal free = FREE.poll();
        return free == null ? new StressJournal() : free;
    }

    /** Gives it back for the next test, unless something was wrong. */
    void giveBack() {
        if (wrong == null) {
            FREE.add(this);
        }
    }

    /** Writes pages, each with an image that no page had before; {@return the last image} */
    long write(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * PAGE_BYTES);
        long image = 0;
        for (int i = 0; i < numbers.length; i++) {
            image = images.incrementAndGet();
            bytes.putLong(i * PAGE_BYTES, image);
        }
        try {
            store.writeBatch(numbers, 0, numbers.length, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return image;
    }

    void force() {
        try {
            store.force();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return in words what was wrong, or whether the newest image of each page in the journal is in place} */
    String check() {
        try {
            for (long page = 0; page < PAGES; page++) {
                ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
                store.read(page, bytes);
                Long newest = journal.newest(page);
                if (newest != null && newest != bytes.getLong(0)) {
                    wrong = "the place has an older image than the journal";
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return wrong == null ? "right" : wrong;
    }

    private void found(String fault) {
        wrong = fault;
    }

    /** Knows of each page the images that were forced since it was cleared. */
    private final class Journal extends Passing {
        private static final int HEADER_BYTES = 40;
        private static final int COUNT = 28;
        private static final int FIRST = 20;

        /** The pages of the header that was written last. */
        private long[] listed = {};

        private final List<long[]> unforced = new ArrayList<>();
        private final Map<Long, Long> newestForced = new HashMap<>();
        private final Set<Long> forced = new HashSet<>();
        private int imagesSeen;

        Journal() {
            super(new MemoryPageStore("journal", PAGE_BYTES));
        }

        @Override
        public synchronized void write(long page, ByteBuffer source) throws IOException {
            int count = source.getInt(source.position() + COUNT);
            long first = source.getLong(source.position() + FIRST);
            if (page == 0) { // a new beginning
                if (pages.hasUnforced()) {
                    found("the journal is cleared before its pages are forced in place");
                }
                unforced.clear();
                newestForced.clear();
                forced.clear();
                count = 0;
            }
            listed = new long[count];
            for (int i = 0; i < count; i++) {
                listed[i] = first < 0 ? source.getLong(source.position() + HEADER_BYTES + i * Long.BYTES) : first + i;
            }
            imagesSeen = 0;
            super.write(page, source);
        }

        @Override
        public synchronized void writeRun(long first, ByteBuffer source) throws IOException {
            for (int at = source.position(); at < source.limit(); at += PAGE_BYTES) {
                unforced.add(new long[] {listed[imagesSeen++], source.getLong(at)});
            }
            super.writeRun(first, source);
        }

        @Override
        public synchronized void force() throws IOException {
            for (long[] image : unforced) {
                newestForced.put(image[0], image[1]);
                forced.add(image[1]);
            }
            unforced.clear();
            super.force();
        }

        synchronized boolean hasForced(long image) {
            return forced.contains(image);
        }

        synchronized Long newest(long page) {
            return newestForced.get(page);
        }
    }

    /** Knows which pages are being written, and which were not forced since. */
    private final class Pages extends Passing {
        private final Set<Long> beingWritten = new HashSet<>();
        private volatile boolean hasUnforced; // read under the journal's lock

        Pages() {
            super(new MemoryPageStore("pages", PAGE_BYTES));
        }

        private void begin(long page, long image) {
            if (!journal.hasForced(image)) {
                found("a page is in place before its image is forced");
            }
            synchronized (this) {
                if (!beingWritten.add(page)) {
                    found("two threads write one page");
                }
                hasUnforced = true;
            }
        }

        private synchronized void end(long page) {
            beingWritten.remove(page);
        }

        boolean hasUnforced() {
            return hasUnforced;
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            begin(page, source.getLong(source.position()));
            super.write(page, source);
            end(page);
        }

        @Override
        public void writeRun(long first, ByteBuffer source) throws IOException {
            int position = source.position();
            int count = source.remaining() / PAGE_BYTES;
            for (int i = 0; i < count; i++) {
                begin(first + i, source.getLong(position + i * PAGE_BYTES));
            }
            super.writeRun(first, source);
            for (int i = 0; i < count; i++) {
                end(first + i);
            }
        }

        /** What is written while this goes on is not forced. */
        @Override
        public void force() throws IOException {
            synchronized (this) {
                hasUnforced = !beingWritten.isEmpty();
            }
            super.force();
        }
    }

    private static class Passing extends ForwardingPageStore {
        Passing(PageStore store) {
            super(store);
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
        public void writeRun(long first, ByteBuffer source) throws IOException {
            store.writeRun(first, source);
        }

        @Override
        public void extend(long pages) throws IOException {
            store.extend(pages);
        }
    }
}
