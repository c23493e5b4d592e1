// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PoolFailedException;
import io.clockhand.cache.StubBinding;
import io.clockhand.cache.StubContents;
import io.clockhand.cache.StubPool;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A step that can neither be completed nor taken back fails the pool: each later call says so, and each wait ends. */
class PoolFailureTest {
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final Duration LONG = Duration.ofHours(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final OutOfMemoryError error = new OutOfMemoryError("unmap");
    private int cleared;
    private final StubContents contents = new StubContents() {
        @Override
        public void clear(int frame) {
            cleared++;
        }

        @Override
        public void unmap(int frame) {
            throw error;
        }
    };
    private final PoolOptions options =
            new PoolOptions("", 1, 1, false, LONG, "", IllegalStateException::new, LONG, (what, waited) -> {
                throw new IllegalStateException("waited for " + what);
            });
    private final StubPool pool = new StubPool(options, Policies.create("lru", 1), contents);

    private static final class StubbornBinding extends StubBinding {
        private final Error error;

        StubbornBinding(Error error) {
            this.error = error;
        }

        @Override
        public boolean map(int frame) {
            return false;
        }

        @Override
        public void unmap(int frame) {
            throw error;
        }
    }

    private void expectFailed(Workers.Work call) {
        // In a thread of its own: where the pool goes on, it waits.
        Worker<Void> worker = workers.run(call);
        assertThat(worker.failure())
                .isInstanceOf(PoolFailedException.class)
                .hasMessageContaining("the pool has failed")
                .hasMessageContaining("unmap")
                .hasCause(error);
    }

    private void expectFailed() {
        expectFailed(() -> new StubBinding().load(pool, 2));
        expectFailed(() -> pool.tryClaimAfterDirtyCheck(0));
        expectFailed(() -> pool.pinForDirtyCheck(0));
        expectFailed(() -> pool.awaitLastPin(0));
        assertThat(FrameState.isFree(pool.state(0))).as("the frame is free").isFalse();
    }

    @Test
    void poolWhoseVictimCannotBeUnmappedHasFailed() {
        pool.unpin(new StubBinding().load(pool, 1));

        assertThatThrownBy(() -> new StubBinding().load(pool, 2)).isSameAs(error);

        expectFailed();
        assertThat(cleared).as("times that the content was cleared").isOne();
    }

    @Test
    void poolOfAFrameThatIsGivenUpAndCannotBeUnmappedHasFailed() {
        assertThatThrownBy(() -> pool.admit(1, new StubbornBinding(error))).isSameAs(error);

        expectFailed();
    }

    @Test
    void poolWhoseMaintenanceCannotUnmapHasFailed() {
        pool.unpin(new StubBinding().load(pool, 1));
        assertThat(pool.tryClaimAfterDirtyCheck(0)).isTrue();

        assertThatThrownBy(() -> pool.remove(0)).isSameAs(error);

        expectFailed();
    }

    @Test
    void pinOfAFailedPoolCanBeReleased() {
        int frame = new StubBinding().load(pool, 1);
        options.failure().fail(error);

        pool.unpin(frame);

        assertThat(FrameState.pins(pool.state(frame))).isZero();
    }

    @Test
    void firstFailureStays() {
        options.failure().fail(error);
        options.failure().fail(new StackOverflowError());

        expectFailed(() -> pool.enter());
    }

    /** The thread that fails the pool is at the end of its stack, or has no memory. */
    @Test
    void consequenceThatFailsIsCarriedOutByTheNextThread() {
        int[] times = {0};
        boolean[] others = {false};
        options.failure().onFailure(() -> {
            if (times[0]++ == 0) {
                throw new StackOverflowError();
            }
        });
        options.failure().onFailure(() -> others[0] = true);

        options.failure().fail(error);

        assertThat(others[0]).as("the consequence behind it was carried out").isTrue();
        expectFailed(pool::enter);
        expectFailed(pool::enter);
        assertThat(times[0]).as("times that it was tried").isEqualTo(2);
    }

    @Test
    void threadThatWaitsForAFrameIsWokenByTheFailure() {
        expectWoken(pool -> pool.awaitUnclaimed(0));
    }

    @Test
    void missThatWaitsForAnyFrameIsWokenByTheFailure() {
        expectWoken(pool -> new StubBinding().load(pool, 2));
    }

    private void expectWoken(Consumer<StubPool> wait) {
        pool.unpin(new StubBinding().load(pool, 1));
        assertThat(pool.tryClaimAfterDirtyCheck(0)).isTrue();
        Worker<Void> waiter = workers.run(() -> wait.accept(pool));
        waiter.awaitParked();

        assertThatThrownBy(() -> pool.remove(0)).isSameAs(error);

        assertThat(waiter.failure()).isInstanceOf(PoolFailedException.class).hasCause(error);
    }

    @Test
    void threadThatBeginsToWaitAfterTheFailureDoesNotWait() {
        pool.unpin(new StubBinding().load(pool, 1));
        assertThat(pool.tryClaimAfterDirtyCheck(0)).isTrue();
        options.failure().fail(error);

        expectFailed(() -> pool.awaitUnclaimed(0));
    }
}
