// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PageAheadOfLogException;
import io.clockhand.PageId;
import io.clockhand.io.ByteRange;
import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.io.DoubleWritePageStore;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageCorruptException;
import io.clockhand.io.PageStore;
import io.clockhand.space.FreeSpaceMap;
import io.clockhand.space.SpaceLog;
import io.clockhand.testing.Patience;
import io.clockhand.testing.Pools;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Stores, LSNs, logs, maps and rows that do not fit together are refused. */
class MatchingFilesTest {
    private static final int PAGE_BYTES = 1024;

    private static MemoryPageStore memory() {
        return new MemoryPageStore("orders", PAGE_BYTES);
    }

    /** A store that writes the first 16 bytes of each page, as one for encryption does perhaps. */
    private static PageStore withHeader() {
        MemoryPageStore memory = memory();
        return (PageStore) Proxy.newProxyInstance(
                MatchingFilesTest.class.getClassLoader(),
                new Class<?>[] {PageStore.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("ownBytes")) {
                        return List.of(new ByteRange(0, 16, "the header"));
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static BufferPoolBuilder builder() {
        return Pools.builder().pageBytes(PAGE_BYTES).frames(4);
    }

    /** A log that ends somewhere. */
    private static WriteAheadLog logTo(long end) {
        return new WriteAheadLog() {
            @Override
            public long end() {
                return end;
            }

            @Override
            public void makeDurable(long lsn) {
                // it is
            }
        };
    }

    // --- bytes of a page ---------------------------------------------------------------------------------------------

    @Test
    void storeThatWritesWhereTheLsnLiesIsRefused() throws IOException {
        try (BufferPool pool = builder().lsnOffset(PAGE_BYTES - 8).build()) {
            PageStore checksummed = new ChecksummedPageStore(memory(), 1, PAGE_BYTES - 4);
            PageStore journalled = DoubleWritePageStore.open(
                    new ChecksummedPageStore(memory(), 1, PAGE_BYTES - 11), new MemoryPageStore("journal", PAGE_BYTES));
            for (PageStore store : List.of(checksummed, journalled)) {
                assertThatThrownBy(() -> pool.open(1, store))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("cannot open orders: the pool keeps the LSN of each page at lsnOffset")
                        .hasMessageContaining("the checksum (bytes ");
            }
            pool.open(1, new ChecksummedPageStore(memory(), 1, PAGE_BYTES - 12));
        }
        try (BufferPool pool = builder().lsnOffset(8).build()) {
            assertThatThrownBy(() -> pool.open(1, withHeader())).hasMessageContaining("the header (bytes 0 to 15)");
        }
    }

    @Test
    void checksumInTheBytesOfAnotherStoreIsRefused() {
        PageStore inner = new ChecksummedPageStore(memory(), 1, 100);
        for (int offset : new int[] {97, 100, 103}) {
            assertThatThrownBy(() -> new ChecksummedPageStore(inner, 1, offset))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("where the checksum (bytes 100 to 103) lies already");
        }
        assertThat(new ChecksummedPageStore(inner, 1, 104).ownBytes()).hasSize(2);
    }

    @Test
    void freeSpaceMapAmongTheBytesOfTheStoreIsRefused() throws IOException {
        try (BufferPool pool = builder().build()) {
            for (int offset : new int[] {8, 12, 61, 64, 500, PAGE_BYTES - 65}) {
                PagedFile file = pool.open(1, new ChecksummedPageStore(memory(), 1, offset));
                assertThatThrownBy(() -> FreeSpaceMap.open(pool, file, SpaceLog.NONE), "a checksum at %d", offset)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("orders")
                        .hasMessageContaining("the checksum (bytes " + offset);
                file.close();
            }
            for (int offset : new int[] {0, 16, 60, PAGE_BYTES - 64, PAGE_BYTES - 4}) {
                PagedFile file = pool.open(1, new ChecksummedPageStore(memory(), 1, offset));
                FreeSpaceMap.open(pool, file, SpaceLog.NONE).allocate();
                file.close();
            }
        }
    }

    @Test
    void rowInTheBytesOfTheStoreIsRefused() throws IOException {
        for (boolean shared : new boolean[] {false, true}) {
            try (BufferPool pool = builder().sharedUpdates(file -> shared).build()) {
                PagedFile file = pool.open(1, new ChecksummedPageStore(memory(), 1, 100));
                file.create().close();
                try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
                    rows.beginUpdate();
                    for (int offset : new int[] {100, 101, 103}) {
                        assertThatThrownBy(() -> rows.putByte(offset, (byte) 1))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("would overwrite the checksum (bytes 100 to 103)");
                    }
                    assertThatThrownBy(() -> rows.putLongBits(96, 1, 1)).hasMessageContaining("would overwrite");
                    rows.putByte(99, (byte) 1);
                    rows.putByte(104, (byte) 1);
                    rows.endUpdate(0);
                }
            }
        }
    }

    // --- the log -----------------------------------------------------------------------------------------------------

    /** A file whose first page has an LSN, and whose second page has none. */
    private static MemoryPageStore fileWithLsn(long lsn) throws IOException {
        MemoryPageStore store = memory();
        store.write(0, ByteBuffer.allocate(PAGE_BYTES).putLong(16, lsn));
        store.write(1, ByteBuffer.allocate(PAGE_BYTES));
        return store;
    }

    private static void expectAhead(ThrowingCallable call, String lsn) {
        assertThatThrownBy(call)
                .isInstanceOf(PageAheadOfLogException.class)
                .hasMessageContaining("page 0 of orders has the LSN " + lsn + ", but the log ends at 7")
                .hasMessageContaining("the log was deleted, or is older than the file");
    }

    @Test
    void pageWithAnLsnBehindTheLogIsRefusedByEveryRead() throws IOException {
        for (long lsn : new long[] {8, 1L << 40, -1, Long.MIN_VALUE}) {
            try (BufferPool pool = builder().log(logTo(7)).lsnOffset(16).build()) {
                PagedFile file = pool.open(1, fileWithLsn(lsn));
                long id = file.id(0);
                String text = String.valueOf(lsn);
                expectAhead(() -> pool.fix(id), text);
                expectAhead(() -> pool.fixExclusive(id), text);
                expectAhead(() -> pool.fixUpgradable(id), text);
                expectAhead(() -> pool.newOptimisticPage().read(id), text);
                Prefetch prefetch = file.prefetch(0, 2);
                assertThat(prefetch.await(Patience.PATIENCE)).isTrue();
                assertThat(prefetch.pagesFailed()).isEqualTo(1);
                expectAhead(() -> pool.fix(id), text);
                pool.fix(file.id(1)).close();
                pool.checkIntegrity();
            }
        }
    }

    @Test
    void lastLsnOfTheLogAndPoolsThatDoNotKnowLsnsAreFine() throws IOException {
        for (BufferPoolBuilder fitting : List.of(
                builder().log(logTo(8)).lsnOffset(16),
                builder().log(logTo(7)),
                builder().lsnOffset(16))) {
            try (BufferPool pool = fitting.build()) {
                pool.fix(pool.open(1, fileWithLsn(8)).id(0)).close();
            }
        }
    }

    @Test
    void updateCannotEndWithAnLsnBehindTheLog() throws IOException {
        for (boolean shared : new boolean[] {false, true}) {
            try (BufferPool pool = builder()
                    .log(logTo(7))
                    .lsnOffset(16)
                    .sharedUpdates(file -> shared)
                    .build()) {
                PagedFile file = pool.open(1, memory());
                try (WritablePage page = file.create()) {
                    page.beginUpdate();
                    assertThatThrownBy(() -> page.endUpdate(8))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("the LSN 8 lies behind the end of the log, 7");
                    page.endUpdate(7);
                }
                try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
                    rows.beginUpdate();
                    assertThatThrownBy(() -> rows.endUpdate(8))
                            .hasMessageContaining("lies behind the end of the log, 7");
                    rows.endUpdate(7);
                }
                assertThatThrownBy(() -> file.redoCreation(8, 5))
                        .hasMessageContaining("lies behind the end of the log");
                assertThat(file.pages()).isEqualTo(1);
            }
        }
    }

    // --- redo and space ----------------------------------------------------------------------------------------------

    @Test
    void damagedRecordOfACreationCannotFillTheDisk() throws IOException {
        try (BufferPool pool = builder().build()) {
            PagedFile file = pool.open(1, memory());
            file.setMaxPages(10);
            for (long page : new long[] {10, 1_000, PageId.GREATEST_PAGE}) {
                assertThatThrownBy(() -> file.redoCreation(0, page))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("cannot create page " + page + " of orders, which may have 10 pages")
                        .hasMessageContaining("the record of the creation is damaged");
            }
            assertThat(file.pages()).isZero();
            FreeSpaceMap map = FreeSpaceMap.open(pool, file, SpaceLog.NONE);
            assertThatThrownBy(() -> map.redoCreation(1, 10)).hasMessageContaining("is damaged");
            file.redoCreation(0, 9).close();
            assertThatThrownBy(file::create).hasMessageContaining("it has 10 pages, the maximum");
            file.setMaxPages(11);
            file.create().close();
        }
    }

    @Test
    void reservedPagesAreCreatedWithoutAnExtension() throws IOException {
        MemoryPageStore memory = memory();
        boolean[] full = new boolean[1];
        PageStore store = (PageStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PageStore.class}, (self, method, arguments) -> {
                    if (full[0] && method.getName().equals("extend")) {
                        throw new IOException("the disk is full");
                    }
                    return method.invoke(memory, arguments);
                });
        try (BufferPool pool = builder().build()) {
            PagedFile file = pool.open(1, store);
            file.create().close();
            file.reserve(1_000);
            full[0] = true;
            for (int i = 0; i < 1_000; i++) {
                file.create().close();
            }
            assertThatThrownBy(() -> file.reserve(1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("disk is full");
            assertThatThrownBy(file::create).isInstanceOf(IOException.class).hasMessageContaining("disk is full");
            assertThat(file.pages()).isEqualTo(1_001);
            full[0] = false;
            file.reserve(0);
            file.create().close();
            file.setMaxPages(2_000);
            assertThatThrownBy(() -> file.reserve(999)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> file.reserve(Long.MAX_VALUE)).isInstanceOf(IllegalStateException.class);
            file.reserve(998);
        }
        assertThat(memory.pages()).as("after the close").isEqualTo(1_002);
    }

    @Test
    void makerThatMakesNoPolicyIsNamed() throws IOException {
        try (BufferPool pool = builder().build()) {
            String before = pool.policy();
            assertThatThrownBy(() -> pool.switchPolicy("mine", frames -> null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the maker of the policy mine has made none; " + before + " stays in force");
            assertThat(pool.policy()).isEqualTo(before);
        }
        assertThatThrownBy(() -> builder().policy("mine", frames -> null).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the maker of the policy mine has made none");
    }

    @Test
    void anotherNumberIsNamedAsAPossibleCause() throws IOException {
        MemoryPageStore memory = memory();
        new ChecksummedPageStore(memory, 1, 0).write(0, ByteBuffer.allocate(PAGE_BYTES));
        for (PageStore other :
                List.of(new ChecksummedPageStore(memory, 2, 0), new ChecksummedPageStore(memory, 1, 4))) {
            assertThatThrownBy(() -> other.read(0, ByteBuffer.allocate(PAGE_BYTES)))
                    .isInstanceOf(PageCorruptException.class)
                    .hasMessageContaining("the file number, the offset of the checksum or the page size");
        }
    }
}
