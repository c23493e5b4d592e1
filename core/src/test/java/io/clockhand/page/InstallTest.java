// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageAheadOfLogException;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pages whose bytes the engine has, and that need no read. */
@Tag("both-tables")
class InstallTest {
    private static final int FRAMES = 4;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final StampedStore store = new StampedStore(100);

    private static BufferPoolBuilder builder() {
        return Pools.builder().pageBytes(StampedStore.PAGE_BYTES).frames(FRAMES).tuning(t -> t.flushThreads(0));
    }

    private static ByteBuffer bytes(long page) {
        ByteBuffer bytes = ByteBuffer.allocate(StampedStore.PAGE_BYTES);
        StampedStore.fill(bytes, 0, StampedStore.stamp(page), 1);
        return bytes.flip();
    }

    @Test
    void pageThatWasInstalledIsThereWithoutARead() throws IOException {
        try (BufferPool pool = builder().build()) {
            pool.collectStats(true);
            PagedFile file = pool.open(0, store);
            for (int page = 0; page < 2 * FRAMES; page++) {
                ByteBuffer bytes = ByteBuffer.allocateDirect(StampedStore.PAGE_BYTES + 16)
                        .position(8)
                        .limit(8 + StampedStore.PAGE_BYTES);
                bytes.put(bytes(page)).position(8);
                assertThat(file.install(page, bytes)).isTrue();
                assertThat(bytes.position()).isEqualTo(8);
                assertThat(bytes.limit()).isEqualTo(8 + StampedStore.PAGE_BYTES);
                assertThat(pool.stats().pinned()).isZero();
                try (PageGuard guard = pool.fix(file.id(page))) {
                    assertThat(StampedStore.isRight(guard, page)).isTrue();
                }
            }
            assertThat(store.reads).as("reads of pages that were installed").hasValue(0);
            assertThat(pool.stats().prefetches()).isEqualTo(2 * FRAMES);
            assertThat(pool.stats().misses()).isZero();
            assertThat(pool.stats().writing().dirtyPages()).isZero();
            pool.checkIntegrity();
        }
        assertThat(store.pages()).isEqualTo(100);
    }

    @Test
    void pageThatIsInMemoryStaysAsItIs() throws IOException {
        try (BufferPool pool = builder().build()) {
            PagedFile file = pool.open(0, store);
            pool.fix(file.id(3)).close();
            assertThat(file.install(3, bytes(4))).isFalse();
            try (PageGuard guard = pool.fix(file.id(3))) {
                assertThat(StampedStore.isRight(guard, 3)).isTrue();
            }
        }
    }

    @Test
    void pageThatIsBeingReadStaysAsItIs() throws IOException {
        Gate gate = new Gate();
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = builder().build()) {
            PagedFile file = pool.open(0, store);
            Worker<Void> reader = workers.run(() -> pool.fix(file.id(3)).close());
            gate.awaitReached();
            assertThat(file.install(3, bytes(3))).isFalse();
            gate.open();
            reader.result();
            pool.checkIntegrity();
        }
    }

    @Test
    void withoutAFrameThePageIsNotInstalled() throws IOException {
        try (BufferPool pool = builder().build()) {
            PagedFile file = pool.open(0, store);
            PageGuard[] guards = new PageGuard[FRAMES];
            for (int i = 0; i < FRAMES; i++) {
                guards[i] = pool.fix(file.id(i));
            }
            assertThat(file.install(50, bytes(50))).isFalse();
            for (PageGuard guard : guards) {
                guard.close();
            }
            assertThat(file.install(50, bytes(50))).isTrue();
        }
    }

    @Test
    void wrongUseIsRefused() throws IOException {
        try (BufferPool pool = builder().build()) {
            PagedFile file = pool.open(0, store);
            assertThatThrownBy(() -> file.install(100, bytes(100)))
                    .isInstanceOf(NoSuchPageException.class)
                    .hasMessageContaining("there is no page 100 of stamped");
            assertThatThrownBy(() -> file.install(-1, bytes(0))).isInstanceOf(IllegalArgumentException.class);
            for (int length : new int[] {0, StampedStore.PAGE_BYTES - 1, StampedStore.PAGE_BYTES + 1}) {
                assertThatThrownBy(() -> file.install(3, ByteBuffer.allocate(length)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(length + " bytes remain in the buffer, but page 3 of stamped has 512");
            }
            file.close();
            assertThatThrownBy(() -> file.install(3, bytes(3))).isInstanceOf(IllegalStateException.class);
            assertThat(pool.stats().free()).isEqualTo(FRAMES);
            pool.checkIntegrity();
        }
    }

    @Test
    void pageAheadOfTheLogIsRefusedAsIfItWereRead() throws IOException {
        WriteAheadLog log = new WriteAheadLog() {
            @Override
            public long end() {
                return 10;
            }

            @Override
            public void makeDurable(long lsn) {
                // it is
            }
        };
        try (BufferPool pool = builder().log(log).lsnOffset(0).build()) {
            PagedFile file = pool.open(0, store);
            ByteBuffer bytes = bytes(3);
            assertThatThrownBy(() -> file.install(3, bytes.putLong(0, 11)), "an LSN behind the log")
                    .isInstanceOf(PageAheadOfLogException.class);
            assertThat(pool.isResident(file.id(3))).isFalse();
            assertThat(file.install(3, bytes.putLong(0, 10))).isTrue();
            pool.checkIntegrity();
        }
    }
}
