// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.NoSuchPageException;
import io.clockhand.PoolExhaustedException;
import io.clockhand.io.FileOption;
import io.clockhand.page.BufferPool;
import io.clockhand.page.OptimisticPage;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PagedFile;
import io.clockhand.page.Prefetch;
import io.clockhand.page.WritablePage;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A first program with a page pool, and the messages of ten mistakes that it could make. */
class OrdersProgramTest {
    private static final int ORDERS = 7;

    @RegisterExtension
    private final Workers workers = new Workers();

    @TempDir
    private Path folder;

    private static BufferPool smallPool() {
        return BufferPool.builder()
                .frames(4)
                .exhaustedAfter(Duration.ofMillis(50))
                .waitTimeout(Duration.ofMillis(200))
                .build();
    }

    private PagedFile ordersOf(BufferPool pool) throws IOException {
        PagedFile orders = pool.open(ORDERS, folder.resolve("orders.db"), FileOption.CREATE);
        for (int page = 0; page < 10; page++) {
            orders.create().close();
        }
        return orders;
    }

    @Test
    void programRuns() throws IOException {
        Path path = folder.resolve("orders.db");

        // tag::program[]
        long root;
        try (BufferPool pool =
                BufferPool.builder().pageBytes(4096).frames(1_000).build()) {
            PagedFile orders = pool.open(7, path, FileOption.CREATE);
            try (WritablePage page = orders.create()) { // a page of zeros, fixed exclusively
                root = page.id(); // may be stored: the engine chose the 7
            }
            for (int i = 1; i < 100; i++) {
                orders.create().close();
            }
            orders.truncate(50);
        }

        try (BufferPool pool =
                BufferPool.builder().pageBytes(4096).frames(1_000).build()) { // after a restart
            PagedFile orders = pool.open(7, path);
            Prefetch prefetch = orders.prefetch(0, 50);

            try (PageGuard page = pool.fix(root)) { // pinned, and latched for reading
                assertThat(page.getLong(16)).isZero();
            }

            try (OptimisticPage read = pool.newOptimisticPage()) {
                long customer;
                do {
                    read.read(root); // neither pinned nor latched
                    customer = read.getLong(16); // may be anything
                } while (!read.validateAndRelease()); // now it is right
                assertThat(customer).isZero();

                PageGuard guard = pool.newGuard();
                do {
                    read.read(root);
                    customer = read.getLong(16);
                } while (!read.promote(guard)); // now it is right, and stays so while the guard is open
                try (guard) {
                    assertThat(guard.getLong(16)).isEqualTo(customer);
                }
            }

            try (PageGuard page = pool.fixUpgradable(orders.id(1))) { // other readers are let in
                if (page.getLong(0) == 0) {
                    try (WritablePage writable = page.upgrade()) { // nobody else is
                        assertThat(writable.pageBytes()).isEqualTo(4096);
                    }
                }
            }
            assertThat(prefetch.await(Duration.ofMinutes(1))).isTrue();
            assertThat(orders.pages()).isEqualTo(50);
        }
        // end::program[]
    }

