// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.sharedupdate.driver.Log.LogCost;
import io.clockhand.workbench.sharedupdate.driver.Rows.RowLayout;
import io.clockhand.workbench.sharedupdate.driver.Trial.RunAnswer;
import io.clockhand.workbench.sharedupdate.driver.Trial.Setting;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HotPageTest {
    private static final LogCost CHEAP = LogCost.parse("cpu:0us");

    @TempDir
    private Path directory;

    private interface Work {
        void doWith(HotPage page) throws IOException;
    }

    private void with(Protocol protocol, Rows rows, int lsnBytes, Work work) throws IOException {
        Path own = Files.createTempDirectory(directory, "page");
        try (Log log = Log.open(CHEAP, 1, own);
                HotPage page = protocol.open(rows, lsnBytes, log, own)) {
            work.doWith(page);
        }
    }

    private static void update(Updater updater, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            updater.update();
        }
    }

    @Test
    void pageIsRightAfterManyThreads() throws Exception {
        Setting setting = new Setting(Trial.Load.ROWS, CHEAP, RowLayout.INTERLEAVED, 2, 10);
        Trial order = new Trial(setting, Protocol.SHARED, 3, 1, directory.toString(), Timing.alone(0, 1), true);

        RunAnswer answer = order.perform(fraction -> assertThat(fraction).isBetween(0.0, 1.0));

        assertThat(answer.wrong()).isNull();
        assertThat(answer.counted().operations()).isGreaterThanOrEqualTo(answer.operations());
    }

    @Test
    void logInAFileIsWritten() throws IOException {
        try (Log log = Log.open(LogCost.parse("file"), 1, directory);
                HotPage page = Protocol.SHARED.open(new Rows(RowLayout.PADDED, 8, 1), 8, log, directory)) {
            Updater updater = page.updater(0, false);
            update(updater, 10);
            updater.close();

            assertThat(page.check(List.of(updater))).isNull();
        }
        assertThat(directory.resolve("log")).isNotEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void everySizeOfRowsIsRightInBothLayoutsAndWithBothLsns(int bytes) throws IOException {
        for (RowLayout layout : RowLayout.values()) {
            for (Protocol protocol : List.of(Protocol.EXCLUSIVE_LOCK, Protocol.SHARED)) {
                for (int lsnBytes : List.of(8, 10)) {
                    with(protocol, new Rows(layout, bytes, 2), lsnBytes, page -> {
                        Updater first = page.updater(0, false);
                        Updater second = page.updater(1, true);
                        update(first, 7);
                        update(second, 1_000);
                        first.close();
                        second.close();
                        assertThat(page.check(List.of(first, second))).isNull();
                    });
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = "EXCLUSIVE_LATCH", mode = EnumSource.Mode.EXCLUDE)
    void wrongRowAndWrongLsnAreFound(Protocol protocol) throws IOException {
        assertThat(check(protocol, 0)).contains("row 0 of thread 0 is", "after 100 updates");
        assertThat(check(protocol, 1)).contains("the page's LSN is 6464", "of a record is 6400");
    }

    /** Of the updates of the first thread, after one of which the check does not know. */
    private String check(Protocol protocol, int otherThread) throws IOException {
        String[] found = {null};
        with(protocol, new Rows(RowLayout.PADDED, 8, 2), 10, page -> {
            Updater known = page.updater(0, false);
            Updater unknown = page.updater(otherThread, false);
            update(known, 100);
            update(unknown, 1);
            known.close();
            unknown.close();
            found[0] = page.check(List.of(known));
        });
        return found[0];
    }

    @Test
    void rowsOfThreadsDoNotOverlapAndLieInThePage() {
        for (RowLayout layout : RowLayout.values()) {
            for (int bytes : List.of(1, 2, 4, 8)) {
                Rows rows = new Rows(layout, bytes, Rows.MOST_THREADS);
                boolean[] taken = new boolean[Rows.PAGE_BYTES / bytes];
                for (int thread = 0; thread < Rows.MOST_THREADS; thread++) {
                    for (int offset : rows.offsets(thread)) {
                        assertThat(offset % bytes).isZero();
                        assertThat(taken[offset / bytes]).isFalse();
                        taken[offset / bytes] = true;
                    }
                }
                assertThat(taken[0]).isFalse();
            }
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(names = "EXCLUSIVE_LATCH", mode = EnumSource.Mode.EXCLUDE)
    void updateAllocatesNothing(Protocol protocol) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        with(protocol, new Rows(RowLayout.PADDED, 8, 1), 8, page -> {
            try (Updater updater = page.updater(0, false)) {
                update(updater, 1_000);
                long before = threads.getCurrentThreadAllocatedBytes();
                update(updater, 100_000);
                assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000);
            }
        });
    }
}
