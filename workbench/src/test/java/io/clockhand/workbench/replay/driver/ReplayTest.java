// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.experiment.report.Estimated;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.pages.driver.PageContent;
import io.clockhand.workbench.replay.driver.Replay.Pages;
import io.clockhand.workbench.replay.driver.Replay.Pool;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer.Counted;
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
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs in the JVM of the test. */
class ReplayTest {
    private static final int PAGE_BYTES = 4096;
    private static final int KEYS = 200;
    private static final Source SOURCE = new Source("uniform", KEYS, 1, null);
    private static final Pages GENERATED = new Pages(Io.MEMORY, null, KEYS, 1);
    private static final Counting COUNTING = new Counting(1_000, 20_000);
    private static final int SPREAD = 3;
    private static final int SHARE = 20;
    private static final Writing WRITES = new Writing(SHARE, 0, 0, -1);

    @TempDir
    private Path directory;

    private static Pool pool(String policy, int frames) {
        return new Pool(policy, ClockHand.BATCHED, PageIn.COALESCED, frames, PAGE_BYTES, null);
    }

    private static RunAnswer run(
            Pool pool, Source source, Pages pages, int threads, Timing timing, Counting counting, Writing writing)
            throws Exception {
        return new Replay(pool, source, pages, threads, 16, timing, counting, writing)
                .perform(fraction -> assertThat(fraction).isBetween(0.0, 1.0));
    }

    private static RunAnswer read(Pool pool, Pages pages, int threads, Counting counting) throws Exception {
        return run(pool, SOURCE, pages, threads, null, counting, null);
    }

    private static Counted counted(String policy, int frames) throws Exception {
        return read(pool(policy, frames), GENERATED, 1, COUNTING).counted();
    }

    private static RunAnswer written(String policy, Pages pages, int threads, Writing writing) throws Exception {
        return run(pool(policy, 50), SOURCE, pages, threads, null, COUNTING, writing);
    }