    @Test
    void guardIsClosedTwice() throws IOException {
        try (BufferPool pool = smallPool()) {
            PageGuard page = pool.fix(ordersOf(pool).id(3));
            page.close();
            assertThatThrownBy(page::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the guard of page 3 of ")
                    .hasMessageEndingWith(
                            "orders.db is not open: it was closed, passed its page on, or never fixed one; fix the page"
                                    + " first");
        }
    }

    @Test
    void guardIsClosedByAnotherThread() throws IOException {
        try (BufferPool pool = smallPool();
                PageGuard page = pool.fix(ordersOf(pool).id(3))) {
            assertThat(workers.run(page::close).failure())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("orders.db belongs to thread '")
                    .hasMessageEndingWith(
                            "', but is used by thread 'worker': fix the page with a guard of this thread");
        }
    }

    @Test
    void pageLiesBehindTheEnd() throws IOException {
        try (BufferPool pool = smallPool()) {
            PagedFile orders = ordersOf(pool);
            assertThatThrownBy(() -> pool.fix(orders.id(10)))
                    .isInstanceOf(NoSuchPageException.class)
                    .hasMessageContaining("there is no page 10 of ")
                    .hasMessageEndingWith(
                            "orders.db: it has 10 pages, numbered from 0; create pages before they are fixed");
        }
    }

    @Test
    void numberIsInUse() throws IOException {
        try (BufferPool pool = smallPool()) {
            ordersOf(pool);
            assertThatThrownBy(() -> pool.open(ORDERS, folder.resolve("customers.db"), FileOption.CREATE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("customers.db as file 7: that number is in use by ")
                    .hasMessageEndingWith("orders.db; close that file first, or use another number");
        }
    }

    @Test
    void pagesOfTheFileHaveAnotherSize() throws IOException {
        Path path = folder.resolve("orders.db");
        Files.write(path, new byte[3 * 512]);
        try (BufferPool pool = smallPool()) {
            assertThatThrownBy(() -> pool.open(ORDERS, path))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("orders.db has 1536 bytes, which is not a multiple of the page size of 4096")
                    .hasMessageContaining("shortens it to 0 bytes");
        }
    }

    @Test
    void fileIsOpenElsewhere() throws IOException {
        try (BufferPool pool = smallPool();
                BufferPool other = smallPool()) {
            ordersOf(pool);
            assertThatThrownBy(() -> other.open(ORDERS, folder.resolve("orders.db")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("orders.db: it is open already in this JVM")
                    .hasMessageEndingWith("close that store first");
        }
    }

    @Test
    void fileIsMissing() throws IOException {
        try (BufferPool pool = smallPool()) {
            assertThatThrownBy(() -> pool.open(ORDERS, folder.resolve("orders.db")))
                    .isInstanceOf(NoSuchFileException.class)
                    .hasMessageEndingWith(
                            "orders.db: there is no such file; open it with FileOption.CREATE to create it");
        }
    }

    @Test
    void allFramesArePinned() throws IOException {
        try (BufferPool pool = smallPool()) {
            PagedFile orders = ordersOf(pool);
            try (PageGuard first = pool.fix(orders.id(0));
                    PageGuard second = pool.fix(orders.id(1));
                    PageGuard third = pool.fix(orders.id(2));
                    PageGuard fourth = pool.fix(orders.id(3))) {
                assertThatThrownBy(() -> pool.fix(orders.id(4)))
                        .isInstanceOf(PoolExhaustedException.class)
                        .hasMessageContaining("4 of 4 frames are pinned")
                        .hasMessageContaining("orders.db, page ")
                        .hasMessageContaining("close guards sooner, or raise frames");
                assertThat(first.id() + second.id() + third.id() + fourth.id()).isEqualTo(4 * orders.id(0) + 6);
            }
        }
    }

    @Test
    void poolIsClosedWhilePagesArePinned() throws IOException {
        BufferPool pool = smallPool();
        PageGuard page = pool.fix(ordersOf(pool).id(3));
        assertThatThrownBy(pool::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the pool was closed with guards open: 1 of its 4 frames are pinned (page 3 of ")
                .hasMessageContaining("orders.db has 1 pin")
                .hasMessageContaining("close every guard first");
        page.close();
        pool.close();
    }

    @Test
    void readOnlyFileIsChanged() throws IOException {
        try (BufferPool pool = smallPool()) {
            ordersOf(pool).close();
            PagedFile orders = pool.open(ORDERS, folder.resolve("orders.db"), FileOption.READ_ONLY);
            assertThatThrownBy(orders::create)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("cannot create a page of ")
                    .hasMessageEndingWith("orders.db: it is open read-only; open it without FileOption.READ_ONLY");
        }
    }
}
