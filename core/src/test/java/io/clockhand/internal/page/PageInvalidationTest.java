// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LongWaitHandler;
import io.clockhand.NoSuchPageException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pages that a truncation removes while threads use them. */
@Tag("both-tables")
class PageInvalidationTest {
    private static final int FRAMES = 4;
    private static final int PAGE = 7;
    private static final int GREATEST_PINS = 65_535;
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final PoolOptions OPTIONS = optionsOf(FRAMES);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean invalidating;
    private FrameStates states;
    private PageTable table;

    private final PagePool pool = new PagePool(
            OPTIONS,
            512,
            Policies.create(Policies.DEFAULT, ClockHand.DEFAULT, FRAMES),
            (frames, made) -> {
                states = made;
                table = new StaleHints(Pools.newTable(frames, made));
                return table;
            },
            new StampedPages(),
            true,
            false);

    private static PoolOptions optionsOf(int frames) {
        return new PoolOptions(
                "",
                frames,
                frames,
                true,
                LONG,
                "",
                IllegalStateException::new,
                LONG,
                LongWaitHandler.GIVE_UP::onLongWait);
    }

    /** It needs a pin of its own to unmap the page, and another one to wait for the users. */
    @Test
    void pageWithTheGreatestNumberOfPinsIsUnmappedWhenOneGoesAndEvictedWhenAllHaveGone() throws IOException {
        int frame = pool.pin(PAGE);
        for (int i = 1; i < GREATEST_PINS; i++) {
            states.tryPin(frame, 0);
        }
        assertThat(states.tryPin(frame, 0)).isEqualTo(FrameStates.NOT_PINNED);
        Worker<Void> invalidation = workers.run(() -> pool.invalidate(PAGE, PAGE, false));
        invalidation.awaitParked();
        assertThat(table.find(PAGE)).isEqualTo(frame);

        pool.unpin(frame);

        Workers.await(() -> table.find(PAGE) == PageTable.NONE, "the page is not unmapped");
        invalidation.awaitParked();
        for (int i = 1; i < GREATEST_PINS; i++) {
            pool.unpin(frame);
        }
        invalidation.result();
        assertThat(FrameState.isFree(states.state(frame))).isTrue();
        pool.checkIntegrity();
    }

    /** The first thread that used a page goes on to do so, and others must not find it, whatever a hint says. */
    @Test
    void pageThatWasInvalidatedIsNotFoundByAHintWhileAThreadUsesIt() throws IOException {
        FrameRef user = pool.newRef();
        assertThat(pool.share(PAGE, user)).isEqualTo(PagePool.SHARED);
        FrameRef late = pool.newRef();
        assertThat(pool.shareAtOnce(PAGE, late)).as("a hint leads to the page").isNotNegative();
        late.endShare();

        invalidating = true;
        Worker<Void> invalidation = workers.run(() -> pool.invalidate(PAGE, PAGE, false));
        Workers.await(() -> table.find(PAGE) == PageTable.NONE, "the page is not unmapped");
        invalidation.awaitParked();
        invalidating = false;
        assertThat(refused).as("pages marked, then unmapped").hasValue(1);

        assertThat(pool.shareAtOnce(PAGE, late)).isNegative();
        assertThat(pool.tryBeginUnpinned(PAGE, late)).isFalse();
        assertThat(pool.beginUnpinned(PAGE, late)).isFalse();
        int other = pool.pin(PAGE);
        assertThat(other).as("the frame of another copy").isNotEqualTo(user.frame());
        pool.unpin(other);

        user.endShare();
        invalidation.result();
        pool.checkIntegrity();
    }

    /**
     * Remembers the frame of a page for ever, as a hint that is set late may. Unmaps only a page that is refused
     * already: else a thread could find the page in between, although the table has lost it.
     */
    private class StaleHints implements PageTable {
        private final PageTable table;
        private final Map<Long, Integer> hints = new ConcurrentHashMap<>();

        StaleHints(PageTable table) {
            this.table = table;
        }

        @Override
        public int find(long id) {
            return table.find(id);
        }

        @Override
        public int peek(long id) {
            return hints.getOrDefault(id, NONE);
        }

        @Override
        public int putIfAbsent(long id, int frame) {
            hints.putIfAbsent(id, frame);
            return table.putIfAbsent(id, frame);
        }

