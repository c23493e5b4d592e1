// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.impatient;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LatchMode;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Policies that fail, and waits that time out: the exceptions, and the state of the pool after them. */
@Tag("both-tables")
class BufferPoolFailuresTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    @Test
    void exhaustedPoolNamesFramesPinsAndTheSetting() throws IOException {
        try (BufferPool pool = impatient().build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            List<PageGuard> guards = new ArrayList<>();
            for (int page = 0; page < 4; page++) {
                guards.add(pool.fix(file.id(page)));
            }
            assertThatThrownBy(() -> pool.fix(file.id(4)))
                    .isInstanceOf(PoolExhaustedException.class)
                    .hasMessageContaining("4 of 4 frames are pinned (4 pins; page 0 of stamped")
                    .hasMessageContaining("raise frames");
            guards.remove(0).close();
            expectRight(pool, file, 4);
            guards.forEach(PageGuard::close);
            pool.checkIntegrity();
        }
    }

    @Test
    void waitForALatchIsBoundedAndNamesTheHolder() throws IOException {
        try (BufferPool pool = impatient().build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            long id = file.id(1);
            try (WritablePage writer = pool.fixExclusive(id)) {
                Throwable failure = workers.run(() -> pool.fix(id).close()).failure();
                assertThat(failure)
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining("ms for the latch of page 1 of stamped to read")
                        .hasMessageContaining("latched to write by thread '"
                                + Thread.currentThread().getName());
                assertThat(writer.id()).isEqualTo(id);
            }
            assertThat(pool.stats().pinned()).isZero();
        }
    }

    @Test
    void updateModeIsUpgradedWhenReadersHaveGone() throws IOException {
        try (BufferPool pool = impatient().build()) {
            long id = pool.open(0, new StampedStore(10)).id(1);
            try (PageGuard updater = pool.fixUpgradable(id)) {
                try (PageGuard reader = pool.fix(id)) {
                    assertThatThrownBy(updater::upgrade)
                            .isInstanceOf(WaitTimeoutException.class)
                            .hasMessageContaining("to read by one thread");
                    assertThatThrownBy(reader::upgrade).isInstanceOf(IllegalStateException.class);
                }
                try (WritablePage writer = updater.upgrade()) {
                    assertThat(writer.id()).isEqualTo(id);
                }
            }
            pool.fixExclusive(id).close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void latchWaitThatLastsLongCallsTheHandlerAndGoesOn(LatchMode mode) throws IOException {
        Queue<String> waits = new ConcurrentLinkedQueue<>();
        try (BufferPool pool = small().waitTimeout(Duration.ofMillis(2))
                .onLongWait((what, waited) -> waits.add(what))
                .build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            WritablePage writer = pool.fixExclusive(file.id(5));
            Workers.Worker<Boolean> waiter = workers.start(() -> {
                Thread.currentThread().interrupt();
                AnyGuard.fix(pool, file.id(5), mode).close();
                return Thread.interrupted();
            });
            Workers.await(() -> waits.size() >= 2, "the handler is not called again");
            writer.close();
            assertThat(waiter.result())
                    .as("the flag of the interrupt is set again")
                    .isTrue();
            assertThat(waits).allSatisfy(what -> assertThat(what).startsWith("the latch of page 5 of stamped "));
            pool.checkIntegrity();
        }
    }

    /** A policy whose calls fail when the test says so. */
    private static final class Moody extends ForwardingPolicy {
        private boolean failing;
        private int evictions;
        private Runnable onLoad = () -> {};

        Moody() {
            super(Policies.create("locked:lru", 4));
        }

        private void check() {
            if (failing) {
                throw new IllegalStateException("moody");
            }
        }

        @Override
        public void onLoad(int frame, long identity, int generation) {
            onLoad.run();
            super.onLoad(frame, identity, generation);
            check();
        }

        @Override
        public void onHit(int frame) {
            super.onHit(frame);
            check();
        }

        @Override
        public int evict(long incomingIdentity, Claims claims) {
            evictions++;
            return super.evict(incomingIdentity, claims);
        }
    }

    /**
     * The helper's buffer is used, but its policy blocks it before it publishes that: the first thread waits, and gives
     * up.
     */
    @ParameterizedTest
    @EnumSource
    void waitForAnotherReaderThatIsGivenUpLeavesNoPin(LatchMode mode) throws Exception {
        Gate firstReads = new Gate();
        Gate helperLoads = new Gate();
        StampedStore store = new StampedStore(10);
        AtomicInteger reads = new AtomicInteger();
        store.beforeRead(page -> {
            if (reads.getAndIncrement() == 0) {
                firstReads.pass();
            }
            return StampedStore.Outcome.GOOD;
        });
        Moody policy = new Moody();
        policy.onLoad = helperLoads::pass;
        try (BufferPool pool =
                impatient().tuning(t -> t.pageIn(PageIn.OPTIMISTIC)).build(policy)) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Void> first =
                    workers.run(() -> AnyGuard.fix(pool, file.id(5), mode).close());
            firstReads.awaitReached();
            Workers.Worker<Void> helper = workers.run(() -> expectRight(pool, file, 5));
            helperLoads.awaitReached();
            firstReads.open();
            assertThat(first.failure()).isInstanceOf(WaitTimeoutException.class);
            helperLoads.open();
            helper.result();
            assertThat(pool.stats().pinned()).isZero();
            pool.checkIntegrity();
        }
    }

    /** An interrupt ends a park, and a thread that parks with the flag set does not wait but spins. */
    @Test
    void interruptedThreadWaitsForAFrameWithoutSpinning() throws IOException {
        Moody policy = new Moody();
        try (BufferPool pool = impatient().build(policy)) {
            PagedFile file = pool.open(0, new StampedStore(20));
            List<PageGuard> guards = new ArrayList<>();
            for (int page = 0; page < 4; page++) {
                guards.add(pool.fix(file.id(page)));
            }
            policy.evictions = 0;
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> expectRight(pool, file, 4)).isInstanceOf(PoolExhaustedException.class);
            assertThat(Thread.interrupted())
                    .as("the flag of the interrupt is set again")
                    .isTrue();
            assertThat(policy.evictions).as("searches for a frame in 50 ms").isBetween(1, 1000);
            guards.forEach(PageGuard::close);
            expectRight(pool, file, 4);
            pool.checkIntegrity();
        }
    }

    @Test
    void policyThatThrowsLeavesNoPinAndNoBufferTwice() throws IOException {
        Moody policy = new Moody();
        try (BufferPool pool = small().build(policy)) {
            PagedFile file = pool.open(0, new StampedStore(20));
            for (int round = 0; round < 20; round++) {
                policy.failing = true;
                int page = round;
                assertThatThrownBy(() -> expectRight(pool, file, page)).hasMessage("moody");
                assertThatThrownBy(() -> expectRight(pool, file, page)).hasMessage("moody");
                policy.failing = false;
                expectRight(pool, file, page);
                assertThat(pool.stats().pinned()).isZero();
                pool.checkIntegrity();
            }
        }
    }

    /** Each of the pages is ready then, in a frame that the policy does not know. */
    @Test
    void framesWhoseLoadThePolicyHasNotTakenInAreVictimsIfThereAreNoOthers() throws IOException {
        Moody policy = new Moody();
        policy.onLoad = policy::check;
        try (BufferPool pool = small().build(policy)) {
            PagedFile file = pool.open(0, new StampedStore(20));
            policy.failing = true;
            for (int page = 0; page < 4; page++) {
                int lost = page;
                assertThatThrownBy(() -> expectRight(pool, file, lost)).hasMessage("moody");
            }
            policy.failing = false;
            for (int page = 0; page < 20; page++) {
                expectRight(pool, file, page);
            }
            assertThat(pool.stats().pinned()).isZero();
            pool.checkIntegrity();
        }
    }

    /** With hits of a policy that takes the same lock for each. */
    @Test
    void waitForTheLockOfPageInsIsBounded() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            if (page == 5) {
                gate.pass();
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool =
                impatient().policy("lru").tuning(t -> t.pageIn(PageIn.BLOCKING)).build()) {
            PagedFile file = pool.open(0, store);
            expectRight(pool, file, 1);
            Workers.Worker<Void> reader = workers.run(() -> expectRight(pool, file, 5));
            gate.awaitReached();
            Workers.Worker<Boolean> miss = workers.start(() -> {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> expectRight(pool, file, 2))
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining("the lock of page-ins, whose owner reads a page");
                return Thread.interrupted();
            });
            Workers.Worker<Void> hit = workers.run(() -> expectRight(pool, file, 1));
            assertThat(miss.result())
                    .as("the flag of the interrupt is set again")
                    .isTrue();
            assertThat(hit.failure()).isInstanceOf(WaitTimeoutException.class);
            gate.open();
            reader.result();
            for (int page = 0; page < 10; page++) {
                expectRight(pool, file, page);
            }
            pool.checkIntegrity();
        }
    }
}
