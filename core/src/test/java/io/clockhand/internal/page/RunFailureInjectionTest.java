// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PoolFailedException;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.FailingCalls;
import io.clockhand.testing.FailingCalls.Kind;
import io.clockhand.testing.Pools;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each call of table, policy and source fails once while runs are read: no page stays mapped and not loaded. */
@Tag("both-tables")
class RunFailureInjectionTest {
    private static final int FRAMES = 64;
    private static final int PAGES = 40;
    private static final int LEAST_CALLS = 200;

    private final FailingCalls calls = new FailingCalls();

    private PagePool pool(String policy) {
        calls.succeed();
        PagePool pool = new PagePool(
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
                calls.failing(ReplacementPolicy.class, Policies.create(policy, FRAMES)),
                (frames, states) -> calls.failing(PageTable.class, Pools.newTable(frames, states), "size"),
                calls.failing(
                        PageSource.class,
                        new StampedPages() {
                            @Override
                            public int run(long id, int most) {
                                return (int) Math.max(1, Math.min(most, PAGES - id));
                            }

                            @Override
                            public void readRun(long first, ByteBuffer[] targets, int count) {
                                stampRun(first, targets, count);
                            }
                        },
                        "run"),
                true,
                false);
        pool.useReadAhead(PageRun.MOST_PAGES, (first, pages) -> {});
        return pool;
    }

    private static boolean hasFailed(PagePool pool) {
        return pool.framePool().failure().hasFailed();
    }

    @ParameterizedTest
    @CsvSource({
        "EXCEPTION, nb-gclock3",
        "OUT_OF_MEMORY, nb-gclock3",
        "ERROR, lru",
        "EXCEPTION, lru",
    })
    void callThatFailsLeavesNoPageOfARunBehind(Kind kind, String policy) throws Exception {
        boolean failed = true;
        int call = 0;
        while (failed) {
            PagePool pool = pool(policy);
            calls.failAt(++call, kind, true);
            use(pool);
            calls.succeed();
            failed = calls.hasFailed();
            if (!hasFailed(pool)) {
                expectWhole(pool);
            }
        }
        assertThat(call).isGreaterThan(LEAST_CALLS);
    }

    private interface Work {
        void run() throws Exception;
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

    /** The second half finds all frames in use, so pages are evicted. */
    private void use(PagePool pool) {
        PageRun run = new PageRun();
        FrameRef read = pool.newRef();
        for (int page = 0; page < 12; page++) {
            long id = page;
            attempt(pool, () -> pool.unpin(pool.pin(id)));
        }
        attempt(pool, () -> pool.prefetch(14, 4, run));
        for (int page = 0; page < FRAMES; page++) {
            long id = 1000L + 2L * page;
            attempt(pool, () -> pool.unpin(pool.pin(id)));
        }
        for (int page = 20; page < 30; page++) {
            long id = page;
            attempt(pool, () -> {
                int frame = page(pool, id, read);
                if (frame == PagePool.SHARED) {
                    read.endShare();
                } else {
                    pool.unpin(frame);
                }
            });
        }
        attempt(pool, () -> pool.prefetch(36, 4, run));
    }

    /** Of every second page as a scan reads it. */
    private static int page(PagePool pool, long id, FrameRef read) throws Exception {
        return id % 2 == 0 ? pool.share(id, read) : pool.shareForScan(id, read);
    }

    private void expectWhole(PagePool pool) throws Exception {
        assertThat(pool.pinned())
                .as("pages that are pinned after the failure of %s", calls.place())
                .isZero();
        pool.checkIntegrity();
        for (long id = 0; id < PAGES; id++) {
            int frame = pool.pin(id);
            assertThat(pool.memory().getLong(pool.buffer(frame), 0)).isEqualTo(id);
            pool.unpin(frame);
        }
        pool.checkIntegrity();
    }
}
