// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.impatient;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("both-tables")
class PolicySwitchTest {
    @RegisterExtension
    final Workers workers = new Workers();

    private final StampedStore store = new StampedStore(1_000);

    /** Keeps what it is called with. */
    private static final class Journal implements ReplacementPolicy {
        final List<Long> loaded = new ArrayList<>();
        final ReplacementPolicy policy;
        /** Taken by each load, if it is not null. */
        final CountDownLatch gate;

        Journal(int frames, CountDownLatch gate) {
            this.policy = Policies.locked(Policies.singleThreaded("lru", frames), new ReentrantLock());
            this.gate = gate;
        }

        @Override
        public synchronized void onLoad(int frame, long identity, int generation) {
            loaded.add(identity);
            policy.onLoad(frame, identity, generation);
        }

        @Override
        public void onHit(int frame) {
            policy.onHit(frame);
        }

        @Override
        public void onRemove(int frame) {
            policy.onRemove(frame);
        }

        @Override
        public int evict(long incomingIdentity, Claims claims) {
            int frame = policy.evict(incomingIdentity, claims);
            if (gate != null) {
                awaitGate();
            }
            return frame;
        }

        private void awaitGate() {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void onDeclined(int frame) {
            policy.onDeclined(frame);
        }

        @Override
        public void onCapacity(int frames) {
            policy.onCapacity(frames);
        }
    }

    private static void readAll(BufferPool pool, PagedFile file, int from, int to) throws IOException {
        for (int page = from; page < to; page++) {
            expectRight(pool, file, page);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nb-gclock3, lru",
        "lru, nb-gclock3",
        "nb-gclock3, 2r-gclock",
        "2r-gclock, bp:lirs",
        "bp:lirs, buffered:2q",
        "lru, fifo",
        "arc, car",
        "w-tinylfu, s3-fifo",
        "clock-pro, 2r-gclock-adaptive"
    })
    void pagesStayAndTheNextPolicyEvictsThem(String first, String second) throws IOException {
        try (BufferPool pool =
                small().frames(64).policy(first).name("switching").build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 0, 64);
            long reads = store.reads.get();

            pool.switchPolicy(second);

            assertThat(pool.policy()).isEqualTo(second);
            readAll(pool, file, 0, 64);
            assertThat(store.reads).hasValue(reads);
            for (int turn = 0; turn < 3; turn++) {
                readAll(pool, file, 64, 500);
                readAll(pool, file, 0, 64);
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void orderOfTheFormerPolicyIsKeptWhereItTells() throws IOException {
        try (BufferPool pool = small().frames(8).policy("lru").build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 0, 8);
            readAll(pool, file, 0, 4); // 4 to 7 are the coldest

            pool.switchPolicy("fifo");

            readAll(pool, file, 100, 104);
            long reads = store.reads.get();
            readAll(pool, file, 0, 4);
            assertThat(store.reads).hasValue(reads);
        }
    }

    @Test
    void hitsAreRecordedWithAPolicyThatTracksThemAndNotWithOthers() throws IOException {
        try (BufferPool pool = small().frames(8).build();
                OptimisticPage reader = pool.newOptimisticPage()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 0, 8);

            pool.switchPolicy("lru");
            for (int page = 0; page < 4; page++) {
                reader.read(file.id(page)); // makes 4 to 7 the coldest
                assertThat(reader.validateAndRelease()).isTrue();
            }
            readAll(pool, file, 100, 104);
            long reads = store.reads.get();
            readAll(pool, file, 0, 4);
            assertThat(store.reads).hasValue(reads);

            pool.switchPolicy("nb-gclock3");
            assertThat(pool.pages().framePool().tracksAccesses()).isFalse();
            assertThat(pool.pages().framePool().weightCap()).isEqualTo(3);
        }
    }

    @Test
    void pageThatIsBeingReadIsLoadedIntoTheNextPolicy() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        store.beforeRead(page -> {
            if (page == 3) {
                reading.countDown();
                await(goOn);
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 0, 3);
            Workers.Worker<Void> reader = workers.run(() -> {
                expectRight(pool, file, 3);
            });
            await(reading);
            Journal next = new Journal(4, null);
            Workers.Worker<Void> switching = workers.run(() -> {
                pool.switchPolicy("journal", frames -> next);
            });
            Workers.await(() -> pool.pages().framePool().tracksAccesses(), "the policy is not set");
            goOn.countDown();
            reader.result();
            switching.result();

            assertThat(next.loaded).contains(file.id(0), file.id(1), file.id(2), file.id(3));
            readAll(pool, file, 10, 30);
            pool.checkIntegrity();
        }
    }

