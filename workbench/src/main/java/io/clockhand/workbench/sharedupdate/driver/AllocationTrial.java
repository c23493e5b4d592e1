// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.page.BufferPool;
import io.clockhand.space.FreeSpaceMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleConsumer;

/**
 * One run: a new free-space map, the threads that allocate and free pages, and the check of the map. All pages have
 * their bytes in one page of the map, which threads update at the same time, or one after the other.
 */
final class AllocationTrial {
    private final RunOrder order;
    private final DoubleConsumer progress;

    AllocationTrial(RunOrder order, DoubleConsumer progress) {
        this.order = order;
        this.progress = progress;
    }

    RunAnswer run(Path directory) throws Exception {
        boolean shared = order.protocol() == Protocol.SHARED;
        try (Log log = Log.open(order.logCost(), order.stepsPerMicro(), directory);
                PagesOfPool pages = PagesOfPool.open(shared, Rows.LSN_OFFSET, 0, log, directory)) {
            MapLog mapLog = new MapLog(log, order.counts());
            FreeSpaceMap space = FreeSpaceMap.open(pages.pool(), pages.file(), mapLog);
            try (LatchWaits waits = order.counts() ? new LatchWaits() : null;
                    WorkThreads<AllocatingThread> threads =
                            new WorkThreads<>(order.rows().threads(), 1, thread -> new AllocatingThread(space))) {
                WorkThreads.Measured measured = threads.time(order.timing(), progress);
                return new RunAnswer(
                        measured.operations(),
                        measured.seconds(),
                        measured.cpuPercent(),
                        waits == null ? null : counted(threads.made(), waits.stop(directory), mapLog),
                        null,
                        check(space, pages, threads.made(), log));
            }
        }
    }

    private static RunAnswer.Counted counted(List<AllocatingThread> threads, LatchWaits.Waits waits, MapLog log) {
        return new RunAnswer.Counted(
                threads.stream().mapToLong(AllocatingThread::updates).sum(),
                waits.count(),
                Trial.medianMicros(Arrays.stream(log.appendNanos())),
                waits.waitingThreads());
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
                .frames(64)
                .log(log)
                .build()) {
            wrong = firstWrong(FreeSpaceMap.open(again, again.open(0, pages.path()), new MapLog(log, false)), owned);
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
}
