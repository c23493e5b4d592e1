// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LongWaitHandler;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import io.clockhand.policy.Policies;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Misses of several adjacent pages, step by step. */
class RunMissTest {
    private static final int FRAMES = 64;
    private static final Duration SHORT = Duration.ofMillis(20);

    /** Called before a page is mapped. */
    private Callable<Void> onMap = () -> null;

    private RuntimeException onLoad;
    private boolean readsRuns = true;
    private final PageRun run = new PageRun();

    private final PagePool pool = new PagePool(
            new PoolOptions(
                    "",
                    FRAMES,
                    FRAMES,
                    true,
                    SHORT,
                    "",
                    IllegalStateException::new,
                    SHORT,
                    LongWaitHandler.GIVE_UP::onLongWait),
            512,
            new ForwardingPolicy(Policies.create("nb-gclock3", FRAMES)) {
                @Override
                public void onLoad(int frame, long id, int generation) {
                    super.onLoad(frame, id, generation);
                    if (onLoad != null) {
                        throw onLoad;
                    }
                }
            },
            (rows, states) -> watched(Pools.newTable(rows, states)),
            new StampedPages() {
                @Override
                public int run(long id, int most) {
                    return readsRuns ? most : 1;
                }

                @Override
                public void readRun(long first, ByteBuffer[] targets, int pages) throws IOException {
                    assertThat(readsRuns).as("the source reads runs").isTrue();
                    super.readRun(first, targets, pages);
                }
            },
            true,
            false);

    private PageTable watched(PageTable table) {
        return (PageTable) Proxy.newProxyInstance(
                PageTable.class.getClassLoader(), new Class<?>[] {PageTable.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("putIfAbsent")) {
                        Callable<Void> before = onMap;
                        onMap = () -> null;
                        before.call();
                    }
                    try {
                        return method.invoke(table, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void expectResident(long first, int pages) {
        for (long id = first; id < first + pages; id++) {
            assertThat(pool.isResident(id)).as("page %d is in memory", id).isTrue();
        }
        assertThat(pool.pinned()).isZero();
        pool.checkIntegrity();
    }

    @Test
    void runEndsBeforeAPageThatAnotherThreadMapsMeanwhile() throws IOException {
        pool.prefetch(100, 1, run);
        onMap = () -> {
            onMap = () -> {
                pool.unpin(pool.pin(8));
                return null;
            };
            return null;
        };
        assertThat(pool.prefetch(7, 4, run)).isOne();
        expectResident(7, 2);
        assertThat(pool.isResident(9)).isFalse();
    }

    /** The buffer of such a frame is not reserved in a run any more when the next page is bound to it. */
    @Test
    void frameThatARunGaveUpIsUsedAgain() throws IOException {
        onMap = () -> {
            pool.unpin(pool.pin(8)); // the run finds it mapped, and gives its frame up
            return null;
        };
        assertThat(pool.prefetch(8, 2, run)).as("the first page is in memory").isOne();
        assertThat(run.mapped()).isZero();
        assertThatCode(() -> pool.unpin(pool.pin(20)))
                .as("a miss that takes a frame which a run gave up")
                .doesNotThrowAnyException();
        expectResident(20, 1);
    }

    @Test
    void runEndsWhereNoBufferIsFree() throws IOException {
        FrameMemory memory = pool.memory();
        Deque<Integer> buffers = new ArrayDeque<>();
        for (int buffer = memory.poll(); buffer != FrameMemory.NONE; buffer = memory.poll()) {
            buffers.add(buffer);
        }
        memory.offer(buffers.poll());
        memory.offer(buffers.poll());
        assertThat(pool.prefetch(7, 4, run)).isEqualTo(2);
        assertThat(run.lacksFrame()).isTrue();
        assertThat(pool.prefetch(9, 4, run)).isZero();
        buffers.forEach(memory::offer);
        expectResident(7, 2);
    }

    /** As a single page is: other threads wait for it. */
    @Test
    void pagesOfWhichThePolicyThrowsAreLoadedAllTheSame() throws IOException {
        onLoad = new IllegalStateException("the policy");
        assertThat(pool.prefetch(7, 4, run)).isEqualTo(4);
        assertThat(run.read()).isEqualTo(4);
        expectResident(7, 4);

        pool.useReadAhead(PageRun.MOST_PAGES, (first, pages) -> {});
        assertThatThrownBy(() -> pool.pin(20)).isEqualTo(onLoad);
        onLoad = null;
        pool.unpin(pool.pin(21));
        onLoad = new IllegalStateException("the policy");
        assertThatThrownBy(() -> pool.pin(25), "the first page of a run").isEqualTo(onLoad);
        expectResident(20, 9);
    }

    @Test
    void prefetchOfASourceWithoutRunsReadsOnePage() throws IOException {
        readsRuns = false;
        assertThat(pool.prefetch(7, 4, run)).isOne();
        expectResident(7, 1);
    }

    @Test
    void runTakesASixteenthOfTheFramesAtMost() throws IOException {
        assertThat(pool.prefetch(7, 64, run)).isEqualTo(FRAMES / 16);
        pool.resize(10);
        assertThat(pool.prefetch(107, 64, run)).isOne();
    }
}
