// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.pages.driver.PageContent;
import io.clockhand.workbench.replay.driver.Replay.Pages;
import io.clockhand.workbench.replay.driver.Replay.Pool;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer;
import io.clockhand.workbench.replay.driver.Replay.Source;
import io.clockhand.workbench.replay.driver.Replay.Writing;
import io.clockhand.workbench.replay.driver.Written.Moment;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.WithWrites;
import io.clockhand.workbench.workload.Workload.References;
import io.clockhand.workbench.workload.Workloads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs in the JVM of the test. */
class ReplayWritesTest {
    private static final int PAGE_BYTES = 4096;
    private static final int KEYS = 200;
    private static final int SPREAD = 3;
    private static final double SHARE = 20;
    private static final Source SOURCE = new Source("uniform", KEYS, 1, null);
    private static final Counting COUNTING = new Counting(1_000, 20_000);

    @TempDir
    private Path directory;

    private static Pages generated() {
        return new Pages(Io.MEMORY, null, (KEYS - 1) * SPREAD + 1, SPREAD);
    }

    /** A file with the content of each page twice at its beginning. */
    private Pages file(Io io) throws IOException {
        Path file = directory.resolve("pages");
        Pages pages = new Pages(io, file.toString(), (KEYS - 1) * SPREAD + 1, SPREAD);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long page = 0; page < pages.count(); page++) {
                long content = PageContent.of(page);
                ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES).putLong(0, content);
                channel.write(bytes.putLong(PageContent.CHANGES_OFFSET, content), page * PAGE_BYTES);
            }
        }
        return pages;
    }

    private static Replay order(
            String policy, Source source, Pages pages, int threads, Timing timing, Counting counting, Writing writing) {
        Pool pool = new Pool(policy, ClockHand.BATCHED, PageIn.COALESCED, 50, PAGE_BYTES, null);
        return new Replay(pool, source, pages, threads, 16, timing, counting, writing);
    }

    private static RunAnswer run(Replay order) throws Exception {
        return order.perform(fraction -> {});
    }

    private static RunAnswer counted(String policy, Pages pages, int threads, Writing writing) throws Exception {
        return run(order(policy, SOURCE, pages, threads, null, COUNTING, writing));
    }

    /** Of the references {@code from} to {@code to - 1}. */
    private static long drawnWrites(long from, long to) throws IOException {
        References references = new WithWrites(Workloads.of("uniform", KEYS, 1, null), SHARE, 1).references(0, 1);
        long writes = 0;
        for (long n = 0; n < to; n++) {
            writes += references.next() < 0 && n >= from ? 1 : 0;
        }
        return writes;
    }

    @ParameterizedTest
    @CsvSource({"nb-gclock3, 1", "nb-gclock3, 7", "lru, 7", "bp:lru, 4", "2q, 1"})
    void everyContenderMakesTheDrawnChangesAndItsPagesHaveThem(String policy, int threads) throws Exception {
        RunAnswer answer = counted(policy, generated(), threads, new Writing(SHARE, 0, 0, -1));

        assertThat(answer.written().changes()).isEqualTo(drawnWrites(0, 21_000));
        assertThat(answer.counted().changes()).isEqualTo(drawnWrites(1_000, 21_000));
        assertThat(answer.written().found()).isEqualTo(answer.written().changes());
        assertThat(answer.counted().writes().pages()).isPositive();
        assertThat(answer.counted().writes().batches())
                .isPositive()
                .isLessThanOrEqualTo(answer.counted().writes().pages());
        assertThat(answer.counted().writes().logWaits()).isZero();
        assertThat(answer.allHolds()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CACHED", "DIRECT"})
    void changesAreInTheFileAfterwards(Io io) throws Exception {
        RunAnswer answer = counted("nb-gclock3", file(io), 3, new Writing(SHARE, 0, 0, -1));

        long changes = 0;
        ByteBuffer counted = ByteBuffer.allocate(Long.BYTES);
        try (FileChannel channel = FileChannel.open(directory.resolve("pages"))) {
            for (long page = 0; page < KEYS * SPREAD; page += SPREAD) {
                channel.read(counted.clear(), page * PAGE_BYTES + PageContent.CHANGES_OFFSET);
                changes += PageContent.changes(page, counted.getLong(0));
            }
        }
        assertThat(answer.written().found()).isEqualTo(changes).isEqualTo(drawnWrites(0, 21_000));
        assertThat(answer.allHolds()).isTrue();
    }

    @Test
    void marksOfATraceAreItsWrites() throws Exception {
        Path trace = Files.writeString(directory.resolve("trace"), "7 w\n8\n7 w\n9\n8 w\n");
        Source source = new Source("trace:" + trace, 3, 1, TraceFormat.LIRS);
        Pages pages = new Pages(Io.MEMORY, null, 3, 1);

        RunAnswer answer = run(order("lru", source, pages, 2, null, new Counting(0, 10), new Writing(0, 0, 0, -1)));

        assertThat(answer.written().changes()).isEqualTo(6);
        assertThat(answer.written().found()).isEqualTo(6);
        assertThat(answer.counted().hits() + answer.counted().misses()).isEqualTo(10);
    }

    @Test
    void batchesWaitForTheLog() throws Exception {
        RunAnswer answer = counted("lru", generated(), 2, new Writing(SHARE, 0, 0, 50_000));

        assertThat(answer.counted().writes().logWaits())
                .isPositive()
                .isLessThanOrEqualTo(answer.counted().writes().batches());
        assertThat(answer.allHolds()).isTrue();
    }

    @Tag("nightly")
    @Test
    void paceAndDeviceBoundTheSecondsOfATimedRun() throws Exception {
        Writing writing = new Writing(100, 400, 300, -1);

        RunAnswer answer = run(order("lru", SOURCE, generated(), 3, Timing.alone(1, 2), null, writing));

        List<Moment> seconds = answer.written().overTime();
        assertThat(seconds)
                .isNotEmpty()
                .allSatisfy(second -> assertThat(second.dirtyPages()).isBetween(0, 50));
        double end = seconds.get(seconds.size() - 1).second();
        assertThat(end).isGreaterThan(0.9);
        // Of the rate, and what was missed in the second before.
        assertThat(answer.timed().accesses()).isBetween(1L, (long) (400 * (Math.max(2, end) + 3)));
        double written = 0;
        double before = 0;
        for (Moment second : seconds) {
            written += second.pagesWrittenPerSecond() * (second.second() - before);
            before = second.second();
        }
        assertThat(written).isLessThan(300 * (end + 1) + 4 * 64); // and the batches in progress
        assertThat(answer.allHolds()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void failureOfOneThreadEndsTheRun(int threads) throws Exception {
        Pages pages = file(Io.CACHED);
        Pages tooFew = new Pages(Io.CACHED, pages.file(), pages.count(), 2 * SPREAD);

        assertThatThrownBy(() -> counted("lru", tooFew, threads, new Writing(SHARE, 0, 0, -1)))
                .hasMessageContaining("it has " + pages.count() + " pages");
    }

    @Test
    void changeThatIsNotInThePagesIsNoticed() throws Exception {
        Pages pages = file(Io.CACHED);
        try (FileChannel channel = FileChannel.open(Path.of(pages.file()), StandardOpenOption.WRITE)) {
            ByteBuffer other = ByteBuffer.allocate(Long.BYTES).putLong(0, PageContent.of(0) - 1);
            channel.write(other, PageContent.CHANGES_OFFSET);
        }

        RunAnswer answer = counted("lru", pages, 1, new Writing(SHARE, 0, 0, -1));

        assertThat(answer.written().found()).isEqualTo(answer.written().changes() - 1);
        assertThat(answer.allHolds()).isFalse();
    }
}
