// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.io.ForwardingPageStore;
import io.clockhand.io.PageStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The segments of a log, with a hook before each call that may be slow or fail. */
final class HookedSegments implements SegmentStores {
    /** The calls that meet the hook. */
    enum Call {
        OPEN,
        CREATE,
        READ,
        WRITE,
        FORCE,
        TRUNCATE,
        DELETE
    }

    /** Called by the thread of the call. */
    interface Hook {
        void before(Call call, String segment) throws IOException;
    }

    private final SegmentStores segments;
    /** Whether the device is used: tests that open many logs on a busy device would take long. */
    private final boolean forcing;

    final AtomicInteger forces = new AtomicInteger();
    private final Set<String> open = ConcurrentHashMap.newKeySet();
    volatile Hook hook = (call, segment) -> {};

    HookedSegments(Path folder) {
        this(folder, true);
    }

    private HookedSegments(Path folder, boolean forcing) {
        this.segments = new FileSegments(folder, false);
        this.forcing = forcing;
    }

    /** {@return segments that are never forced, for tests in which nothing crashes} */
    static HookedSegments unforced(Path folder) {
        return new HookedSegments(folder, false);
    }

    /** Lets one kind of call fail, until {@link #succeed}. */
    void fail(Call kind, String message) {
        hook = (call, segment) -> {
            if (call == kind) {
                throw new IOException(message);
            }
        };
    }

    void succeed() {
        hook = (call, segment) -> {};
    }

    /** {@return the segments whose stores are open} */
    Set<String> openStores() {
        return Set.copyOf(open);
    }

    @Override
    public String name() {
        return segments.name();
    }

    @Override
    public int pageBytes() {
        return segments.pageBytes();
    }

    @Override
    public Closeable own(boolean create) throws IOException {
        return segments.own(create);
    }

    @Override
    public List<String> list() throws IOException {
        return segments.list();
    }

    @Override
    public PageStore open(String segment, boolean create) throws IOException {
        hook.before(create ? Call.CREATE : Call.OPEN, segment);
        PageStore store = new HookedStore(segment, segments.open(segment, create));
        open.add(segment);
        return store;
    }

    @Override
    public void force() throws IOException {
        if (forcing) {
            segments.force();
        }
    }

    private final class HookedStore extends ForwardingPageStore {
        private final String segment;

        HookedStore(String segment, PageStore store) {
            super(store);
            this.segment = segment;
        }

        @Override
        public void read(long page, ByteBuffer target) throws IOException {
            hook.before(Call.READ, segment);
            store.read(page, target);
        }

        @Override
        public void readRun(long first, ByteBuffer[] targets, int count) throws IOException {
            hook.before(Call.READ, segment);
            store.readRun(first, targets, count);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            hook.before(Call.WRITE, segment);
            store.write(page, source);
        }

        @Override
        public void writeRun(long first, ByteBuffer source) throws IOException {
            hook.before(Call.WRITE, segment);
            store.writeRun(first, source);
        }

        @Override
        public void truncate(long pages) throws IOException {
            hook.before(Call.TRUNCATE, segment);
            super.truncate(pages);
        }

        @Override
        public void delete() throws IOException {
            hook.before(Call.DELETE, segment);
            super.delete();
            open.remove(segment);
        }

        @Override
        public void close() throws IOException {
            open.remove(segment);
            super.close();
        }

        @Override
        public void force() throws IOException {
            hook.before(Call.FORCE, segment);
            forces.incrementAndGet();
            if (forcing) {
                super.force();
            }
        }
    }
}
