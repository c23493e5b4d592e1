// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.ManagementBean;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;

/**
 * The monitoring of an open pool of directories: its management bean, if it has a name, and its periodic events. Both
 * refer to the pool weakly, and end when it is collected, if it was never closed.
 */
final class DirectoryWatch implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Cleaner.Cleanable end;

    /** Ends the monitoring. The bean is null if there is none. */
    private record End(ManagementBean bean, Runnable endRecording) implements Runnable {
        @Override
        public void run() {
            endRecording.run();
            if (bean != null) {
                bean.close();
            }
        }
    }

    private DirectoryWatch(Cleaner.Cleanable end) {
        this.end = end;
    }

    static DirectoryWatch begun(DirectoryPool pool, String name) {
        ManagementBean bean = name.isEmpty()
                ? null
                : ManagementBean.register(
                        "DirectoryPool", name, new DirectoryPoolBean(pool, name), DirectoryPoolMXBean.class);
        boolean begun = false;
        try {
            WeakReference<DirectoryPool> watched = new WeakReference<>(pool);
            Runnable hook = () -> record(watched.get(), name);
            End end = new End(bean, FlightEvents.recordRegularly(() -> LuceneDirectoryEvent.class, hook));
            DirectoryWatch watch = new DirectoryWatch(CLEANER.register(pool, end));
            begun = true;
            return watch;
        } finally {
            if (!begun && bean != null) {
                bean.close();
            }
        }
    }

    private static void record(DirectoryPool pool, String name) {
        if (pool == null || pool.pool().isClosed()) {
            return;
        }
        pool.directoryStats()
                .forEach((path, kinds) -> kinds.forEach((kind, stats) -> {
                    LuceneDirectoryEvent event = new LuceneDirectoryEvent();
                    event.pool = name;
                    event.directory = path;
                    event.kind = kind;
                    event.files = stats.files();
                    event.bytes = stats.bytes();
                    event.residentBytes = stats.residentBytes();
                    event.hits = stats.hits();
                    event.misses = stats.misses();
                    event.commit();
                }));
    }

    /** Ends it. */
    @Override
    public void close() {
        end.clean();
    }
}
