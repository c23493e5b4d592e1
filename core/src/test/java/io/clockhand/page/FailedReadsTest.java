// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.PageCorruptException;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads that fail, are slow, or throw anything: the exceptions that reach the threads, and the pool after them. */
@Tag("both-tables")
class FailedReadsTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    @ParameterizedTest
    @EnumSource
    void failedReadNamesThePageAndTheNextFixTriesAgain(PageIn pageIn) throws IOException {
        StampedStore store = new StampedStore(10);
        AtomicInteger reads = new AtomicInteger();
        store.beforeRead(page -> switch (reads.incrementAndGet()) {
            case 1 -> StampedStore.Outcome.FAILED;
            case 2 -> StampedStore.Outcome.SHORT;
            default -> StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().tuning(t -> t.pageIn(pageIn)).build()) {
            pool.collectStats(true);
            PagedFile file = pool.open(0, store);
            assertThatThrownBy(() -> expectRight(pool, file, 5))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("page 5 of stamped");
            pool.checkIntegrity();
            assertThatThrownBy(() -> expectRight(pool, file, 5))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot read page 5 of stamped: 256 of 512 bytes are missing");
            pool.checkIntegrity();
            expectRight(pool, file, 5);
            assertThat(pool.stats().failedReads()).isEqualTo(2);
            assertThat(pool.stats().reads()).isEqualTo(3);
            pool.checkIntegrity();
        }
    }

    @Test
    void failedReadReachesEveryWaiter() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            if (!gate.isReached()) {
                gate.pass();
                return StampedStore.Outcome.FAILED;
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().tuning(t -> t.pageIn(PageIn.COALESCED)).build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Void> first = workers.run(() -> expectRight(pool, file, 5));
            gate.awaitReached();
            Workers.Worker<Void> second = workers.run(() -> expectRight(pool, file, 5));
            Workers.Worker<Void> third = workers.run(() -> expectRight(pool, file, 5));
            second.awaitParked();
            third.awaitParked();
            gate.open();
            assertThat(first.failure()).isInstanceOf(IOException.class).hasMessageContaining("injected");
            for (Workers.Worker<Void> waiter : List.of(second, third)) {
                assertThat(waiter.failure())
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("page 5 of stamped could not be read by the thread that was first")
                        .hasMessageContaining("injected")
                        .hasCauseInstanceOf(IOException.class);
            }
            pool.checkIntegrity();
            expectRight(pool, file, 5);
            assertThat(store.reads).hasValue(2);
        }
    }

    /** So an engine can restore the page in whichever thread it gets the exception. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void corruptPageIsReportedAsSuchToEveryWaiter(boolean zero) throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        PageCorruptException corrupt = new PageCorruptException("stamped", 3, 5, 17, 18, zero);
        store.beforeRead(page -> {
            if (!gate.isReached()) {
                gate.pass();
                throw corrupt;
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().tuning(t -> t.pageIn(PageIn.COALESCED)).build()) {
            PagedFile file = pool.open(3, store);
            Workers.Worker<Void> first = workers.run(() -> expectRight(pool, file, 5));
            gate.awaitReached();
            Workers.Worker<Void> second = workers.run(() -> expectRight(pool, file, 5));
            second.awaitParked();
            gate.open();
            assertThat(first.failure()).isSameAs(corrupt);
            assertThat(second.failure())
                    .isNotSameAs(corrupt)
                    .isInstanceOf(PageCorruptException.class)
                    .hasMessage(corrupt.getMessage())
                    .hasCause(corrupt)
                    .hasFieldOrPropertyWithValue("store", "stamped")
                    .hasFieldOrPropertyWithValue("file", 3)
                    .hasFieldOrPropertyWithValue("page", 5L)
                    .hasFieldOrPropertyWithValue("expected", 17)
                    .hasFieldOrPropertyWithValue("found", 18)
                    .hasFieldOrPropertyWithValue("zero", zero);
            pool.checkIntegrity();
            expectRight(pool, file, 5);
        }
    }

    @Test
    void optimisticPageInDoesNotWaitForAnotherReader() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            if (!gate.isReached()) {
                gate.pass();
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().tuning(t -> t.pageIn(PageIn.OPTIMISTIC)).build()) {
            pool.collectStats(true);
            PagedFile file = pool.open(0, store);
            Workers.Worker<Void> slow = workers.run(() -> expectRight(pool, file, 5));
            gate.awaitReached();
            expectRight(pool, file, 5);
            expectRight(pool, file, 5);
            gate.open();
            slow.result();
            PoolStats stats = pool.stats();
            assertThat(stats.reads()).isEqualTo(2);
            assertThat(stats.wastedReads()).isEqualTo(1);
            assertThat(stats.misses()).isEqualTo(1);
            assertThat(stats.hits()).isEqualTo(2);
            pool.checkIntegrity();
        }
    }

    @Test
    void inOptimisticModeAFailureUndoesNoSuccess() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            if (!gate.isReached()) {
                gate.pass();
                return StampedStore.Outcome.FAILED;
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().tuning(t -> t.pageIn(PageIn.OPTIMISTIC)).build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Void> slow = workers.run(() -> expectRight(pool, file, 5));
            gate.awaitReached();
            expectRight(pool, file, 5);
            gate.open();
            slow.result(); // its own read failed, but the page is there
            pool.checkIntegrity();
            assertThat(store.reads).hasValue(2);
        }
    }

    @Test
    void errorInTheStoreLeavesThePoolWhole() throws IOException {
        for (PageIn pageIn : PageIn.values()) {
            StampedStore own = new StampedStore(10);
            own.beforeRead(page -> {
                throw new OutOfMemoryError("injected");
            });
            try (BufferPool pool = small().tuning(t -> t.pageIn(pageIn)).build()) {
                PagedFile file = pool.open(0, own);
                assertThatThrownBy(() -> expectRight(pool, file, 1)).isInstanceOf(OutOfMemoryError.class);
                pool.checkIntegrity();
                own.beforeRead(page -> StampedStore.Outcome.GOOD);
                expectRight(pool, file, 1);
            }
        }
    }

    /** As a JVM without memory does, which has one error for all. */
    @ParameterizedTest
    @EnumSource
    void errorThatIsThrownAgainAndAgainLeavesThePoolWhole(PageIn pageIn) throws IOException {
        OutOfMemoryError shared = new OutOfMemoryError("injected");
        StampedStore store = new StampedStore(10);
        AtomicInteger reads = new AtomicInteger();
        Gate gate = new Gate();
        store.beforeRead(page -> {
            if (reads.getAndIncrement() == 0) {
                gate.pass();
            }
            throw shared;
        });
        try (BufferPool pool = small().tuning(t -> t.pageIn(pageIn)).build()) {
            PagedFile file = pool.open(0, store);
            Workers.Worker<Void> first = workers.run(() -> expectRight(pool, file, 1));
            gate.awaitReached();
            Workers.Worker<Void> second = workers.run(() -> expectRight(pool, file, 1));
            second.awaitParkedOrDone();
            gate.open();
            assertThat(first.failure()).isSameAs(shared);
            assertThat(second.failure())
                    .satisfiesAnyOf(
                            failure -> assertThat(failure).isSameAs(shared),
                            failure -> assertThat(failure).hasCause(shared));
            pool.checkIntegrity();
            store.beforeRead(page -> StampedStore.Outcome.GOOD);
            for (int page = 0; page < 10; page++) {
                expectRight(pool, file, page);
            }
            pool.checkIntegrity();
        }
    }
}
