// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.space.FreeSpaceMap;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.sharedupdate.driver.AllocationTrial.AllocatingThread;
import io.clockhand.workbench.sharedupdate.driver.AllocationTrial.MapLog;
import io.clockhand.workbench.sharedupdate.driver.Log.LogCost;
import io.clockhand.workbench.sharedupdate.driver.Trial.RunAnswer;
import io.clockhand.workbench.sharedupdate.driver.Trial.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocationTrialTest {
    @TempDir
    private Path directory;

    private interface Work {
        void doWith(FreeSpaceMap space, PagesOfPool pages, Log log) throws IOException;
    }

    private void with(Work work) throws IOException {
        try (Log log = Log.open(LogCost.parse("cpu:0us"), 1, directory);
                PagesOfPool pages = PagesOfPool.open(true, Rows.LSN_OFFSET, log, directory)) {
            work.doWith(FreeSpaceMap.open(pages.pool(), pages.file(), new MapLog(log)), pages, log);
        }
    }

    private static AllocatingThread thread(FreeSpaceMap space, int updates) throws IOException {
        AllocatingThread thread = new AllocatingThread(space);
        for (int i = 0; i < updates; i++) {
            thread.work(false, null);
        }
        return thread;
    }

    @Test
    void mapIsRightAfterManyThreadsThatWaitForNoLatch() throws Exception {
        Setting setting = new Setting(Trial.Load.ALLOCATE, LogCost.parse("wait:20us"), null, 1, 8);
        Trial order = new Trial(setting, Protocol.SHARED, 4, 1, directory.toString(), Timing.alone(0, 1), true);

        RunAnswer answer = order.perform(fraction -> assertThat(fraction).isBetween(0.0, 1.0));

        assertThat(answer.wrong()).isNull();
        assertThat(answer.cpuPercent()).isNotNegative(); // more than 100 where the JVM counts too few processors
        assertThat(answer.counted().logMicros()).isGreaterThan(20);
        assertThat(answer.counted().latchWaits()).isZero();
        assertThat(answer.counted().waitingThreads()).isZero();
    }

    @Test
    void threadAllocatesEightPagesAndFreesThem() throws IOException {
        with((space, pages, log) -> {
            assertThat(thread(space, 8).pages()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
            assertThat(thread(space, 15).pages()).containsExactly(8);
            assertThat(thread(space, 16).pages()).isEmpty();
        });
    }

    @Test
    void wrongPagesAreFound() throws IOException {
        with((space, pages, log) -> {
            AllocatingThread known = thread(space, 8);

            assertThat(AllocationTrial.check(space, pages, List.of(known, known), log))
                    .isEqualTo("page 0 is allocated to two threads");

            space.allocate();
            assertThat(AllocationTrial.check(space, pages, List.of(known), log))
                    .isEqualTo("in memory page 8 is allocated to nobody");

            space.free(3);
            assertThat(AllocationTrial.check(space, pages, List.of(known), log))
                    .isEqualTo("in memory page 3 is free, and a thread has it");
        });
    }
}