        @Override
        public boolean remove(long id, int frame) {
            if (invalidating) {
                assertThat(pool.newRef().begin(frame, id))
                        .as("the page is found before it is unmapped")
                        .isFalse();
                refused.incrementAndGet();
            }
            return table.remove(id, frame);
        }

        @Override
        public int size() {
            return table.size();
        }
    }

    /** The first reader's failure has unmapped the page, so no look-up finds it. */
    @Test
    void threadThatReadsAPageWhichAnotherCouldNotReadIsWaitedFor() throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger reads = new AtomicInteger();
        AtomicInteger lookUps = new AtomicInteger();
        AtomicBoolean gone = new AtomicBoolean();
        PagePool pool = pool(LONG, lookUps::getAndIncrement, new TwoReads(gone, reads, new CountDownLatch(0), end));
        Worker<Integer> first = workers.start(() -> pool.pin(PAGE));
        Workers.await(() -> reads.get() == 1, "the page is not read");
        Worker<Integer> second = workers.start(() -> pool.pin(PAGE));
        assertThat(first.failure()).hasMessageContaining("injected");

        gone.set(true);
        pool.invalidate(PAGE + 1, PAGE + 1, false); // looks at all frames, and meets the page
        Worker<Void> invalidation = workers.run(() -> pool.invalidate(PAGE, PAGE, false));
        invalidation.awaitParked();
        end.countDown();
        invalidation.result();
        assertThat(second.failure()).isInstanceOf(NoSuchPageException.class);

