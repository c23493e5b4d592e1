// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.WaitTimeoutException;
import io.clockhand.io.FileOption;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A close that writes nothing ends, whatever guards are open and threads are stuck, and gives the files back. */
class AbandonedPoolTest {
    private static final int PAGE_BYTES = 512;

    @RegisterExtension
    private final Workers workers = new Workers();

    @TempDir
    private Path folder;

    private BufferPool pool() {
        return Pools.builder().pageBytes(PAGE_BYTES).sharedUpdates(file -> true).build();
    }

    private PagedFile open(BufferPool pool, FileOption... options) throws IOException {
        return pool.open(1, folder.resolve("pages.db"), options);
    }

    @Test
    void openGuardsAreAbandonedAndTheFileCanBeOpenedAgain() throws IOException {
        BufferPool pool = pool();
        PagedFile file = open(pool, FileOption.CREATE);
        for (int i = 0; i < 4; i++) {
            try (WritablePage page = file.create()) {
                page.beginUpdate();
                page.putLong(0, i);
                page.endUnloggedUpdate();
            }
        }
        pool.flush();
        PageGuard read = pool.fix(file.id(1));
        WritablePage written = pool.fixExclusive(file.id(2));
        written.beginUpdate();
        written.putLong(0, 99);
        SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(3));
        rows.beginUpdate();
        rows.putLong(0, 98);

        OptimisticPage unlatched = pool.newOptimisticPage();
        unlatched.read(file.id(0));
        assertThat(unlatched.validate()).isTrue();

        assertThatThrownBy(pool::closeWithoutWriting)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the pool was closed with guards open: ")
                .hasMessageContaining("page 1 of ");