    /** The switch has the page pinned while it loads it into the next policy; a truncation waits for its pin. */
    @Test
    void endOfTheSwitchsUseOfAPageWakesAThreadThatWaitsForIt() throws Exception {
        Gate loading = new Gate();
        try (BufferPool pool = small().waitTimeout(Duration.ofMinutes(2)).build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 0, 4);
            Workers.Worker<Void> switching = workers.run(() -> {
                pool.switchPolicy("stopping", frames -> new ForwardingPolicy(Policies.create("lru", frames)) {
                    @Override
                    public void onLoad(int frame, long identity, int generation) {
                        if (identity == file.id(2)) {
                            loading.pass();
                        }
                        super.onLoad(frame, identity, generation);
                    }
                });
            });
            loading.awaitReached();
            Workers.Worker<Void> truncating = workers.run(() -> file.truncate(2));
            truncating.awaitParked();
            loading.open();
            switching.result();
            Workers.await(truncating::isDone, "the truncation that waits for a pin of the switch is not woken");
            truncating.result();
            pool.checkIntegrity();
        }
    }

    @Test
    void loadThatLastsTooLongEndsTheSwitchWithTheNextPolicyInForce() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        store.beforeRead(page -> {
            if (page == 3) {
                reading.countDown();
                await(goOn);
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = impatient().build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 0, 3);
            Workers.Worker<Void> reader = workers.run(() -> {
                expectRight(pool, file, 3);
            });
            await(reading);

            assertThatThrownBy(() -> pool.switchPolicy("lru"))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("page 3");

            assertThat(pool.policy()).isEqualTo("lru");
            goOn.countDown();
            reader.result();
            readAll(pool, file, 10, 30);
            List<PageGuard> guards = new ArrayList<>();
            for (int page = 0; page < 4; page++) {
                guards.add(pool.fix(file.id(page))); // every frame is found
            }
            guards.forEach(PageGuard::close);
            pool.checkIntegrity();
        }
    }

    /** The thread has left the search of the former policy with a claim, and the next one must not list the frame. */
    @Test
    void frameThatIsClaimedMeanwhileIsRemovedFromTheNextPolicy() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (BufferPool pool =
                small().policy("gated", frames -> new Journal(frames, gate)).build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 0, 4);
            Workers.Worker<Void> missing = workers.run(() -> {
                expectRight(pool, file, 4);
            });
            missing.awaitParked();
            Journal next = new Journal(4, null);
            Workers.Worker<Void> switching = workers.run(() -> {
                pool.switchPolicy("journal", frames -> next);
            });
            Workers.await(() -> pool.policy().equals("journal"), "the policy is not set");
            gate.countDown();
            missing.result();
            switching.result();

