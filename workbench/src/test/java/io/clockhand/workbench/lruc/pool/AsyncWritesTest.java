// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import static io.clockhand.workbench.lruc.pool.ScriptedStore.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AsyncWritesTest {
    private static final int LIMIT = 4;

    private final AsyncWrites writes = new AsyncWrites(LIMIT, ScriptedStore.PAGE_BYTES);
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final AtomicInteger begun = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);

    private void submit(int count) {
        for (int i = 0; i < count; i++) {
            writes.submit(copy -> {
                threads.add(Thread.currentThread());
                begun.incrementAndGet();
                BoundedWaits.get(nanos -> {
                    gate.await();
                    return 1;
                });
            });
        }
    }

    @Test
    void writesAreInFlightUpToTheLimit() throws IOException {
        submit(3);
        await(() -> begun.get() == 3);
        submit(3);
        await(() -> begun.get() == LIMIT);
        assertThat(threads).hasSize(LIMIT);
        gate.countDown();
        writes.awaitAll();

        assertThat(begun).hasValue(6);
        assertThat(threads).hasSize(LIMIT).allMatch(Thread::isDaemon);
        writes.close();
    }

    @Test
    void closeWritesWhatIsQueuedAndEndsTheThreads() {
        submit(10);
        gate.countDown();
        writes.close();

        assertThat(begun).hasValue(10);
        await(() -> threads.stream().noneMatch(Thread::isAlive));
        assertThatThrownBy(() -> submit(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void threadsEndWhenTheyHaveNothingToDo() throws IOException {
        gate.countDown();
        submit(2);
        writes.awaitAll();
        await(() -> threads.stream().noneMatch(Thread::isAlive));
        submit(1);
        writes.awaitAll();

        assertThat(begun).hasValue(3);
        writes.close();
    }
}
