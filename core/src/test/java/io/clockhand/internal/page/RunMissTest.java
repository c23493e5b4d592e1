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
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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
    private final List<Integer> targetsOfRuns = new ArrayList<>();
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
                public void readRun(long first, ByteBuffer[] targets, int count) {
                    assertThat(readsRuns).as("the source reads runs").isTrue();
                    targetsOfRuns.add(count);
                    stampRun(first, targets, count);
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
        assertThatCode(() -> {
                    for (int id = 20; id < 26; id++) {
                        pool.unpin(pool.pin(id));
                    }
                })
                .as("a miss that takes a frame which a run gave up")
                .doesNotThrowAnyException();
        expectResident(20, 6);
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
        assertThatThrownBy(() -> pool.pin(22), "the first page of a run").isEqualTo(onLoad);
        expectResident(20, 6);
    }

    /** Whatever order the frames come in, the pages of a run lie together if their buffers do. */
    @Test
    void pagesOfARunLieInNeighbouringBuffers() throws IOException {
        assertThat(pool.prefetch(0, 4, run)).isEqualTo(4);
        for (int id = 100; id < 100 + 2 * FRAMES; id++) {
            pool.unpin(pool.pin(id));
        }
        assertThat(pool.prefetch(4, 4, run)).isEqualTo(4);
        assertThat(targetsOfRuns).as("targets of each run").containsExactly(1, 1);
        for (long id = 4; id < 8; id++) {
            int frame = pool.pin(id);
            assertThat(pool.memory().getLong(pool.buffer(frame), 504)).isEqualTo(id);
            pool.unpin(frame);
        }
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
