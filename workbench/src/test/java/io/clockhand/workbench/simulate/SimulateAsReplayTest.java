// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.page.PageIn;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.workbench.Tier;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.Replay;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer.Counted;
import io.clockhand.workbench.simulate.Cell.Result;
import io.clockhand.workbench.simulate.Lookahead.Lookaheads;
import io.clockhand.workbench.workload.TraceFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The real pool, played by one thread with pages that are made up, and the simulated one: the same hits, and the same
 * search.
 */
class SimulateAsReplayTest {
    private static final int PAGES = 300;
    private static final int REFERENCES = Tier.pick(5_000, 30_000);
    private static final long WARMUP = REFERENCES / 8;

    @TempDir
    private Path directory;

    static List<String> policies() {
        return Policies.names();
    }

    private Path trace() throws IOException {
        String lines = Arrays.stream(Streams.mixed(11, PAGES, REFERENCES))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining("\n"));
        return Files.writeString(directory.resolve("mixed.trace"), lines);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void simulatedPoolHitsWhatTheRealOneHits(String policy) throws Exception {
        String trace = "trace:" + trace();
        for (int frames : new int[] {1, 10, 64, 250}) {
            Result simulated = simulated(policy, trace, frames);
            Counted replayed = replayed(policy, trace, frames);

            assertThat(simulated.references()).isEqualTo(replayed.accesses());
            assertThat(simulated.hits()).as("%s, %d frames", policy, frames).isEqualTo(replayed.hits());
            assertThat(simulated.framesScannedPerMiss())
                    .as("%s, %d frames", policy, frames)
                    .isEqualTo((double) replayed.framesScanned() / replayed.misses());
        }
    }

    private Result simulated(String policy, String trace, int frames) throws InterruptedException {
        Settings settings = SimulateRunsTest.parsed("--format lirs --warmup-accesses " + WARMUP + " --policies "
                + policy + " --frames " + frames + " --out " + directory + " --trace " + trace);
        Cell cell = new Cell(Play.of(settings, trace), policy, frames, 1, DirtyShare.NONE);
        return new Simulation(cell, 16, 0, Streams.SPEED, new Lookaheads(List.of(cell)), new LongAdder()).call();
    }

    private static Counted replayed(String policy, String trace, int frames) throws Exception {
        Replay order = new Replay(
                new Replay.Pool(policy, ClockHand.DEFAULT, PageIn.COALESCED, frames, 4096, null),
                new Replay.Source(trace, PAGES, 1, TraceFormat.LIRS),
                new Replay.Pages(Io.MEMORY, null, PAGES, 1),
                1,
                16,
                null,
                new Counting(WARMUP, REFERENCES - WARMUP),
                null);
        return order.perform(fraction -> {}).counted();
    }
}