    /** A file in which the page of each key has, twice, the content of the page {@code shift} behind it. */
    private Pages file(Io io, int spread, int shift) throws IOException {
        Path file = directory.resolve("pages");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int key = 0; key < KEYS; key++) {
                long page = (long) key * spread;
                long content = PageContent.of(page + shift);
                ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES).putLong(0, content);
                channel.write(bytes.putLong(PageContent.CHANGES_OFFSET, content), page * PAGE_BYTES);
            }
        }
        return new Pages(io, file.toString(), (KEYS - 1) * spread + 1, spread);
    }

    // --- reads -------------------------------------------------------------------------------------------------------

    @Test
    void estimatesAreTheHitRatiosOfPoolsOfOtherSizesAfterTheWarmUp() throws Exception {
        Pool advised = new Pool("lru", null, PageIn.COALESCED, 50, PAGE_BYTES, List.of("2q"));

        List<Estimated> estimates =
                read(advised, GENERATED, 1, COUNTING).counted().estimates();

        assertThat(estimates).hasSize(10);
        assertThat(estimates.get(0).frames()).isEqualTo(13);
        for (Estimated estimate : estimates.subList(1, 10)) {
            if (estimate.sizeFactor() >= 0.5) {
                assertThat(estimate.hitRatio())
                        .as(estimate.toString())
                        .isCloseTo(
                                counted(estimate.policy(), (int) estimate.frames())
                                        .hitRatio(),
                                within(1e-9));
            }
        }
        assertThat(counted("lru", 50).estimates()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void everyHandGivesOneThreadTheSameHits(ClockHand hand) throws Exception {
        Pool pool = new Pool("nb-gclock3", hand, PageIn.COALESCED, 50, PAGE_BYTES, null);

        assertThat(read(pool, GENERATED, 1, COUNTING).counted()).isEqualTo(counted("nb-gclock3", 50));
    }

    @ParameterizedTest
    @EnumSource
    void threadsTogetherPlayAllReferences(PageIn pageIn) throws Exception {
        Pool pool = new Pool("nb-gclock3", ClockHand.BATCHED, pageIn, 100, PAGE_BYTES, null);

        RunAnswer answer = read(pool, GENERATED, 7, new Counting(1_003, 30_011));

        assertThat(answer.counted().accesses()).isEqualTo(30_011);
        assertThat(answer.counted().hitRatio()).isBetween(0.45, 0.55);
        assertThat(answer.allHolds()).isTrue();
        assertThat(answer.timed()).isNull();
    }

    @Test
    void emptyFramesAreCountedWhenTheWarmUpIsOver() throws Exception {
        assertThat(counted("lru", 50).freeAtStart()).isZero();
        assertThat(counted("lru", 1_000).freeAtStart()).isBetween(800, 810);
    }

    @ParameterizedTest
    @EnumSource(names = {"CACHED", "DIRECT"})
    void pagesOfAFileGiveTheSameHitsAsThoseThatAreMadeUp(Io io) throws Exception {
        RunAnswer answer = read(pool("2q", 50), file(io, 1, 0), 1, COUNTING);

        assertThat(answer.counted()).isEqualTo(counted("2q", 50));
        assertThat(answer.counted().reads()).isEqualTo(answer.counted().misses());
        assertThat(answer.counted().wastedReads()).isZero();
        assertThat(answer.allHolds()).isTrue();
    }

    @Test
    void wrongPagesAreCountedAndOneIsDescribed() throws Exception {
        Source hotPage = new Source("hot-page", KEYS, 1, null);
        Counting counting = new Counting(100, 900);

        RunAnswer answer = run(pool("lru", 50), hotPage, file(Io.CACHED, 1, 1), 2, null, counting, null);

        assertThat(answer.wrong())
                .isEqualTo("1000 of its fixes gave a wrong page: page 0 has another content: that of page 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void failureOfOneThreadEndsTheRun(int threads) throws Exception {
        Pages pages = file(Io.CACHED, 1, 0);
        Pages tooFew = new Pages(Io.CACHED, pages.file(), KEYS, 2);
        Pool pool = pool("lru", 50);

        assertThatThrownBy(() -> read(pool, tooFew, threads, COUNTING)).hasMessageContaining("it has 200 pages");
        assertThatThrownBy(() -> run(pool, SOURCE, tooFew, threads, Timing.alone(0, 600), null, null))
                .hasMessageContaining("it has 200 pages");
        assertThatThrownBy(() -> written("lru", tooFew, threads, WRITES)).hasMessageContaining("it has 200 pages");
    }

    // --- writes ------------------------------------------------------------------------------------------------------

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
    @CsvSource({"nb-gclock3, 7", "lru, 7", "bp:lru, 4", "2q, 1"})
    void everyContenderMakesTheDrawnChangesAndItsPagesHaveThem(String policy, int threads) throws Exception {
        Pages generated = new Pages(Io.MEMORY, null, (KEYS - 1) * SPREAD + 1, SPREAD);

        RunAnswer answer = written(policy, generated, threads, WRITES);

        assertThat(answer.written().changes()).isEqualTo(drawnWrites(0, 21_000));
        assertThat(answer.counted().changes()).isEqualTo(drawnWrites(1_000, 21_000));
        assertThat(answer.written().lost()).isZero();
        assertThat(answer.counted().writes().pages()).isPositive();
        assertThat(answer.counted().writes().batches())
                .isPositive()
                .isLessThanOrEqualTo(answer.counted().writes().pages());
        assertThat(answer.counted().writes().logWaits()).isZero();
        assertThat(answer.allHolds()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"CACHED", "DIRECT"})
    void changesAreInTheFileAfterwards(Io io) throws Exception {
        RunAnswer answer = written("nb-gclock3", file(io, SPREAD, 0), 3, WRITES);

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
        Writing marked = new Writing(0, 0, 0, -1);

        RunAnswer answer = run(pool("lru", 50), source, pages, 2, null, new Counting(0, 10), marked);

        assertThat(answer.written().changes()).isEqualTo(6);
        assertThat(answer.written().found()).isEqualTo(6);
        assertThat(answer.counted().accesses()).isEqualTo(10);
    }

    @Test
    void batchesWaitForTheLog() throws Exception {
        RunAnswer answer = written("lru", GENERATED, 2, new Writing(SHARE, 0, 0, 50_000));

        assertThat(answer.counted().writes().logWaits()).isPositive();
        assertThat(answer.allHolds()).isTrue();
    }

    @Test
    void batchWaitsForItsRecordsOnce() {
        WaitingLog log = new WaitingLog(20_000_000);
        long first = log.append();
        long second = log.append();
        assertThat(first).isPositive().isLessThan(second);
        assertThat(log.end()).isLessThan(log.append());

        long begin = System.nanoTime();
        Thread.currentThread().interrupt();
        log.makeDurable(first);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
        log.makeDurable(second);

        assertThat(log.waits()).isEqualTo(1);
    }

    @Tag("nightly")
    @Test
    void paceAndDeviceBoundTheSecondsOfATimedRun() throws Exception {
        Writing writing = new Writing(100, 400, 300, -1);

        RunAnswer answer = run(pool("lru", 50), SOURCE, GENERATED, 3, Timing.alone(1, 2), null, writing);

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

    @Test
    void changeThatIsNotInThePagesIsNoticed() throws Exception {
        Pages pages = file(Io.CACHED, SPREAD, 0);
        try (FileChannel channel = FileChannel.open(Path.of(pages.file()), StandardOpenOption.WRITE)) {
            ByteBuffer other = ByteBuffer.allocate(Long.BYTES).putLong(0, PageContent.of(0) - 1);
            channel.write(other, PageContent.CHANGES_OFFSET);
        }

        RunAnswer answer = written("lru", pages, 1, WRITES);

        assertThat(answer.written().lost()).isEqualTo(1);
        assertThat(answer.allHolds()).isFalse();
    }
}
