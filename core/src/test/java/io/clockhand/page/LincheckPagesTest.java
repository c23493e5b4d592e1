// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.policy.PoliciesForTests;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
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
 * Three pages in two frames; each page is stamped with its number. A frame that is reused too early, or a page that is
 * in two frames, gives a wrong stamp. {@code -Dclockhand.lincheck.effort=5} runs 25 times as many
 * interleavings.
 */
class LincheckPagesTest {
    private static final int EFFORT = Integer.getInteger("clockhand.lincheck.effort", Tier.pick(1, 1, 3));

    /** The stamps of the pages: the sequential specification. */
    public static final class Plain {
        public long pinned(int page) {
            return (byte) StampedStore.stamp(page);
        }

        public long optimistic(int page) {
            return (byte) StampedStore.stamp(page);
        }
    }

    /** The operations; the constructor makes a fresh pool for every run. */
    @Param(name = "page", gen = IntGen.class, conf = "0:2")
    public abstract static class Pages {
        /** The last byte of the stamp: Lincheck does not know the handles by which longer ones are read. */
        private static final int STAMP = 7;

        private final BufferPool pool;
        private final boolean validates;
        private final AtomicInteger between = new AtomicInteger();

        Pages(PageIn pageIn, boolean validates) {
            this.validates = validates;
            try {
                pool = Pools.builder()
                        .pageBytes(StampedStore.PAGE_BYTES)
                        .frames(2)
                        .tuning(t -> t.pageIn(pageIn))
                        .exhaustedAfter(Duration.ofMinutes(10))
                        .waitTimeout(Duration.ofMinutes(10))
                        .build(PoliciesForTests.firstInFirstOut(2)); // so that one miss can throw any page out
                pool.open(0, new StampedStore(3));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Operation
        public long pinned(@Param(name = "page") int page) throws IOException {
            try (PageGuard guard = pool.fix(page)) {
                return guard.getByte(STAMP);
            }
        }

        @Operation
        public long optimistic(@Param(name = "page") int page) throws IOException {
            try (OptimisticPage reader = pool.newOptimisticPage()) {
                long value;
                do {
                    reader.read(page);
                    between.get(); // a shared word, so that the model checker switches threads here
                    value = reader.getByte(STAMP);
                } while (validates && !reader.validateAndRelease());
                return value;
            }
        }
    }

    /** The real pool, coalesced. */
    public static final class Coalesced extends Pages {
        public Coalesced() {
            super(PageIn.COALESCED, true);
        }
    }

    /** The real pool, optimistic. */
    public static final class Optimistic extends Pages {
        public Optimistic() {
            super(PageIn.OPTIMISTIC, true);
        }
    }

    /** A reader that believes what it has read, which must fail. */
    public static final class Unvalidated extends Pages {
        public Unvalidated() {
            super(PageIn.COALESCED, false);
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
    @Tag("ci")
    void pagesAreRightUnderModelChecking() {
        for (Class<?> pool : new Class<?>[] {Coalesced.class, Optimistic.class}) {
            small(new ModelCheckingOptions())
                    .iterations(4 * EFFORT)
                    .invocationsPerIteration(200 * EFFORT)
                    .check(pool);
        }
    }

    @Test
    void pagesAreRightUnderStress() {
        for (Class<?> pool : new Class<?>[] {Coalesced.class, Optimistic.class}) {
            small(new StressOptions())
                    .iterations(Tier.pick(1, 4, 4) * EFFORT)
                    .invocationsPerIteration(Tier.pick(150, 300, 300) * EFFORT)
                    .check(pool);
        }
    }

    /** Under stress, since the model checker does not switch threads between reads of memory outside the heap. */
    @Test
    @Tag("ci")
    void stressFindsAReaderThatDoesNotValidate() {
        StressOptions options = new StressOptions()
                .threads(3)
                .actorsPerThread(4)
                .actorsBefore(2)
                .actorsAfter(1)
                .iterations(200)
                .invocationsPerIteration(5_000)
                .sequentialSpecification(Plain.class)
                .minimizeFailedScenario(false);

        assertThatThrownBy(() -> options.check(Unvalidated.class)).isInstanceOf(LincheckAssertionError.class);
    }
}
