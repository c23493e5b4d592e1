// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two threads read a page at the same time, again and again: no buffer, and no place of a helper, is lost. */
class ConcurrentReadsTest {
    /** More than the pool has spare buffers. */
    private static final int ROUNDS = 10;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final StampedStore store = new StampedStore(100);
    private volatile Gate gate;
    private volatile Thread first;
    private volatile StampedStore.Outcome ofFirst = StampedStore.Outcome.GOOD;
    private volatile StampedStore.Outcome ofSecond = StampedStore.Outcome.GOOD;

    private BufferPool pool() {
        store.beforeRead(page -> {
            if (Thread.currentThread().equals(first)) {
                gate.pass();
                return ofFirst;
            }
            return ofSecond;
        });
        return small().waitTimeout(Duration.ofMinutes(2))
                .exhaustedAfter(Duration.ofMinutes(2))
                .tuning(t -> t.pageIn(PageIn.OPTIMISTIC))
                .build();
    }

    private Workers.Worker<Void> readInto(BufferPool pool, PagedFile file, long page) {
        gate = new Gate();
        Workers.Worker<Void> worker = workers.run(() -> {
            first = Thread.currentThread();
            expectRight(pool, file, page);
        });
        Workers.await(gate::isReached, "the first reader of page " + page + " finds no buffer");
        return worker;
    }

    @ParameterizedTest
    @EnumSource(
            value = StampedStore.Outcome.class,
            names = {"GOOD", "FAILED"})
    void secondReaderNeedsNotWaitForTheFirst(StampedStore.Outcome outcome) throws IOException {
        ofFirst = outcome;
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(0, store);
            for (int page = 0; page < ROUNDS; page++) {
                Workers.Worker<Void> slow = readInto(pool, file, page);
                long number = page;
                Workers.Worker<Void> fast = workers.run(() -> {
                    expectRight(pool, file, number);
                });
                Workers.await(fast::isDone, "a second reader waits for the first in round " + page);
                fast.result();
                gate.open();
                slow.result(); // uses what the second one has read
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void secondReaderThatFailsLeavesNothingBehind() throws IOException {
        ofSecond = StampedStore.Outcome.FAILED;
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(0, store);
            for (int page = 0; page < ROUNDS; page++) {
                Workers.Worker<Void> slow = readInto(pool, file, page);
                long number = page;
                Workers.Worker<Void> fast = workers.run(() -> {
                    expectRight(pool, file, number);
                });
                Workers.await(fast::isDone, "a second reader waits for the first in round " + page);
                assertThat(fast.failure()).isInstanceOf(IOException.class);
                gate.open();
                slow.result();
            }
            ofSecond = StampedStore.Outcome.GOOD;
            pool.checkIntegrity();
        }
    }
}
