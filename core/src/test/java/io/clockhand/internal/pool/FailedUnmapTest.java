// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.policy.Policies;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Threads that wait when a frame cannot be unmapped are woken, and try it themselves. */
class FailedUnmapTest {
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final Duration LONG = Duration.ofHours(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final FramePool<RuntimeException> pool = new FramePool<>(
            new PoolOptions("", false, 1, 1, false, LONG, "", IllegalStateException::new, LONG, (what, waited) -> {
                throw new IllegalStateException("waited for " + what);
            }),
            Policies.create("lru", 1),
            new StubContents() {
                private boolean hasFailed;

                @Override
                public void unmap(int frame) {
                    if (!hasFailed) {
                        hasFailed = true;
                        throw new OutOfMemoryError("unmap");
                    }
                }
            });

    @BeforeEach
    void claimTheOnlyFrame() {
        pool.unpin(new StubBinding().load(pool, 1));
        assertThat(pool.tryClaimAfterDirtyCheck(0)).isTrue();
    }

    @Test
    void threadThatWaitsForTheFrameUnmapsItAtOnce() {
        Worker<Void> waiter = workers.run(() -> pool.awaitUnclaimed(0));
        waiter.awaitParked();

        expectAtOnce(waiter);
    }

    @Test
    void missThatWaitsForAnyFrameUnmapsItAtOnce() {
        Worker<Integer> miss = workers.start(() -> new StubBinding().load(pool, 2));
        miss.awaitParked();

        expectAtOnce(miss);
        pool.unpin(0);
    }

    private void expectAtOnce(Worker<?> waiting) {
        assertThatThrownBy(() -> pool.remove(0)).hasMessage("unmap");
        waiting.result();
    }
}
