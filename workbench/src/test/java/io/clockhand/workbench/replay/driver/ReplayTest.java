// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.workbench.experiment.Timed;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.experiment.report.Estimated;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.pages.driver.PageContent;
import io.clockhand.workbench.replay.driver.Replay.Pages;
import io.clockhand.workbench.replay.driver.Replay.Pool;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.Replay.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs in the JVM of the test. */
class ReplayTest {
    private static final int PAGE_BYTES = 4096;
    private static final int KEYS = 200;
    private static final Source SOURCE = new Source("uniform", KEYS, 1, null);
    private static final Pages GENERATED = new Pages(Io.MEMORY, null, KEYS, 1);
    private static final Counting COUNTING = new Counting(1_000, 20_000);

    @TempDir
    private Path directory;

    private static Pool pool(String policy, int frames) {
        return new Pool(policy, ClockHand.BATCHED, PageIn.COALESCED, frames, PAGE_BYTES, null);
    }

    private static RunAnswer run(Pool pool, Source source, Pages pages, int threads, Counting counting)
            throws Exception {
        return new Replay(pool, source, pages, threads, 16, null, counting, null).perform(fraction -> {});
    }

    private static Counted counted(String policy, int frames, int threads) throws Exception {
        return run(pool(policy, frames), SOURCE, GENERATED, threads, COUNTING).counted();
    }

    /** A file whose page p begins with the content of page {@code contentOf + p}. */
    private Path file(int pages, int contentOf) throws IOException {
        Path file = directory.resolve("pages-" + pages + "-" + contentOf);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int page = 0; page < pages; page++) {
                ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES).putLong(0, PageContent.of(contentOf + page));
                channel.write(bytes, (long) page * PAGE_BYTES);
            }
        }
        return file;
    }

    @Test
    void estimatesAreTheHitRatiosOfPoolsOfOtherSizesAfterTheWarmUp() throws Exception {
        Pool advised = new Pool("lru", null, PageIn.COALESCED, 50, PAGE_BYTES, List.of("2q"));

        List<Estimated> estimates =
                run(advised, SOURCE, GENERATED, 1, COUNTING).counted().estimates();

        assertThat(estimates).hasSize(10);
        assertThat(estimates.get(0).frames()).isEqualTo(13);
        for (Estimated estimate : estimates.subList(1, 10)) {
            if (estimate.sizeFactor() >= 0.5) {
                assertThat(estimate.hitRatio())
                        .as(estimate.toString())
                        .isCloseTo(
                                counted(estimate.policy(), (int) estimate.frames(), 1)
                                                .hits()
                                        / (double) COUNTING.accesses(),
                                within(1e-9));
            }
        }
        assertThat(counted("lru", 50, 1).estimates()).isNull();
    }

    @ParameterizedTest
    @EnumSource(ClockHand.class)
    void everyHandGivesOneThreadTheSameHits(ClockHand hand) throws Exception {
        Pool pool = new Pool("nb-gclock3", hand, PageIn.COALESCED, 50, PAGE_BYTES, null);

        assertThat(run(pool, SOURCE, GENERATED, 1, COUNTING).counted()).isEqualTo(counted("nb-gclock3", 50, 1));
    }

    @ParameterizedTest
    @EnumSource(PageIn.class)
    void threadsTogetherPlayAllReferences(PageIn pageIn) throws Exception {
        Pool pool = new Pool("nb-gclock3", ClockHand.BATCHED, pageIn, 100, PAGE_BYTES, null);
        Counting counting = new Counting(1_003, 30_011);

        RunAnswer answer = run(pool, SOURCE, GENERATED, 7, counting);

        assertThat(answer.counted().hits() + answer.counted().misses()).isEqualTo(30_011);
        assertThat(answer.counted().hits() / 30_011.0).isBetween(0.45, 0.55);
        assertThat(answer.allHolds()).isTrue();
        assertThat(answer.timed()).isNull();
    }

    @Test
    void emptyFramesAreCountedWhenTheWarmUpIsOver() throws Exception {
        assertThat(counted("lru", 50, 1).freeAtStart()).isZero();
        assertThat(counted("lru", 1_000, 1).freeAtStart()).isBetween(800, 810);
    }

    @Test
    void timedRunMeasuresThroughputAndLatencies() throws Exception {
        Replay order = new Replay(pool("nb-gclock3", 50), SOURCE, GENERATED, 3, 0, Timing.alone(0, 1), null, null);

        RunAnswer answer = order.perform(fraction -> assertThat(fraction).isBetween(0.0, 1.0));

        Timed timed = answer.timed();
        assertThat(timed.operationsPerSecond()).as("after a second or more").isBetween(0.0, timed.accesses() * 1.0);
        assertThat(timed.latencyMicros().p50())
                .isNotNegative()
                .isLessThanOrEqualTo(timed.latencyMicros().p95());
        assertThat(timed.latencyMicros().p95())
                .isLessThanOrEqualTo(timed.latencyMicros().p99());
        assertThat(answer.counted()).isNull();
        assertThat(answer.allHolds()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Io.class,
            names = {"CACHED", "DIRECT"})
    void pagesOfAFileGiveTheSameHitsAsThoseThatAreMadeUp(Io io) throws Exception {
        Pages pages = new Pages(io, file(KEYS, 0).toString(), KEYS, 1);

        RunAnswer answer = run(pool("2q", 50), SOURCE, pages, 1, COUNTING);

        assertThat(answer.counted()).isEqualTo(counted("2q", 50, 1));
        assertThat(answer.counted().reads()).isEqualTo(answer.counted().misses());
        assertThat(answer.counted().wastedReads()).isZero();
        assertThat(answer.allHolds()).isTrue();
    }

    @Test
    void wrongPagesAreCountedAndOneIsDescribed() throws Exception {
        Pages others = new Pages(Io.CACHED, file(KEYS, 1).toString(), KEYS, 1);

        RunAnswer answer =
                run(pool("lru", 50), new Source("hot-page", KEYS, 1, null), others, 2, new Counting(100, 900));

        assertThat(answer.allHolds()).isFalse();
        assertThat(answer.wrongPages()).isEqualTo(1_000);
        assertThat(answer.firstWrong()).isEqualTo("page 0 has another content: that of page 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void failureOfOneThreadEndsTheRun(int threads) throws Exception {
        Pages tooFew = new Pages(Io.CACHED, file(KEYS / 2, 0).toString(), KEYS / 2, 1);

        assertThatThrownBy(() -> run(pool("lru", 50), SOURCE, tooFew, threads, COUNTING))
                .hasMessageContaining("it has 100 pages");
        Replay timed = new Replay(pool("lru", 50), SOURCE, tooFew, threads, 0, Timing.alone(0, 600), null, null);
        assertThatThrownBy(() -> timed.perform(fraction -> {})).hasMessageContaining("it has 100 pages");
    }
}
