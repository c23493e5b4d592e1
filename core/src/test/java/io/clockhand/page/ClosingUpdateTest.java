// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Updates of a page that a thread has fixed while the pool closes. The fix began before the close, and stands in the
 * policy when the close looks for pins; then the close waits for the creation of a page, and the thread gets its page.
 * An update that begins now would be lost, so it is refused; the pin refuses the close later.
 */
class ClosingUpdateTest {
    private static final int PAGE_BYTES = 512;
    private static final int FRAMES = 8;
    private static final int ROW = 64;
    /** Pages from this on are not updated in shared mode. */
    private static final int PAGES = 20;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final EventLog log = new EventLog();
    private final Gate search = new Gate();
    private final Gate extension = new Gate();
    private volatile Thread stopped;
    /** Of the other file: its page keeps the pool from being closed. */
    private volatile boolean writesFail;

    private BufferPool pool;
    private PagedFile file;
    private PagedFile other;
    /** Its pages have no rows that are updated in shared mode. */
    private PagedFile plain;

    @BeforeEach
    void open() throws IOException {
        EventLog.Recorded store = log.store("a", PAGE_BYTES, PAGES);
        store.before = page -> {
            if (page >= PAGES) {
                extension.pass();
            }
        };
        EventLog.Recorded full = log.store("b", PAGE_BYTES, 1);
        full.before = page -> {
            if (writesFail) {
                throw new UncheckedIOException(new IOException("No space left on device"));
            }
        };
        pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .log(log)
                .sharedUpdates(number -> number == 1)
                .waitTimeout(Duration.ofMinutes(2))
                .policy("stopping", frames -> new ForwardingPolicy(Policies.create(Policies.DEFAULT, frames)) {
                    @Override
                    public int evict(long identity, Claims claims) {
                        if (Thread.currentThread().equals(stopped)) {
                            search.pass();
                        }
                        return super.evict(identity, claims);
                    }
                })
                .tuning(t -> t.flushThreads(0))
                .build();
        file = pool.open(1, store);
        other = pool.open(2, full);
        plain = pool.open(3, log.store("c", PAGE_BYTES, 1));
        writesFail = true;
        try (WritablePage page = pool.fixExclusive(other.id(0))) {
            page.beginUpdate();
            page.endUnloggedUpdate();
        }
        for (int page = 0; page < FRAMES - 1; page++) {
            pool.fix(file.id(page)).close();
        }
    }

    @AfterEach
    void close() throws IOException {
        pool.checkIntegrity();
        pool.closeWithoutWriting();
    }

    /**
     * Fixes a page that is not in memory, so that the thread gets it while the pool closes; begins an update then; and
     * does something else as soon as the close is refused.
     */
    private void duringAClose(Workers.Work fix, Workers.Work begin, Workers.Work afterwards) {
        Gate begun = new Gate();
        Throwable[] refused = {null};
        Workers.Worker<Void> worker = workers.run(() -> {
            stopped = Thread.currentThread();
            fix.run();
            refused[0] = catchThrowable(begin::run);
            begun.pass();
            if (refused[0] != null) {
                afterwards.run();
            }
        });
        search.awaitReached();
        Workers.Worker<Void> creator = workers.run(() -> file.create().close());
        extension.awaitReached();
        Workers.Worker<Void> closer = workers.run(pool::close);
        Workers.await(pool::isClosed, "the close of the pool does not begin");
        closer.awaitParked();
        search.open();
        begun.awaitReached();
        extension.open();
        creator.result();
        assertThat(closer.failure()).hasMessageContaining("No space left on device");
        writesFail = false;
        workers.run(other::close).result();
        begun.open();
        assertThat(refused[0])
                .as("what the beginning of an update throws while the pool closes")
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the pool is closed");
        worker.result();
    }

    @Test
    void sharedUpdateIsRefusedAndNotPendingAfterwards() throws IOException {
        SharedUpdatePage rows = pool.newSharedUpdatePage();
        long[] lsn = {0};
        duringAClose(() -> rows.fix(file.id(FRAMES)), rows::beginUpdate, () -> {
            log.append();
            rows.beginUpdate();
            lsn[0] = log.append();
            rows.putLong(ROW, 1);
            rows.endUpdate(lsn[0]);
            rows.close();
        });
        assertThat(pool.checkpoint())
                .as("the first LSN of the page, which is known since no update of it is pending")
                .isEqualTo(lsn[0]);
    }

    @Test
    void exclusiveUpdateOfRowsIsRefused() {
        SharedUpdatePage rows = pool.newSharedUpdatePage();
        duringAClose(() -> rows.fix(plain.id(0)), rows::beginUpdate, rows::close);
    }

    @Test
    void updateOfAWholePageIsRefused() {
        WritablePage page = pool.newWritablePage();
        duringAClose(() -> page.fix(plain.id(0)), page::beginUpdate, page::close);
    }
}
