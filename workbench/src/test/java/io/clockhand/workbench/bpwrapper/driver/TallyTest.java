// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.policy.Policies;
import io.clockhand.workbench.bpwrapper.driver.CountingLock.RecordedHits;
import io.clockhand.workbench.bpwrapper.driver.Trial.RunAnswer.Counted;
import io.clockhand.workbench.bpwrapper.driver.Trial.Tally;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.pages.driver.GeneratedPages;
import io.clockhand.workbench.pages.driver.PageStream;
import io.clockhand.workbench.pages.driver.Players;
import io.clockhand.workbench.pages.driver.WorkThreads;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TallyTest {
    private static final int FRAMES = 1000;
    private static final int PAGE_BYTES = 4096;
    private static final int THREADS = 2;
    private static final int QUEUE = 64;
    /** Accesses that the threads have not published, and hits that they have not recorded; the first are 62 each. */
    private static final long UNSEEN = THREADS * (62L + QUEUE);

    /** Reads the number of accesses before and after each count, as the counting thread may have to wait between. */
    private static final class Bracket implements WorkThreads.Interval {
        private final Tally tally;
        private final Players players;
        private long least;
        private long most;

        Bracket(Tally tally, Players players) {
            this.tally = tally;
            this.players = players;
        }

        @Override
        public void begins() {
            most = -players.done();
            tally.begins();
            least = -players.done();
        }

        @Override
        public void ends() {
            least += players.done();
            tally.ends();
            most += players.done();
        }
    }

    @ParameterizedTest
    @CsvSource({"PLAIN, 1, 1", "SPIN, 1, 1", "BOTH, 30, 65"})
    void locksAreCountedInAnIntervalWhileAllThreadsPlay(Form form, int leastBatch, int mostBatch) throws Exception {
        CountingLock lock = form.newCountingLock();
        RecordedHits policy = new RecordedHits(Policies.singleThreaded("lru", FRAMES));
        try (BufferPool pool = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .policy(form + ":lru", frames -> form.under(lock, policy, frames, QUEUE, QUEUE / 2))
                .build()) {
            int file = pool.open(0, new GeneratedPages(PageId.GREATEST_PAGE + 1, PAGE_BYTES))
                    .number();
            PageStream each = LongStream.range(0, FRAMES).iterator()::nextLong;
            try (Players one = new Players(pool, file, 1, thread -> each, Players.Style.reading(0))) {
                one.playReferences(0, FRAMES, played -> {});
            }
            Tally tally = new Tally(lock, policy, pool);
            try (Players players = new Players(
                    pool,
                    file,
                    THREADS,
                    thread -> References.TABLE_SCAN.stream(FRAMES, thread, new SplittableRandom(thread)),
                    Players.Style.reading(0))) {
                Bracket bracket = new Bracket(tally, players);

                Counted counted = tally.of(
                        players.time(Timing.alone(0, 1), bracket, part -> {}).accesses());

                long least = Math.max(0, bracket.least - UNSEEN);
                long most = bracket.most + UNSEEN;
                assertThat(counted.misses()).isZero();
                assertThat(counted.lockAcquisitions()).isBetween(least / mostBatch, most / leastBatch);
                assertThat(counted.recordedHits()).isBetween(least, most);
            }
        }
    }
}
