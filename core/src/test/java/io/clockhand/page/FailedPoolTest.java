// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PoolFailedException;
import io.clockhand.io.FileOption;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A pool that has failed: each call says so with the error as its cause, no wait lasts, and its files come free. */
class FailedPoolTest {
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final Duration LONG = Duration.ofHours(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    @TempDir
    private Path folder;

    private final OutOfMemoryError error = new OutOfMemoryError("in the middle of a step");

    private BufferPool pool(int flushThreads) {
        return small().exhaustedAfter(LONG)
                .waitTimeout(LONG)
                .tuning(t -> t.flushThreads(flushThreads))
                .build();
    }

    private PagedFile open(BufferPool pool) throws IOException {
        return pool.open(1, folder.resolve("pages"), FileOption.CREATE);
    }

    private static void create(PagedFile file, long value) throws IOException {
        try (WritablePage page = file.create()) {
            page.beginUpdate();
            page.putLong(0, value);
            page.endUnloggedUpdate();
        }
    }

    private void fail(BufferPool pool) {
        pool.fail(error);
    }

    private void expectFailed(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(PoolFailedException.class)
                .hasMessageContaining("the pool has failed")
                .hasMessageContaining("closeWithoutWriting")
                .hasCause(error);
    }

    @Test
    void everyCallSaysThatThePoolHasFailed() throws IOException {
        BufferPool pool = pool(0);
        PagedFile file = open(pool);
        create(file, 7);
        WritablePage fixed = pool.fixExclusive(file.id(0));
        PageGuard forUpdate = pool.newGuard();
        create(file, 8);
        forUpdate.fixUpgradable(file.id(1));
        create(file, 9);
        pool.fix(file.id(2)).close();
        OptimisticPage read = pool.newOptimisticPage();
        long first = file.id(0); // a file gives no ids when its pool has failed
        long second = file.id(1);
        long third = file.id(2);
        fail(pool);

        expectFailed(() -> pool.fix(third));
        expectFailed(() -> pool.fix(first));
        expectFailed(() -> pool.newGuard().tryFix(second));
        expectFailed(() -> pool.fixExclusive(first));
        expectFailed(() -> read.read(second));
        expectFailed(fixed::beginUpdate);
        expectFailed(() -> forUpdate.upgrade(pool.newWritablePage()));
        expectFailed(() -> fixed.downgrade(pool.newGuard()));
        expectFailed(file::create);
        expectFailed(() -> file.prefetch(0, 2));
        expectFailed(() -> file.truncate(0));
        expectFailed(file::flush);
        expectFailed(file::close);
        expectFailed(pool::flush);
        expectFailed(pool::checkpoint);
        expectFailed(() -> pool.resize(3));
        expectFailed(() -> pool.open(2, folder.resolve("other"), FileOption.CREATE));
        expectFailed(pool::close);
        fixed.close();
        forUpdate.close();
        pool.closeWithoutWriting();
    }

    @Test
    void filesOfAPoolThatIsClosedWithoutWritingCanBeOpenedAgain() throws IOException {
        BufferPool pool = pool(1);
        PagedFile file = open(pool);
        create(file, 7);
        pool.flush();
        WritablePage lost = pool.fixExclusive(file.id(0));
        assertThat(lost.getLong(0)).isEqualTo(7);
        fail(pool);

        pool.closeWithoutWriting();

        try (BufferPool next = pool(1);
                PageGuard guard = next.fix(open(next).id(0))) {
            assertThat(guard.getLong(0))
                    .as("what was written before the failure")
                    .isEqualTo(7);
        }
    }

    @Test
    void fixThatWaitsForALatchIsWoken() throws IOException {
        BufferPool pool = pool(0);
        PagedFile file = open(pool);
        create(file, 7);
        long page = file.id(0);
        WritablePage owner = pool.fixExclusive(page);
        Worker<Void> reader = workers.run(() -> pool.fix(page).close());
        Worker<Void> writer = workers.run(() -> pool.fixExclusive(page).close());
        reader.awaitParked();
        writer.awaitParked();

        fail(pool);

        expectFailed(reader);
        expectFailed(writer);
        owner.close();
        pool.closeWithoutWriting();
    }

    @Test
    void fixThatWaitsForAFrameIsWoken() throws IOException {
        BufferPool pool = pool(0);
        PagedFile file = open(pool);
        PageGuard[] guards = new PageGuard[4];
        for (int i = 0; i < guards.length + 1; i++) {
            create(file, i);
        }
        for (int i = 0; i < guards.length; i++) {
            guards[i] = pool.fix(file.id(i));
        }
        Worker<Void> miss = workers.run(() -> pool.fix(file.id(guards.length)).close());
        miss.awaitParked();

        fail(pool);

        expectFailed(miss);
        for (PageGuard guard : guards) {
            guard.close();
        }
        pool.closeWithoutWriting();
    }

    private void expectFailed(Worker<?> worker) {
        assertThat(worker.failure()).isInstanceOf(PoolFailedException.class).hasCause(error);
    }
}
