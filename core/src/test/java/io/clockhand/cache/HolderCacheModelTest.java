// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LongWaitHandler;
import io.clockhand.policy.Claims;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Patience;
import io.clockhand.testing.Tier;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sixteen threads against a model, for every policy, table and way of cleaning. All cases together take at least
 * {@code -Dclockhand.model.seconds} seconds; {@code -Dclockhand.model.seed} repeats a seed that a failure has named.
 */
class HolderCacheModelTest {
    private static final double SECONDS = Double.parseDouble(System.getProperty("clockhand.model.seconds", "0"));
    private static final int STEPS = Tier.pick(150, 3_000, 100_000);
    /** The run ends at the first catch, which mostly comes within some hundred steps. */
    private static final int STEPS_TO_CATCH = 200_000;

    private static final long SEED =
            Long.getLong("clockhand.model.seed", ThreadLocalRandom.current().nextLong(1_000_000));

    static List<Arguments> cases() {
        return Stream.of("nb-gclock3", "nb-gclock", "locked:lru", "bp:lirs", "buffered:2q")
                .flatMap(policy -> Stream.of(ClockHand.values()).map(hand -> new Object[] {policy, hand}))
                .filter(pair -> pair[1] == ClockHand.DEFAULT || Policies.hasHand((String) pair[0]))
                .flatMap(pair -> Stream.of(KeyTableKind.values())
                        .flatMap(table ->
                                Stream.of(true, false).map(cleaner -> Arguments.of(pair[0], pair[1], table, cleaner))))
                .toList();
    }

    @ParameterizedTest(name = "{0}, {1}, {2}, cleaner: {3}")
    @MethodSource("cases")
    void cacheAgreesWithTheModel(String policy, ClockHand hand, KeyTableKind table, boolean cleaner) throws Exception {
        Counters counters = new Counters();
        HolderCache<Integer, Counter, IOException> cache = builder(counters)
                .policy(policy)
                .tuning(t -> t.hand(hand).table(table))
                .build();

        new ModelRun(cache, counters, SEED).run(STEPS, SECONDS / cases().size(), cleaner);
    }

    @Test
    void modelFindsThatDirtyHoldersAreLost() {
        Counters forgetful = new Counters() {
            @Override
            public boolean isDirty(Counter holder) {
                return super.isDirty(holder) && ThreadLocalRandom.current().nextInt(50) > 0;
            }
        };

        assertThatThrownBy(
                        () -> new ModelRun(impatient(forgetful).build(), forgetful, SEED).run(STEPS_TO_CATCH, 0, false))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed " + SEED);
    }

    @Test
    void modelFindsThatHoldersAreNotCleared() {
        Counters hoarding = new Counters() {
            @Override
            public void clear(Counter holder) {
                if (ThreadLocalRandom.current().nextInt(50) > 0) {
                    super.clear(holder);
                }
            }
        };

        assertThatThrownBy(
                        () -> new ModelRun(impatient(hoarding).build(), hoarding, SEED).run(STEPS_TO_CATCH, 0, false))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed " + SEED);
    }

    @Test
    void modelFindsThatAVictimIsNamedTwice() {
        Counters counters = new Counters();
        HolderCache<Integer, Counter, IOException> cache =
                impatient(counters).build(new ForgetfulPolicy(Policies.create(Policies.DEFAULT, 8)));

        assertThatThrownBy(() -> new ModelRun(cache, counters, SEED).run(STEPS_TO_CATCH, 0, false))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed " + SEED);
    }

    private static HolderCacheBuilder<Integer, Counter, IOException> builder(Counters counters) {
        return HolderCache.builder(counters)
                .frames(8)
                .maxFrames(80)
                .exhaustedAfter(Patience.PATIENCE)
                .waitTimeout(Patience.PATIENCE)
                .onLongWait(LongWaitHandler.GIVE_UP);
    }

    /** For caches with a fault: threads that wait for ever after it end soon. */
    private static HolderCacheBuilder<Integer, Counter, IOException> impatient(Counters counters) {
        return builder(counters).exhaustedAfter(Duration.ofSeconds(5)).waitTimeout(Duration.ofSeconds(5));
    }

    /** Returns a victim that it has claimed before, without a claim, at times. */
    private static final class ForgetfulPolicy extends ForwardingPolicy {
        private final AtomicInteger last = new AtomicInteger(NONE);

        ForgetfulPolicy(ReplacementPolicy policy) {
            super(policy);
        }

        @Override
        public int evict(long incomingIdentity, Claims claims) {
            int before = last.get();
            if (before != NONE && ThreadLocalRandom.current().nextInt(100) == 0) {
                return before;
            }
            int victim = super.evict(incomingIdentity, claims);
            last.set(victim);
            return victim;
        }
    }
}
