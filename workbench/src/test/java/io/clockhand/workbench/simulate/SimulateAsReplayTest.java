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
import io.clockhand.workbench.simulate.OptimalPool.Lookaheads;
import io.clockhand.workbench.simulate.PolicyPool.Speed;
import io.clockhand.workbench.workload.TraceFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The real pool, played by one thread with pages that are made up, and the simulated one: the same hits, and the same
 * search.
 */
class SimulateAsReplayTest extends CommandRuns {
    private static final int PAGES = 300;
    private static final int REFERENCES = Tier.pick(4_000, 30_000);
    private static final long WARMUP = REFERENCES / 8;

    static List<String> policies() {
        return Policies.names();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void simulatedPoolHitsWhatTheRealOneHits(String policy) throws Exception {
        String trace = "trace:" + trace(Streams.mixed(11, PAGES, REFERENCES));
        for (int frames : new int[] {1, 64}) {
            Result simulated = simulated(policy, trace, frames);
            Counted replayed = replayed(policy, trace, frames);

            assertThat(simulated.references()).isEqualTo(replayed.accesses());
            assertThat(simulated.hits()).as("%s, %d frames", policy, frames).isEqualTo(replayed.hits());
            assertThat(simulated.framesScannedPerMiss())
                    .as("%s, %d frames", policy, frames)
                    .isEqualTo((double) replayed.framesScanned() / replayed.misses());
        }
    }

    private static Result simulated(String policy, String trace, int frames) throws InterruptedException {
        Play play = Play.of(parsed("--format lirs --warmup-accesses " + WARMUP + " --trace " + trace), trace);
        Cell cell = new Cell(play, policy, frames, 1, "0");
        return new Simulation(cell, 1, new Speed(0, 1), new Lookaheads(), played -> {}).call();
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
