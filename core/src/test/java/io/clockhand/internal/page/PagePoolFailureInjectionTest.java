// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PoolFailedException;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.testing.FailingCalls;
import io.clockhand.testing.FailingCalls.Kind;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers.Work;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each call of a page table or a source of pages fails once, or from some call on: no frame, pin, share or buffer is
 * lost.
 */
@Tag("both-tables")
class PagePoolFailureInjectionTest {
    private static final int FRAMES = 3;
    private static final int PAGES = 8;
    private static final int LEAST_CALLS = 10;
    private static final int MOST_CALLS = 1_000;

    private final FailingCalls calls = new FailingCalls();

    static Stream<Arguments> settings() {
        return Stream.of(Kind.values())
                .flatMap(kind -> Stream.of(true, false)
                        .flatMap(optimistic -> Stream.of(true, false)
                                .filter(once -> once.equals(optimistic) || Tier.current() != Tier.DEFAULT)
                                .map(once -> Arguments.of(kind, optimistic, once))));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void callThatFailsLosesNothing(Kind kind, boolean optimistic, boolean once) throws Exception {
        boolean failed = true;
        int call = 0;
        while (failed) {
            assertThat(++call).isLessThan(MOST_CALLS);
            PagePool pool = pool(optimistic);
            calls.failAt(call, kind, once);
            use(pool);
            calls.succeed();
            failed = calls.hasFailed();
            if (hasFailed(pool)) {
                // Calls after the first that fails may fail, too: then the pool cannot take a step back.
                assertThat(!once || calls.place().contains("PageTable.remove"))
                        .as("%s fails the pool", calls.place())
                        .isTrue();
                assertThatThrownBy(() -> pool.invalidate(0, 0, false)).isInstanceOf(PoolFailedException.class);
                continue;
            }
            pool.invalidate(PAGES, PAGES + 1, false); // one that failed is repeated, as a truncation is
            try {
                expectWhole(pool);
            } catch (Throwable failure) {
                throw new AssertionError("after the failure of " + calls.place() + ": " + failure, failure);
            }
        }
        assertThat(call).isGreaterThan(LEAST_CALLS);
    }

    private PagePool pool(boolean optimistic) {
        calls.succeed();
        return new PagePool(
                new PoolOptions(
                        "",
                        FRAMES,
                        FRAMES,
                        true,
                        Duration.ofMinutes(2),
                        "",
                        IllegalStateException::new,
                        Duration.ofMinutes(2),
                        (what, waited) -> {
                            throw new AssertionError(what);
                        }),
                512,
                Policies.create(Policies.DEFAULT, ClockHand.DEFAULT, FRAMES),
                (frames, states) -> calls.failing(PageTable.class, Pools.newTable(frames, states), "size"),
                calls.failing(PageSource.class, new StampedPages()),
                optimistic,
                false);
    }

    private static boolean hasFailed(PagePool pool) {
        return pool.framePool().failure().hasFailed();
    }

    private void attempt(PagePool pool, Work work) {
        try {
            work.run();
        } catch (PoolFailedException failure) {
            assertThat(hasFailed(pool)).as("%s", failure).isTrue();
        } catch (Throwable failure) {
            assertThat(calls.isInjected(failure)).as("%s", failure).isTrue();
        }
    }

    private void use(PagePool pool) {
        FrameRef read = pool.newRef();
        for (long page = 0; page < PAGES; page++) {
            long id = page;
            attempt(pool, () -> pool.unpin(pool.pin(id)));
            attempt(pool, () -> {
                int frame = pool.share(id, read);
                if (frame == PagePool.SHARED) {
                    read.endShare();
                } else {
                    pool.unpin(frame);
                }
            });
            attempt(pool, () -> {
                int frame = pool.tryPin(id);
                if (frame != PagePool.NONE) {
                    pool.unpin(frame);
                }
            });
            attempt(pool, () -> {
                if (pool.tryShare(id, read)) {
                    read.endShare();
                }
            });
            attempt(pool, () -> pool.beginUnpinned(id, read));
        }
        attempt(pool, () -> {
            PageRun run = new PageRun();
            pool.prefetch(0, 1, run);
            assertThat(hasFailed(pool) || run.read() + run.failed() == 1)
                    .as("read or failed")
                    .isTrue();
        });
        attempt(pool, () -> pool.unpin(pool.create(PAGES, 0)));
        attempt(pool, () -> pool.invalidate(PAGES, PAGES + 1, false));
        attempt(pool, () -> pool.unpin(pool.pin(PAGES)));
    }

    private static void expectWhole(PagePool pool) throws Exception {
        assertThat(pool.pinned()).isZero();
        pool.checkIntegrity();
        for (int round = 0; round < 2; round++) {
            int[] pinned = new int[FRAMES];
            for (int i = 0; i < FRAMES; i++) {
                pinned[i] = pool.pin(i + (long) round * FRAMES);
                assertThat(pool.memory().getLong(pool.buffer(pinned[i]), 0)).isEqualTo(i + (long) round * FRAMES);
            }
            for (int frame : pinned) {
                pool.unpin(frame);
            }
        }
        pool.checkIntegrity();
    }
}
