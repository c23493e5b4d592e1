// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.FileBeingTruncatedException;
import io.clockhand.NoSuchPageException;
import io.clockhand.policy.PoliciesForTests;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 * A file of two stamped pages in a pool of two frames: pages are read, created as zeros, and truncated. A truncated
 * page that reappears, or a page that is created twice, gives a wrong number.
 */
class LincheckFilesTest {
    private static final int EFFORT = Integer.getInteger("clockhand.lincheck.effort", Tier.pick(1, 1, 3));
    /** More than the numbers in a page: Lincheck takes longer loops for live-locks. */
    private static final int LONGEST_LOOP = 1_000;

    private static final long PAGES = 2;
    private static final long NONE = -1;

    /** The file as a list of the stamps of its pages: the sequential specification. */
    public static final class Plain {
        private final List<Long> pages = new ArrayList<>();

        public Plain() {
            for (long page = 0; page < PAGES; page++) {
                pages.add((long) (byte) StampedStore.stamp(page));
            }
        }

        public long read(int page) {
            return page < pages.size() ? pages.get(page) : NONE;
        }

        public long create() {
            pages.add(0L);
            return pages.size() - 1L;
        }

        public boolean truncate(int keep) {
            if (keep > pages.size()) {
                return false;
            }
            pages.subList(keep, pages.size()).clear();
            return true;
        }
    }

    /** The operations; the constructor makes a fresh pool for every run. */
    @Param(name = "page", gen = IntGen.class, conf = "0:2")
    public abstract static class Files {
        /** The last byte of the stamp: Lincheck does not know the handles by which longer ones are read. */
        private static final int STAMP = 7;

        private final BufferPool pool;
        private final PagedFile file;

        Files(PageIn pageIn, StampedStore store) {
            try {
                pool = Pools.builder()
                        .tuning(t -> t.flushThreads(0)) // they would be no threads of the model
                        .pageBytes(StampedStore.PAGE_BYTES)
                        .frames(2)
                        .tuning(t -> t.pageIn(pageIn))
                        .exhaustedAfter(Duration.ofMinutes(10))
                        .waitTimeout(Duration.ofMinutes(10))
                        .build(PoliciesForTests.firstInFirstOut(2));
                file = pool.open(0, store);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Operation
        public long read(@Param(name = "page") int page) throws IOException {
            try (PageGuard guard = pool.fix(page)) {
                return guard.getByte(STAMP);
            } catch (NoSuchPageException e) {
                return NONE;
            }
        }

        @Operation
        public long create() throws IOException {
            for (; ; ) {
                try (WritablePage guard = file.create()) {
                    return guard.id();
                } catch (FileBeingTruncatedException e) {
                    // another thread uses a page that a truncation removes
                }
            }
        }

        @Operation
        public boolean truncate(@Param(name = "page") int keep) throws IOException {
            try {
                file.truncate(keep);
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
    }

    /** The real pool, coalesced. */
    public static final class Coalesced extends Files {
        public Coalesced() {
            super(PageIn.COALESCED, new StampedStore(PAGES));
        }
    }

    /** The real pool, optimistic. */
    public static final class Optimistic extends Files {
        public Optimistic() {
            super(PageIn.OPTIMISTIC, new StampedStore(PAGES));
        }
    }

    /** A store that returns truncated pages again, which must fail. */
    public static final class Forgetful extends Files {
        public Forgetful() {
            super(PageIn.COALESCED, new StampedStore(PAGES) {
                @Override
                public void read(long page, ByteBuffer target) {
                    fill(target, 0, stamp(page), 0);
                }
            });
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
    void filesAreRightUnderModelChecking() {
        for (Class<?> files : new Class<?>[] {Coalesced.class, Optimistic.class}) {
            small(new ModelCheckingOptions())
                    .loopBound(LONGEST_LOOP)
                    .iterations(2 * EFFORT)
                    .invocationsPerIteration(100 * EFFORT)
                    .check(files);
        }
    }

    @Test
    void filesAreRightUnderStress() {
        for (Class<?> files : new Class<?>[] {Coalesced.class, Optimistic.class}) {
            small(new StressOptions())
                    .iterations(Tier.pick(1, 3, 3) * EFFORT)
                    .invocationsPerIteration(Tier.pick(100, 200, 200) * EFFORT)
                    .check(files);
        }
    }

    @Test
    @Tag("ci")
    void modelCheckingFindsATruncatedPageThatReappears() {
        ModelCheckingOptions options = small(new ModelCheckingOptions())
                .loopBound(LONGEST_LOOP)
                .iterations(100)
                .invocationsPerIteration(200)
                .minimizeFailedScenario(false);

        assertThatThrownBy(() -> options.check(Forgetful.class)).isInstanceOf(LincheckAssertionError.class);
    }
}