        try (BufferPool again = pool();
                WritablePage page = again.fixExclusive(open(again).id(2))) {
            assertThat(page.getLong(0)).isEqualTo(2);
            page.beginUpdate();
            page.putLong(0, 7);
            page.endUnloggedUpdate();
        }
        assertThatThrownBy(() -> read.getLong(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the pool is closed: its guards have no pages any more");
        assertThat(unlatched.validate()).isFalse();
        assertThatThrownBy(written::endUnloggedUpdate)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the pool is closed");
        assertThatThrownBy(() -> rows.endUpdate(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the pool is closed");
        assertThatThrownBy(written::close).hasMessageContaining("was not ended, so it was undone");
        assertThatThrownBy(rows::close).isInstanceOf(IllegalStateException.class);
        read.close();
        assertThatThrownBy(() -> pool.fix(file.id(1))).hasMessage("the pool is closed");
        pool.closeWithoutWriting();
        pool.close();
        try (BufferPool last = pool();
                PageGuard page = last.fix(open(last).id(2))) {
            assertThat(page.getLong(0)).isEqualTo(7);
        }
    }

    /** As a program does that fails before it has closed its guards: nobody has the pool any more. */
    @Test
    void tryStatementThatFailsWithGuardsOpenLeavesTheFileToOthers() throws IOException {
        List<PageView> guards = new ArrayList<>();
        assertThatThrownBy(() -> {
                    try (BufferPool pool = Pools.builder()
                            .pageBytes(PAGE_BYTES)
                            .waitTimeout(Duration.ofMillis(20))
                            .build()) {
                        PagedFile file = open(pool, FileOption.CREATE);
                        for (int i = 0; i < 4; i++) {
                            try (WritablePage page = file.create()) {
                                page.beginUpdate();
                                page.putLong(0, 10 + i);
                                page.endUnloggedUpdate();
                            }
                        }
                        guards.add(pool.fix(file.id(1)));
                        WritablePage writes = pool.fixExclusive(file.id(2));
                        writes.beginUpdate();
                        writes.putLong(0, 99);
                        guards.add(writes);
                        throw new IllegalStateException("the program has failed");
                    }
                })
                .hasMessage("the program has failed")
                .satisfies(failure -> assertThat(failure.getSuppressed()[0])
                        .hasMessageStartingWith("the pool was closed with guards open: 2 of its ")
                        .hasMessageContaining("changes of 1 pages were not written: redo them from the log"));

        try (BufferPool pool = pool()) {
            PagedFile file = open(pool);
            for (int i : new int[] {0, 1, 3}) {
                try (PageGuard page = pool.fix(file.id(i))) {
                    assertThat(page.getLong(0)).as("page %d", i).isEqualTo(10 + i);
                }
            }
        }
        assertThatThrownBy(() -> guards.get(0).getLong(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> guards.get(1).getLong(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void updateThatIsInProgressWhenThePoolIsClosedEndsAndIsWritten() throws IOException {
        BufferPool pool = pool();
        PagedFile file = open(pool, FileOption.CREATE);
        WritablePage page = file.create();
        page.beginUpdate();
        page.putLong(0, 5);
        Workers.Worker<Void> closer = workers.run(pool::close);
        closer.awaitParkedOrDone();
        assertThat(closer.isDone()).as("the close leaves an update out").isFalse();
        assertThatThrownBy(() -> pool.fix(file.id(0))).hasMessage("the pool is closed");
        page.endUnloggedUpdate();
        page.close();
        closer.result();
        try (BufferPool again = pool();
                PageGuard read = again.fix(open(again).id(0))) {
            assertThat(read.getLong(0)).isEqualTo(5);
        }
    }

    /** After the time in which it could end before its page was to be written: it is written, or the close fails. */
    @Test
    void updateThatEndsLateInACloseIsWritten() throws IOException {
        BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .waitTimeout(Duration.ofNanos(1))
                .build();
        PagedFile file = open(pool, FileOption.CREATE);
        WritablePage page = file.create();
        page.beginUpdate();
        page.putLong(0, 5);
        Workers.Worker<Boolean> closer = workers.start(() -> {
            try {
                pool.close();
                return true;
            } catch (IOException | RuntimeException e) {
                pool.closeWithoutWriting();
                return false;
            }
        });
        closer.awaitParkedOrDone();
        try {
            page.endUnloggedUpdate();
            page.close();
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("the pool is closed");
        }
        boolean closed = closer.result();
        try (BufferPool again = pool();
                PageGuard read = again.fix(open(again).id(0))) {
            assertThat(!closed || read.getLong(0) == 5)
                    .as("the change of the page is in the file, unless the close has failed")
                    .isTrue();
        }
    }

    /** A close waits so for threads that are busy with a page. */
    @Test
    void guardsAreAwaitedUntilTheyAreClosed() throws IOException {
        try (BufferPool pool = pool()) {
            PageGuard guard = open(pool, FileOption.CREATE).create().downgrade();
            assertThat(pool.awaitGuards(Duration.ofNanos(1))).isFalse();
            Workers.Worker<Boolean> waits = workers.start(() -> pool.awaitGuards(Workers.LIMIT));
            waits.awaitParkedOrDone();
            assertThat(waits.isDone()).as("a wait for a guard that is open").isFalse();
            guard.close();
            assertThat(waits.result()).isTrue();
        }
    }

    /** {@return a store of eight pages, which reads when a gate is open} */
    private PageStore slowStore(Gate device) throws IOException {
        MemoryPageStore memory = new MemoryPageStore("memory", PAGE_BYTES);
        memory.extend(8);
        return (PageStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PageStore.class}, (self, method, arguments) -> {
                    if (method.getName().equals("read")) {
                        device.pass();
                    }
                    return method.invoke(memory, arguments);
                });
    }

    /** A prefetch reads from a device that does not answer. */
    @Test
    void threadThatIsStuckInAStoreDelaysTheCloseUpToTheTimeout() throws IOException {
        Gate device = new Gate();
        BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(8)
                .waitTimeout(Duration.ofMillis(20))
                .build();
        open(pool, FileOption.CREATE);
        PagedFile file = pool.open(2, slowStore(device));
        Prefetch prefetch = file.prefetch(0, 1);
        device.awaitReached();
        assertThatThrownBy(pool::closeWithoutWriting).isInstanceOf(WaitTimeoutException.class);
        try (BufferPool again = pool()) {
            open(again);
        }
        device.open();
        Workers.await(prefetch::isDone, "the prefetch does not end");
    }

    /** The handler of long waits throws it. */
    @Test
    void errorDuringTheCloseKeepsNoFile() throws IOException {
        Error injected = new OutOfMemoryError("injected");
        BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .waitTimeout(Duration.ofMillis(1))
                .onLongWait((what, waited) -> {
                    throw injected;
                })
                .build();
        PagedFile file = open(pool, FileOption.CREATE);
        Gate device = new Gate();
        Prefetch prefetch = pool.open(2, slowStore(device)).prefetch(0, 1);
        device.awaitReached();
        assertThatThrownBy(pool::closeWithoutWriting).isSameAs(injected);
        assertThat(file.isOpen()).isFalse();
        try (BufferPool again = pool()) {
            open(again);
        }
        device.open();
        Workers.await(prefetch::isDone, "the prefetch does not end");
    }

    @Test
    void flushAndCloseOfAPoolReportAFileThatIsGone() throws IOException {
        BufferPool pool = pool();
        PagedFile pages = open(pool, FileOption.CREATE);
        try (WritablePage page = pages.create()) {
            page.beginUpdate();
            page.putLong(0, 1);
            page.endUnloggedUpdate();
        }
        Files.delete(Path.of(pages.name()));
        assertThatThrownBy(pool::checkpoint).isInstanceOf(IOException.class).hasMessageContaining("was deleted");
        assertThatThrownBy(pool::closeWithoutWriting)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was deleted");
    }
}
