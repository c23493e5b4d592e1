// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.policy.ClockHand;
import io.clockhand.policy.PoliciesForTests;
import io.clockhand.testing.Patience;
import io.clockhand.testing.Workers;
import java.time.Duration;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The faults of the published algorithm are absent here, and these scenarios would find them. */
class PublishedFaultsTest {
    @RegisterExtension
    final Workers workers = new Workers();

    private final Counters counters = new Counters();

    @ParameterizedTest
    @EnumSource(FaultScenario.class)
    void cacheDoesNotHaveTheFault(FaultScenario scenario) {
        HolderCounters cache = new HolderCounters(HolderCache.builder(counters)
                .frames(2)
                .maxFrames(2)
                .exhaustedAfter(
                        scenario == FaultScenario.MISS_GIVES_UP_WHEN_ALL_FRAMES_ARE_PINNED
                                ? Duration.ofMillis(50)
                                : Patience.PATIENCE)
                .waitTimeout(Patience.PATIENCE)
                .build(PoliciesForTests.nbGclockWithHandAt(2, ClockHand.DEFAULT, Long.MAX_VALUE - 5)));

        scenario.play(cache, counters, workers);
    }

    @ParameterizedTest
    @EnumSource(FaultScenario.class)
    void scenarioFindsTheFaultInThePublishedAlgorithm(FaultScenario scenario) {
        PublishedCache cache = new PublishedCache(
                2,
                counters,
                scenario == FaultScenario.HAND_THAT_OVERFLOWS_POINTS_AT_A_FRAME ? Integer.MAX_VALUE - 5 : 0);

        assertThatThrownBy(() -> scenario.play(cache, counters, workers)).isInstanceOf(AssertionError.class);
    }
}
