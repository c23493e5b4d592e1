// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.duel.SliceClock;
import io.clockhand.page.BufferPool;
import io.clockhand.space.FreeSpaceMap;
import io.clockhand.space.SpaceLog;
import io.clockhand.workbench.pages.driver.WorkThreads;
import io.clockhand.workbench.sharedupdate.driver.Trial.RunAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleConsumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * One run: a new free-space map, the threads that allocate and free pages, and the check of the map. All pages have
 * their bytes in one page of the map, which threads update at the same time, or one after the other.
 */
final class AllocationTrial {
    private AllocationTrial() {}

    static RunAnswer run(Trial order, Path directory, DoubleConsumer progress) throws Exception {
        boolean shared = order.protocol() == Protocol.SHARED;
        try (Log log = new Log(order.setting().logCost(), order.stepsPerMicro(), directory, order.counts());
                PagesOfPool pages = PagesOfPool.open(shared, Rows.LSN_OFFSET, log, directory)) {
            FreeSpaceMap space = FreeSpaceMap.open(pages.pool(), pages.file(), new MapLog(log));
            try (LatchWaits waits = order.counts() ? new LatchWaits() : null;
                    WorkThreads<AllocatingThread> threads = new WorkThreads<>(order.threads()) {
                        @Override
                        protected AllocatingThread make(int thread) {
                            return new AllocatingThread(space);
                        }
                    }) {
                WorkThreads.Measured measured =
                        threads.measure(order.timing(), WorkThreads.Interval.UNWATCHED, progress);
                List<AllocatingThread> workers = threads.workers();
                return new RunAnswer(
                        measured.operations(),
                        measured.seconds(),
                        measured.cpuPercent(),
                        waits == null ? null : waits.counted(workers, log, directory),
                        check(space, pages, workers, log));
            }
        }
    }

    // --- check -------------------------------------------------------------------------------------------------------

    /** The map in memory, and again when it was closed and opened. */
    static String check(FreeSpaceMap space, PagesOfPool pages, List<AllocatingThread> threads, Log log)
            throws IOException {
        Set<Long> owned = new HashSet<>();
        for (AllocatingThread thread : threads) {
            for (long page : thread.pages()) {
                if (!owned.add(page)) {
                    return "page " + page + " is allocated to two threads";
                }
            }
        }
        String wrong = firstWrong(space, owned);
        if (wrong != null) {
            return "in memory " + wrong;
        }
        pages.pool().checkpoint();
        pages.close();
        try (BufferPool again = BufferPool.builder()
                .pageBytes(Rows.PAGE_BYTES)
                .frames(PagesOfPool.FRAMES)
                .log(log)
                .build()) {
            wrong = firstWrong(FreeSpaceMap.open(again, again.open(0, pages.path()), new MapLog(log)), owned);
        }
        return wrong == null ? null : "in the file " + wrong;
    }

    private static String firstWrong(FreeSpaceMap space, Set<Long> owned) throws IOException {
        for (long page = 0; page < space.pages(); page++) {
            boolean allocated = space.get(page).isAllocated();
            if (allocated != owned.contains(page)) {
                return "page " + page + (allocated ? " is allocated to nobody" : " is free, and a thread has it");
            }
        }
        return null;
    }

    /** Allocates some pages, frees them, and begins anew, as statements with temporary tables do. Not thread-safe. */
    static final class AllocatingThread implements WorkThreads.Worker {
        private static final int PAGES = 8;

        private final FreeSpaceMap space;
        private final long[] pages = new long[PAGES];
        private int allocated;
        private boolean frees;
        long updates;

        AllocatingThread(FreeSpaceMap space) {
            this.space = space;
        }

        @Override
        public int work(boolean measuring, SliceClock clock) throws IOException {
            if (frees) {
                space.free(pages[allocated - 1]);
                allocated--;
                frees = allocated > 0;
            } else {
                pages[allocated] = space.allocate();
                allocated++;
                frees = allocated == PAGES;
            }
            updates++;
            return 1;
        }

        long[] pages() {
            return Arrays.copyOf(pages, allocated);
        }
    }

    /** Appends the records of a free-space map to a {@link Log}. Thread-safe. */
    record MapLog(Log log) implements SpaceLog {
        @Override
        public long change(long page, int mask, int bits) {
            return log.append((int) page, bits);
        }

        @Override
        public long creation(long mapPage) {
            return log.append((int) mapPage, 0);
        }
    }

    /** Counts the waits of threads for latches of a pool, by its events, all of them however short. */
    static final class LatchWaits implements AutoCloseable {
        private static final String EVENT = "io.clockhand.Wait";

        private final Recording recording = new Recording();
        private final long begin;

        LatchWaits() {
            recording.enable(EVENT).withThreshold(Duration.ZERO).withoutStackTrace();
            recording.start();
            begin = System.nanoTime();
        }

        /**
         * The waits up to now, when no thread waits any more.
         *
         * @param directory for a temporary file
         */
        RunAnswer.Counted counted(List<AllocatingThread> threads, Log log, Path directory) throws IOException {
            long elapsed = System.nanoTime() - begin;
            recording.stop();
            Path file = directory.resolve("waits.jfr");
            recording.dump(file);
            long count = 0;
            long nanos = 0;
            try (RecordingFile events = new RecordingFile(file)) {
                while (events.hasMoreEvents()) {
                    RecordedEvent event = events.readEvent();
                    if (event.getEventType().getName().equals(EVENT)
                            && event.getString("waitedFor").startsWith("latch")) {
                        count++;
                        nanos += event.getDuration().toNanos();
                    }
                }
            }
            Files.delete(file);
            long updates = threads.stream().mapToLong(thread -> thread.updates).sum();
            return new RunAnswer.Counted(updates, count, log.medianMicros(), (double) nanos / elapsed);
        }

        @Override
        public void close() {
            recording.close();
        }
    }
}
