// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PoolFailedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** While a device does not answer a force of one file, only those wait that need that file, and not for ever. */
class SlowForceTest {
    private static final int PAGE_BYTES = 512;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final Gate device = new Gate();
    /** Whether the next force of the slow store passes the gate. */
    private volatile boolean isSlow;
    /** Thrown by it then, unless it is null. */
    private volatile IOException failure;

    private BufferPool pool(Duration waitTimeout) {
        return Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(40)
                .waitTimeout(waitTimeout)
                .tuning(t -> t.flushThreads(0))
                .build();
    }

    private PageStore slowStore() {
        MemoryPageStore memory = new MemoryPageStore("slow", PAGE_BYTES);
        return (PageStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PageStore.class}, (self, method, arguments) -> {
                    if (method.getName().equals("force") && isSlow) {
                        isSlow = false;
                        device.pass();
                        if (failure != null) {
                            throw failure;
                        }
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void change(BufferPool pool, PagedFile file) throws IOException {
        try (WritablePage page = pool.fixExclusive(file.id(0))) {
            page.beginUpdate();
            page.putLong(0, page.getLong(0) + 1);
            page.endUnloggedUpdate();
        }
    }

    /** {@return a file with a page that was written, and not forced} */
    private PagedFile written(BufferPool pool, int number, PageStore store) throws IOException {
        PagedFile file = pool.open(number, store);
        file.create().close();
        change(pool, file);
        file.flush();
        return file;
    }

    /** Begins a force of the file that does not end. */
    private Workers.Worker<Void> beginForce(Workers.Work force) {
        isSlow = true;
        Workers.Worker<Void> forces = workers.run(force);
        device.awaitReached();
        return forces;
    }

    @Test
    void forceDelaysNothingThatDoesNotNeedItsFile() throws IOException {
        try (BufferPool pool = pool(Workers.LIMIT)) {
            PagedFile slow = written(pool, 1, slowStore());
            PagedFile closed = written(pool, 2, new MemoryPageStore("closed", PAGE_BYTES));
            PagedFile dropped = written(pool, 3, new MemoryPageStore("dropped", PAGE_BYTES));
            PagedFile forced = written(pool, 4, new MemoryPageStore("forced", PAGE_BYTES));
            Workers.Worker<Void> checkpoint = beginForce(pool::checkpoint);

            pool.fix(slow.id(0)).close();
            change(pool, slow);
            slow.create().close();
            slow.truncate(1);
            pool.flush();
            assertThatCode(forced::force).as("a force of another file").doesNotThrowAnyException();
            closed.close();
            dropped.drop();
            pool.open(5, new MemoryPageStore("opened", PAGE_BYTES)).create().close();
            pool.resize(30);
            pool.switchPolicy("lru");
            assertThat(pool.stats().writing().dirtyPages()).isZero();
            assertThat(checkpoint.isDone()).isFalse();

            device.open();
            checkpoint.result();
        }
    }

    @Test
    void waitForAForceOfTheSameFileIsBoundedAndNamed() throws IOException {
        BufferPool pool = pool(Duration.ofMillis(20));
        PagedFile slow = written(pool, 1, slowStore());
        Workers.Worker<Void> forces = beginForce(slow::force);

        change(pool, slow);
        pool.flush();
        for (Workers.Work needs : new Workers.Work[] {slow::force, pool::checkpoint, slow::close}) {
            assertThatThrownBy(needs::run, "a call that needs the file")
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("a force of the file of slow");
        }
        device.open();
        forces.result();
        assertThat(pool.checkpoint()).isZero();
        slow.close();
        pool.close();
    }

    @Test
    void closeWithoutWritingDoesNotWaitForAForce() throws IOException {
        BufferPool pool = pool(Workers.LIMIT);
        PagedFile slow = written(pool, 1, slowStore());
        PagedFile other = written(pool, 2, new MemoryPageStore("other", PAGE_BYTES));
        Workers.Worker<Void> forces = beginForce(slow::force);
        assertThatCode(pool::closeWithoutWriting)
                .as("a close without writing beside a force")
                .doesNotThrowAnyException();
        assertThat(slow.isOpen()).isFalse();
        assertThat(other.isOpen()).isFalse();
        assertThat(forces.isDone()).as("the force ended before the close").isFalse();
        device.open();
        forces.failure(); // the store was closed
    }

    /** The operating system reports a failure once. */
    @Test
    void forceThatWaitsForOneThatFailsFails() throws IOException {
        BufferPool pool = pool(Workers.LIMIT);
        PagedFile slow = written(pool, 1, slowStore());
        failure = new IOException("the device has lost bytes");
        Workers.Worker<Void> forces = beginForce(slow::force);
        Workers.Worker<Void> waits = workers.run(slow::force);
        waits.awaitParkedOrDone();
        assertThat(waits.isDone()).as("a force beside another of the file").isFalse();
        device.open();
        assertThat(forces.failure()).hasMessageContaining("the device has lost bytes");
        assertThat(waits.failure()).as("the force that has waited").isInstanceOf(PoolFailedException.class);
        pool.closeWithoutWriting();
    }

    @Test
    void checkpointsThatAreMadeAtOnceReturnWhereRedoBegins() throws IOException {
        try (BufferPool pool = pool(Workers.LIMIT)) {
            PagedFile slow = written(pool, 1, slowStore());
            Workers.Worker<Void> first = beginForce(pool::checkpoint);
            Workers.Worker<Void> second = workers.run(pool::checkpoint);
            second.awaitParkedOrDone();
            assertThat(pool.stats().writing().checkpoints())
                    .as("checkpoints that have ended")
                    .isZero();
            device.open();
            first.result();
            second.result();
            assertThat(pool.stats().writing().checkpoints()).isEqualTo(2);
            assertThat(slow.isOpen()).isTrue();
        }
    }
}
