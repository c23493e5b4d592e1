// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Threads of the flusher that park since more run than are wanted: each does one step, in a slot that it has taken. */
class FlusherSurplusTest {
    private static final Duration NEVER = Duration.ofDays(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    private FlusherThreads threads;

    private void open(int count, IntSupplier wanted, BooleanSupplier step) {
        PoolOptions options =
                new PoolOptions("", 1, 1, true, NEVER, "", IllegalStateException::new, NEVER, (what, waited) -> {});
        FlusherThreads.Work work = new FlusherThreads.Work() {
            @Override
            public boolean isLeft() {
                return false;
            }

            @Override
            public int wanted() {
                return wanted.getAsInt();
            }

            @Override
            public boolean step() {
                return step.getAsBoolean();
            }

            @Override
            public void onFailure() {
                throw new AssertionError("no step fails here");
            }
        };
        threads = new FlusherThreads(work, options, count, NEVER.toNanos(), NEVER.toNanos());
    }

    private Workers.Worker<Boolean> work(int slot) {
        return workers.start(() -> {
            assertThat(threads.tryEnter(slot, Thread.currentThread())).isTrue();
            return threads.work(slot);
        });
    }

    /** Lets threads that have parked end. */
    @AfterEach
    void stop() {
        threads.stop();
    }

    /** Or all threads could stop, each of them since the others run. */
    @Test
    void threadThatIsOneTooManyGoesOnIfItIsWantedWhenItIsNotCounted() {
        AtomicInteger asked = new AtomicInteger();
        open(1, () -> asked.getAndIncrement() == 0 ? 0 : 1, () -> true);
        Workers.Worker<Boolean> surplus = work(0);
        Workers.await(surplus::isDone, "a thread has parked that is wanted when it does not count itself,");
        assertThat(surplus.result()).isTrue();
        assertThat(threads.running()).as("threads that run").isEqualTo(1);
    }

    @Test
    void threadThatIsOneTooManyParks() {
        open(2, () -> 1, () -> true);
        Workers.Worker<Boolean> first = work(0);
        assertThat(first.result()).isTrue();
        Workers.Worker<Boolean> surplus = work(1);
        surplus.awaitParkedOrDone();
        assertThat(surplus.isDone())
                .as("a thread goes on though more run than are wanted")
                .isFalse();
        threads.stop();
        assertThat(surplus.result()).isTrue();
    }

    /** The thread that parks leaves work to the other one, which has looked for some before and found none. */
    @Test
    void threadThatParksThoughItHasFoundWorkLetsOthersLookAgain() {
        Gate looked = new Gate();
        AtomicInteger steps = new AtomicInteger();
        open(2, () -> 0, () -> {
            if (steps.getAndIncrement() > 0) {
                return true;
            }
            looked.pass();
            return false;
        });
        Workers.Worker<Boolean> idle = work(0);
        looked.awaitReached();
        Workers.Worker<Boolean> surplus = work(1);
        Workers.await(
                () -> steps.get() == 2 && threads.running() == 1, "no thread parks though more run than are wanted");
        looked.open();
        Workers.await(idle::isDone, "a thread has parked to which another one has left its work,");
        assertThat(idle.result()).isFalse();
        threads.stop();
        assertThat(surplus.result()).isTrue();
    }
}
