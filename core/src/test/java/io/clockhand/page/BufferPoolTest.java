// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.PAGE_BYTES;
import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PageId;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pages that come and go, by guards in every mode. */
@Tag("both-tables")
class BufferPoolTest {
    @TempDir
    private Path folder;

    @RegisterExtension
    private final Workers workers = new Workers();

    private static List<String> policies() {
        return Policies.names().stream().filter(name -> !name.contains(":")).toList();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void pagesOfManyFilesComeAndGo(String policy) throws IOException {
        for (PageTableKind table : PageTableKind.values()) {
            StampedStore store = new StampedStore(1L << 40);
            try (BufferPool pool =
                    small().policy(policy).tuning(t -> t.table(table)).build()) {
                pool.collectStats(true);
                PagedFile near = pool.open(0, store);
                PagedFile far = pool.open(PageId.GREATEST_FILE, new StampedStore(1L << 43));
                for (int round = 0; round < 3; round++) {
                    for (long page = 0; page < 10; page++) {
                        expectRight(pool, near, page);
                        expectRight(pool, near, page);
                        expectRight(pool, far, page << 38);
                    }
                }
                PoolStats stats = pool.stats();
                assertThat(stats.hits() + stats.misses()).isEqualTo(90);
                assertThat(stats.misses())
                        .isBetween(50L, 60L)
                        .isEqualTo(stats.reads()); // lirs keeps a part of the loop
                assertThat(stats.evictions()).isEqualTo(stats.misses() - 4);
                assertThat(stats.pinned()).isZero();
                assertThat(stats.frames()).isEqualTo(4);
                assertThat(stats.hitRatio()).isEqualTo(stats.hits() / 90.0);
                pool.checkIntegrity();
            }
            assertThat(store.isClosed()).isTrue();
        }
    }

    @Test
    void realFilesAreReadAndCreated() throws IOException {
        Path file = folder.resolve("a.db");
        for (int bytes = 512; bytes <= 1 << 16; bytes *= 2) {
            Path own = folder.resolve("a" + bytes + ".db");
            try (BufferPool pool = Pools.builder().pageBytes(bytes).frames(2).build()) {
                PagedFile number = pool.open(0, own, FileOption.CREATE);
                for (int page = 0; page < 5; page++) {
                    try (WritablePage guard = number.create()) {
                        assertThat(guard.id()).isEqualTo(number.id(page));
                        assertThat(guard.getLong(bytes - Long.BYTES)).isZero();
                    }
                }
                assertThat(number.pages()).isEqualTo(5);
                pool.checkIntegrity();
            }
            assertThat(own.toFile().length()).isEqualTo(5L * bytes);
        }
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        try (FilePageStore store = FilePageStore.open(file, PAGE_BYTES, FileOption.CREATE)) {
            store.write(3, bytes.putLong(100, 77));
        }
        try (BufferPool pool = small().build()) {
            try (PageGuard guard = pool.fix(pool.open(0, file).id(3))) {
                assertThat(guard.getLong(100)).isEqualTo(77);
                assertThat(guard.bytes().getLong(100)).isEqualTo(77);
            }
        }
    }

    @Test
    void bytesAreReadInEverySize() throws IOException {
        MemoryPageStore store = new MemoryPageStore("m", PAGE_BYTES);
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        for (int i = 0; i < PAGE_BYTES; i++) {
            bytes.put(i, (byte) i);
        }
        store.write(0, bytes);
        try (BufferPool pool = small().build()) {
            try (PageGuard guard = pool.fix(pool.open(0, store).id(0))) {
                assertThat(guard.getByte(511)).isEqualTo((byte) 255);
                assertThat(guard.getShort(1)).isEqualTo((short) 0x0102);
                assertThat(guard.getInt(1)).isEqualTo(0x01020304);
                assertThat(guard.getLong(1)).isEqualTo(0x0102030405060708L);
                byte[] some = new byte[4];
                guard.getBytes(8, some, 1, 2);
                assertThat(some).containsExactly(0, 8, 9, 0);
                assertThatThrownBy(() -> guard.getLong(505)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> guard.getByte(-1)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> guard.getBytes(510, some, 0, 4)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> guard.bytes().put(0, (byte) 1)).isInstanceOf(ReadOnlyBufferException.class);
            }
        }
    }

    @Test
    @Tag("nightly")
    void guardOfOnesOwnAllocatesNothing() throws Exception {
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            PageGuard guard = pool.newGuard();
            OptimisticPage optimistic = pool.newOptimisticPage();
            long[] sum = new long[1];
            Workers.Work hits = () -> {
                for (int i = 0; i < 20_000; i++) {
                    long id = file.id(i % 3);
                    try (PageGuard page = guard.fix(id)) {
                        sum[0] += page.getLong(8);
                    }
                    do {
                        optimistic.read(id);
                        sum[0] += optimistic.getLong(8);
                    } while (!optimistic.validateAndRelease());
                    optimistic.close();
                }
            };
            hits.run();
            assertThat(Allocations.ofEachRun(hits)).isLessThan(10_000);
            assertThat(sum[0]).isPositive();
        }
    }

    /** The read is made under the policy's lock, so a thread that must record a hit waits, too. */
    @Test
    void inBlockingModeAReadKeepsOtherReadsAndHitsWaiting() throws IOException {
        StampedStore store = new StampedStore(10);
        try (BufferPool pool =
                small().policy("lru").tuning(t -> t.pageIn(PageIn.BLOCKING)).build()) {
            PagedFile file = pool.open(0, store);
            expectRight(pool, file, 1);
            Gate reading = new Gate();
            List<Long> reads = new CopyOnWriteArrayList<>();
            store.beforeRead(page -> {
                reads.add(page);
                reading.pass();
                return StampedStore.Outcome.GOOD;
            });
            Workers.Worker<Void> miss = workers.run(() -> expectRight(pool, file, 5));
            reading.awaitReached();
            Workers.Worker<Void> otherMiss = workers.run(() -> expectRight(pool, file, 6));
            Workers.Worker<Void> hit = workers.run(() -> expectRight(pool, file, 1));
            otherMiss.awaitParked();
            hit.awaitParked();
            assertThat(reads).containsExactly(5L);
            reading.open();
            miss.result();
            otherMiss.result();
            hit.result();
            assertThat(reads).containsExactly(5L, 6L);
            pool.checkIntegrity();
        }
    }

    @Test
    void poolsOpenAndCloseWithoutALeak() throws IOException {
        Path file = folder.resolve("a.db");
        for (int round = 0; round < 50; round++) {
            try (BufferPool pool = small().frames(64).build()) {
                PagedFile number = pool.open(0, file, FileOption.CREATE);
                try (WritablePage guard = number.create()) {
                    assertThat(guard.getLong(0)).isZero();
                }
            }
        }
        Path descriptors = Path.of("/proc/self/fd");
        if (descriptors.toFile().isDirectory()) {
            try (var open = java.nio.file.Files.list(descriptors)) {
                assertThat(open.filter(fd -> leadsTo(fd, file)).count()).isZero();
            }
        }
    }

    private static boolean leadsTo(Path descriptor, Path file) {
        try {
            return java.nio.file.Files.readSymbolicLink(descriptor).toString().startsWith(file.toString());
        } catch (IOException e) {
            return false;
        }
    }
}