            assertThat(next.loaded).contains(file.id(4)).doesNotContain(file.id(0));
            readAll(pool, file, 10, 30);
            pool.checkIntegrity();
        }
    }

    @Test
    void pageThatTheNextPolicyCannotTakeKeepsNoOtherOneFromIt() throws IOException {
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 0, 4);
            List<Long> loaded = new ArrayList<>();
            assertThatThrownBy(() -> pool.switchPolicy(
                            "failing", frames -> new ForwardingPolicy(Policies.create("lru", frames)) {
                                @Override
                                public void onLoad(int frame, long identity, int generation) {
                                    if (identity == file.id(1) && loaded.add(identity)) {
                                        throw new UnsupportedOperationException("not loaded");
                                    }
                                    loaded.add(identity);
                                    super.onLoad(frame, identity, generation);
                                }
                            }))
                    .hasMessage("not loaded");
            assertThat(loaded)
                    .as("pages that the next policy gets")
                    .containsExactlyInAnyOrder(file.id(0), file.id(1), file.id(2), file.id(3));
            assertThat(pool.stats().pinned()).as("pinned pages").isZero();
            readAll(pool, file, 10, 30);
            pool.checkIntegrity();
        }
    }

    /** Else all would be cold at the same time. */
    @Test
    void pagesWithoutWeightsGetOneFromASwitchToAPolicyThatUsesThem() throws IOException {
        try (BufferPool pool = small().policy("lru").build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 0, 4);
            FramePool frames = pool.pages().framePool();
            List<Integer> generations = new ArrayList<>();

            pool.switchPolicy("nb-gclock3", count -> new ForwardingPolicy(Policies.create("nb-gclock3", count)) {
                @Override
                public void onLoad(int frame, long identity, int generation) {
                    assertThat(identity)
                            .as("the page in frame %d", frame)
                            .isEqualTo(frames.states().identity(frame));
                    generations.add(generation - FrameState.generation(frames.state(frame)));
                    super.onLoad(frame, identity, generation);
                }
            });

            assertThat(generations).as("how far the generations are off").containsExactly(0, 0, 0, 0);
            for (int frame = 0; frame < 4; frame++) {
                assertThat(FrameState.weight(frames.state(frame)))
                        .as("the weight of frame %d", frame)
                        .isOne();
            }
        }
    }

    /** The former policy is asked for the order of its frames, the next one for its weights. */
    @Test
    void nameIsThatOfThePolicyInForceIfTheSwitchFailsBeforeItBegins() throws IOException {
        ReplacementPolicy silent = new ForwardingPolicy(Policies.create("lru", 4)) {
            @Override
            public int coldest(int max, IntConsumer sink) {
                throw new IllegalStateException("no order");
            }
        };
        ReplacementPolicy weightless = new ForwardingPolicy(Policies.create("lru", 4)) {
            @Override
            public int weightCap() {
                throw new IllegalStateException("no weights");
            }
        };
        try (BufferPool pool = impatient().build()) {
            assertThatThrownBy(() -> pool.switchPolicy("weightless", frames -> weightless))
                    .hasMessage("no weights");
            assertThat(pool.policy()).isEqualTo(Policies.DEFAULT);
            pool.switchPolicy("silent", frames -> silent);
            assertThatThrownBy(() -> pool.switchPolicy("fifo")).hasMessage("no order");
            assertThat(pool.policy()).isEqualTo("silent");
        }
    }

    /** A policy with small weights would go round for each of the great ones, which nobody has asked it to take. */
    @Test
    void weightsAreNoGreaterThanThoseOfTheNextPolicy() throws IOException {
        try (BufferPool pool = small().policy("nb-gclock").build()) {
            PagedFile file = pool.open(0, store);
            for (int round = 0; round < 50; round++) {
                readAll(pool, file, 0, 4);
            }
            FramePool frames = pool.pages().framePool();

            pool.switchPolicy("nb-gclock3");

            for (int frame = 0; frame < 4; frame++) {
                assertThat(FrameState.weight(frames.state(frame)))
                        .as("the weight of frame %d", frame)
                        .isEqualTo(3);
            }
        }
    }

    @Test
    void firstUseOfAPrefetchedPageIsNoHitAfterASwitchThatHasFailed() throws IOException {
        expectNoHitByAFirstUse(
                true,
                pool -> assertThatThrownBy(() -> pool.switchPolicy("fifo")).hasMessage("no order"));
    }

    @Test
    void firstUseOfAPrefetchedPageIsNoHitAfterASwitchToAPolicyThatTellsNothing() throws IOException {
        ReplacementPolicy mute = new ForwardingPolicy(Policies.create("lru", 16)) {
            @Override
            public boolean tracksAccesses() {
                throw new IllegalStateException("no answer");
            }
        };
        expectNoHitByAFirstUse(
                false,
                pool -> assertThatThrownBy(() -> pool.switchPolicy("mute", frames -> mute))
                        .hasMessage("no answer"));
    }

    private void expectNoHitByAFirstUse(boolean hasNoOrder, Consumer<BufferPool> failedSwitch) throws IOException {
        AtomicInteger hits = new AtomicInteger();
        ReplacementPolicy silent = new ForwardingPolicy(Policies.create("lru", 16)) {
            @Override
            public void onHit(int frame) {
                hits.incrementAndGet();
                super.onHit(frame);
            }

            @Override
            public int coldest(int max, IntConsumer sink) {
                if (hasNoOrder) {
                    throw new IllegalStateException("no order");
                }
                return super.coldest(max, sink);
            }
        };
        try (BufferPool pool =
                small().frames(16).policy("silent", frames -> silent).build()) {
            store.readRuns(page -> StampedStore.Outcome.GOOD);
            PagedFile file = pool.open(0, store);
            failedSwitch.accept(pool);

            assertThat(file.prefetch(0, 4).await(Workers.LIMIT))
                    .as("the pages are read")
                    .isTrue();
            expectRight(pool, file, 3);
            assertThat(hits)
                    .as("hits, by the policy, of a page that is used first")
                    .hasValue(0);
            expectRight(pool, file, 3);
            assertThat(hits)
                    .as("hits, by the policy, of a page that is used again")
                    .hasValue(1);
        }
    }

    @Test
    void unknownPolicyChangesNothing() throws IOException {
        try (BufferPool pool = small().build()) {
            assertThatThrownBy(() -> pool.switchPolicy("newest"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("newest");
            assertThat(pool.policy()).isEqualTo(Policies.DEFAULT);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
