// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LongWaitHandler;
import io.clockhand.testing.Tier;
import java.time.Duration;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Pages are counters: three counters behind a cache of two frames. A page that is lost, stale or there twice becomes a
 * wrong number, and Lincheck prints the interleaving. {@code -Dclockhand.lincheck.effort=5} looks at 25 times as many.
 */
class LincheckCountersTest {
    private static final int EFFORT = Integer.getInteger("clockhand.lincheck.effort", Tier.pick(1, 1, 3));

    /** The counters without a cache: the sequential specification. */
    public static final class Plain {
        private final long[] counters = new long[3];

        public long read(int key) {
            return counters[key];
        }

        public long inc(int key) {
            return ++counters[key];
        }
    }

    /** The operations; the constructor makes a fresh cache for every run. */
    @Param(name = "key", gen = IntGen.class, conf = "0:2")
    public abstract static class Counted {
        private final CounterStore store;

        Counted(CounterStore store) {
            this.store = store;
        }

        @Operation
        public long read(@Param(name = "key") int key) {
            return store.read(key);
        }

        @Operation
        public long inc(@Param(name = "key") int key) {
            return store.inc(key);
        }
    }

    /** The real cache. */
    public static final class Real extends Counted {
        public Real() {
            super(new HolderCounters(HolderCache.builder(new PlainCounters())
                    .frames(2)
                    .maxFrames(2)
                    .exhaustedAfter(Duration.ofMinutes(10))
                    .waitTimeout(Duration.ofMinutes(10))
                    .onLongWait(LongWaitHandler.GIVE_UP)
                    .build()));
        }
    }

    /** The published algorithm, which must fail. */
    public static final class Published extends Counted {
        public Published() {
            super(new PublishedCache(2, new Counters(), 0));
        }
    }

    private static <O extends Options<O, ?>> O small(O options) {
        return options.threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(Plain.class);
    }

    @Test
    void cacheIsLinearizableUnderModelChecking() {
        small(new ModelCheckingOptions())
                .iterations(Tier.pick(1, 6, 6) * EFFORT)
                .invocationsPerIteration(Tier.pick(50, 200, 200) * EFFORT)
                .check(Real.class);
    }

    @Test
    void cacheIsLinearizableUnderStress() {
        small(new StressOptions())
                .iterations(Tier.pick(2, 6, 6) * EFFORT)
                .invocationsPerIteration(Tier.pick(200, 500, 500) * EFFORT)
                .check(Real.class);
    }

    @Test
    @Tag("ci")
    void modelCheckingFindsTheFaultsOfThePublishedAlgorithm() {
        ModelCheckingOptions options = small(new ModelCheckingOptions())
                .iterations(30)
                .invocationsPerIteration(1_000)
                .minimizeFailedScenario(false);

        assertThatThrownBy(() -> options.check(Published.class)).isInstanceOf(LincheckAssertionError.class);
    }
}