        lookUps.set(0);
        pool.invalidate(PAGE, PAGE, false);
        assertThat(lookUps).as("look-ups when no page is hidden any more").hasValue(1);
        pool.checkIntegrity();
    }

    /** Two threads read the page at once: the first read fails, and the second one goes on until it may end. */
    private static final class TwoReads extends StampedPages {
        private final CountDownLatch both = new CountDownLatch(2);
        private final AtomicBoolean gone;
        private final AtomicInteger reads;
        private final CountDownLatch fail;
        private final CountDownLatch end;

        TwoReads(AtomicBoolean gone, AtomicInteger reads, CountDownLatch fail, CountDownLatch end) {
            this.gone = gone;
            this.reads = reads;
            this.fail = fail;
            this.end = end;
        }

        @Override
        public void check(long id) {
            if (gone.get()) {
                throw new NoSuchPageException("truncated");
            }
        }

        @Override
        public void read(long id, ByteBuffer target) throws IOException {
            int turn = reads.getAndIncrement();
            both.countDown();
            await(both);
            if (turn == 0) {
                await(fail);
                throw new IOException("injected");
            }
            await(end);
            super.read(id, target);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The first reader's failure hides the page after the invalidation has begun, and before it looks the page up. */
    @Test
    void threadThatReadsAPageWhichIsHiddenDuringTheLookUpIsWaitedFor() throws IOException {
        CountDownLatch fail = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger reads = new AtomicInteger();
        AtomicBoolean gone = new AtomicBoolean();
        AtomicBoolean hidden = new AtomicBoolean();
        List<Worker<Integer>> readers = new ArrayList<>();
        PagePool pool = pool(
                LONG,
                () -> {
                    if (gone.get() && fail.getCount() > 0) { // the look-up of the invalidation
                        fail.countDown();
                        assertThat(readers.get(0).failure()).hasMessageContaining("injected");
                        hidden.set(true);
                    }
                },
                new TwoReads(gone, reads, fail, end));
        readers.add(workers.start(() -> pool.pin(PAGE)));
        Workers.await(() -> reads.get() == 1, "the page is not read");
        readers.add(workers.start(() -> pool.pin(PAGE)));
        Workers.await(() -> reads.get() == 2, "the page is not read by two threads");

        gone.set(true);
        Worker<Void> invalidation = workers.run(() -> pool.invalidate(PAGE, PAGE, false));
        Workers.await(hidden::get, "the page is not hidden");
        invalidation.awaitParked();
        end.countDown();
        invalidation.result();
        assertThat(readers.get(1).failure()).isInstanceOf(NoSuchPageException.class);
        pool.checkIntegrity();
    }

    @Test
    void pageThatATimeOutHasLeftBehindIsEvictedByTheNextCall() throws IOException {
        PagePool pool = pool(Duration.ofMillis(20), () -> {}, new StampedPages());
        FrameRef user = pool.newRef();
        assertThat(pool.share(PAGE, user)).isEqualTo(PagePool.SHARED);
        assertThatThrownBy(() -> pool.invalidate(PAGE, PAGE, false)).isInstanceOf(WaitTimeoutException.class);
        user.endShare();

        pool.invalidate(PAGE, PAGE, false);

        assertThat(FrameState.isFree(states.state(user.frame())))
                .as("whether the frame is free whose page was in use for too long")
                .isTrue();
        pool.checkIntegrity();
    }

    /** A pool of its own. */
    private PagePool pool(Duration patience, Runnable beforeLookUp, PageSource source) {
        PoolOptions options = new PoolOptions(
                "",
                FRAMES,
                FRAMES,
                true,
                patience,
                "",
                IllegalStateException::new,
                patience,
                LongWaitHandler.GIVE_UP::onLongWait);
        return new PagePool(
                options,
                512,
                Policies.create(Policies.DEFAULT, ClockHand.DEFAULT, FRAMES),
                (frames, made) -> {
                    states = made;
                    return new StaleHints(Pools.newTable(frames, made)) {
                        @Override
                        public int find(long id) {
                            beforeLookUp.run();
                            return super.find(id);
                        }
                    };
                },
                source,
                true,
                false);
    }

    /** The loader looks first before it maps the page, and must look again when it has. */
    @Test
    void pageThatGoesBeforeItIsMappedIsNotReadIn() throws IOException {
        boolean[] exists = {true};
        PagePool[] pools = new PagePool[1];
        pools[0] = new PagePool(
                OPTIONS,
                512,
                Policies.create(Policies.DEFAULT, ClockHand.DEFAULT, FRAMES),
                Pools::newTable,
                new StampedPages() {
                    @Override
                    public void check(long id) {
                        if (!exists[0]) {
                            throw new NoSuchPageException("truncated");
                        }
                        exists[0] = false;
                        invalidate(pools[0]);
                    }
                },
                false,
                false);
        assertThatThrownBy(() -> pools[0].pin(PAGE), "a page that was truncated before it was mapped")
                .isInstanceOf(NoSuchPageException.class);
    }

    @Test
    void runThatGoesBeforeItIsMappedIsNotReadIn() throws IOException {
        PagePool truncated = poolWhosePagesGoBeforeTheyAreMapped();
        PageRun run = new PageRun();
        truncated.prefetch(PAGE, 2, run);
        assertThat(run.mapped()).isEqualTo(2);
        assertThat(run.read())
                .as("pages read that were truncated before they were mapped")
                .isZero();
        assertThat(run.failed()).as("pages that exist and cannot be read").isZero();
        truncated.checkIntegrity();
    }

    @Test
    void installedPageThatGoesBeforeItIsMappedIsNotThere() {
        PagePool truncated = poolWhosePagesGoBeforeTheyAreMapped();
        assertThatThrownBy(
                        () -> truncated.install(PAGE, ByteBuffer.allocate(512)),
                        "a page that was truncated before it was mapped")
                .isInstanceOf(NoSuchPageException.class);
        assertThat(truncated.pinned()).isZero();
        truncated.checkIntegrity();
    }

    private static PagePool poolWhosePagesGoBeforeTheyAreMapped() {
        boolean[] exists = {true};
        PagePool[] pools = new PagePool[1];
        pools[0] = new PagePool(
                optionsOf(32),
                512,
                Policies.create(Policies.DEFAULT, ClockHand.DEFAULT, 32),
                Pools::newTable,
                new StampedPages() {
                    @Override
                    public void check(long id) {
                        if (!exists[0]) {
                            throw new NoSuchPageException("truncated");
                        }
                        exists[0] = false;
                        invalidate(pools[0]);
                    }

                    @Override
                    public int run(long id, int most) {
                        return most;
                    }

                    @Override
                    public void readRun(long first, ByteBuffer[] targets, int count) {
                        stampRun(first, targets, count);
                    }
                },
                false,
                false);
        return pools[0];
    }

    private static void invalidate(PagePool pool) {
        try {
            pool.invalidate(PAGE, PAGE, false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
