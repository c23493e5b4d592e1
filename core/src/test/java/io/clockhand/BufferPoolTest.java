// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.FilePageStore;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class BufferPoolTest {
    private static final int PAGE_BYTES = StampedStore.PAGE_BYTES;

    @TempDir
    private Path folder;

    @RegisterExtension
    private final Workers workers = new Workers();

    private static BufferPoolBuilder small() {
        return BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(4)
                .exhaustedAfter(Duration.ofMillis(50))
                .waitTimeout(Duration.ofMillis(200));
    }

    private static List<String> policies() {
        return new ArrayList<>(Policies.names());
    }

    private static void expectRight(BufferPool pool, int file, long page) throws IOException {
        try (PageGuard guard = pool.fix(PageId.of(file, page), LatchMode.SHARED)) {
            assertThat(StampedStore.isRight(guard, page))
                    .as("page %d is right", page)
                    .isTrue();
        }
    }

    // --- pages -------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("policies")
    void pagesOfManyFilesComeAndGo(String policy) throws IOException {
        for (PageTableKind table : PageTableKind.values()) {
            StampedStore store = new StampedStore(1L << 40);
            try (BufferPool pool = small().policy(policy).table(table).build()) {
                pool.collectStats(true);
                int near = pool.open(store);
                int far = pool.open(new StampedStore(1L << 43));
                assertThat(far).isEqualTo(near + 1);
                for (int round = 0; round < 3; round++) {
                    for (long page = 0; page < 10; page++) {
                        expectRight(pool, near, page);
                        expectRight(pool, near, page);
                        expectRight(pool, far, page << 38);
                    }
                }
                PoolStats stats = pool.stats();
                assertThat(stats.hits() + stats.misses()).isEqualTo(90);
                assertThat(stats.misses()).isEqualTo(60).isEqualTo(stats.reads());
                assertThat(stats.evictions()).isEqualTo(56);
                assertThat(stats.pinned()).isZero();
                assertThat(stats.frames()).isEqualTo(4);
                assertThat(stats.hitRatio()).isEqualTo(1 / 3.0);
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
            try (BufferPool pool =
                    BufferPool.builder().pageBytes(bytes).frames(2).build()) {
                int number = pool.open(own);
                for (int page = 0; page < 5; page++) {
                    try (PageGuard guard = pool.create(number)) {
                        assertThat(guard.id()).isEqualTo(PageId.of(number, page));
                        assertThat(guard.mode()).isEqualTo(LatchMode.EXCLUSIVE);
                        assertThat(guard.getLong(bytes - Long.BYTES)).isZero();
                    }
                }
                assertThat(pool.pages(number)).isEqualTo(5);
                assertThat(own.toFile().length()).isEqualTo(5L * bytes);
                pool.checkIntegrity();
            }
        }
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        try (FilePageStore store = FilePageStore.open(file, PAGE_BYTES)) {
            store.write(3, bytes.putLong(100, 77));
        }
        try (BufferPool pool = small().build()) {
            try (PageGuard guard = pool.fix(PageId.of(pool.open(file), 3), LatchMode.SHARED)) {
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
            try (PageGuard guard = pool.fix(PageId.of(pool.open(store), 0), LatchMode.SHARED)) {
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
    void guardOfOnesOwnAllocatesNothing() throws Exception {
        try (BufferPool pool = small().build()) {
            int file = pool.open(new StampedStore(10));
            PageGuard guard = pool.newGuard();
            OptimisticPage optimistic = pool.newOptimisticPage();
            long[] sum = new long[1];
            Workers.Work hits = () -> {
                for (int i = 0; i < 20_000; i++) {
                    long id = PageId.of(file, i % 3);
                    try (PageGuard page = guard.fix(id, LatchMode.SHARED)) {
                        sum[0] += page.getLong(8);
                    }
                    do {
                        optimistic.read(id);
                        sum[0] += optimistic.getLong(8);
                    } while (!optimistic.validate());
                    optimistic.close();
                }
            };
            hits.run();
            assertThat(Allocations.during(hits)).isLessThan(10_000);
            assertThat(sum[0]).isPositive();
        }
    }

    // --- failures ----------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void failedReadNamesThePageAndTheNextFixTriesAgain(PageIn pageIn) throws IOException {
        StampedStore store = new StampedStore(10);
        AtomicInteger reads = new AtomicInteger();
        store.beforeRead(page -> switch (reads.incrementAndGet()) {
            case 1 -> StampedStore.Outcome.FAILED;
            case 2 -> StampedStore.Outcome.SHORT;
            default -> StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().pageIn(pageIn).build()) {
            pool.collectStats(true);
            int file = pool.open(store);
            assertThatThrownBy(() -> expectRight(pool, file, 5))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("page 5 of stamped");
            pool.checkIntegrity();
            assertThatThrownBy(() -> expectRight(pool, file, 5))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("page 5 of stamped was read short: 256 of 512 bytes are missing");
            pool.checkIntegrity();
            expectRight(pool, file, 5);
            assertThat(pool.stats().failedReads()).isEqualTo(2);
            assertThat(pool.stats().reads()).isEqualTo(3);
            pool.checkIntegrity();
        }
    }

    @Test
    void failedReadReachesEveryWaiter() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            if (!gate.isReached()) {
                gate.pass();
                return StampedStore.Outcome.FAILED;
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().pageIn(PageIn.COALESCED)
                .waitTimeout(Duration.ofSeconds(20))
                .build()) {
            int file = pool.open(store);
            Workers.Worker<Void> first = workers.run(() -> expectRight(pool, file, 5));
            gate.awaitReached();
            Workers.Worker<Void> second = workers.run(() -> expectRight(pool, file, 5));
            Workers.Worker<Void> third = workers.run(() -> expectRight(pool, file, 5));
            second.awaitParked();
            third.awaitParked();
            gate.open();
            assertThat(first.failure()).isInstanceOf(IOException.class).hasMessageContaining("injected");
            for (Workers.Worker<Void> waiter : List.of(second, third)) {
                assertThat(waiter.failure())
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("page 5 of stamped could not be read by the thread that was first")
                        .hasMessageContaining("injected")
                        .hasCauseInstanceOf(IOException.class);
            }
            pool.checkIntegrity();
            expectRight(pool, file, 5);
            assertThat(store.reads).hasValue(2);
        }
    }

    @Test
    void inOptimisticModeNobodyWaitsForAReader() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            if (!gate.isReached()) {
                gate.pass();
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().pageIn(PageIn.OPTIMISTIC).build()) {
            pool.collectStats(true);
            int file = pool.open(store);
            Workers.Worker<Void> slow = workers.run(() -> expectRight(pool, file, 5));
            gate.awaitReached();
            expectRight(pool, file, 5);
            expectRight(pool, file, 5);
            gate.open();
            slow.result();
            PoolStats stats = pool.stats();
            assertThat(stats.reads()).isEqualTo(2);
            assertThat(stats.wastedReads()).isEqualTo(1);
            assertThat(stats.misses()).isEqualTo(1);
            assertThat(stats.hits()).isEqualTo(2);
            pool.checkIntegrity();
        }
    }

    @Test
    void inOptimisticModeAFailureUndoesNoSuccess() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            if (!gate.isReached()) {
                gate.pass();
                return StampedStore.Outcome.FAILED;
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().pageIn(PageIn.OPTIMISTIC).build()) {
            int file = pool.open(store);
            Workers.Worker<Void> slow = workers.run(() -> expectRight(pool, file, 5));
            gate.awaitReached();
            expectRight(pool, file, 5);
            gate.open();
            slow.result(); // its own read failed, but the page is there
            pool.checkIntegrity();
            assertThat(store.reads).hasValue(2);
        }
    }

    @Test
    void exhaustedPoolNamesFramesPinsAndTheSetting() throws IOException {
        try (BufferPool pool = small().build()) {
            int file = pool.open(new StampedStore(10));
            List<PageGuard> guards = new ArrayList<>();
            for (int page = 0; page < 4; page++) {
                guards.add(pool.fix(PageId.of(file, page), LatchMode.SHARED));
            }
            assertThatThrownBy(() -> pool.fix(PageId.of(file, 4), LatchMode.SHARED))
                    .isInstanceOf(PoolExhaustedException.class)
                    .hasMessageContaining("4 of 4 frames are pinned (4 pins; page 0 of stamped")
                    .hasMessageContaining("raise frames");
            guards.remove(0).close();
            expectRight(pool, file, 4);
            guards.forEach(PageGuard::close);
            pool.checkIntegrity();
        }
    }

    @Test
    void waitForALatchIsBoundedAndNamesTheHolder() throws IOException {
        try (BufferPool pool = small().build()) {
            int file = pool.open(new StampedStore(10));
            long id = PageId.of(file, 1);
            try (PageGuard writer = pool.fix(id, LatchMode.EXCLUSIVE)) {
                Throwable failure = workers.run(
                                () -> pool.fix(id, LatchMode.SHARED).close())
                        .failure();
                assertThat(failure)
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining("waited 200 ms to latch page 1 of stamped to read")
                        .hasMessageContaining("latched to write by thread '"
                                + Thread.currentThread().getName());
                assertThat(writer.mode()).isEqualTo(LatchMode.EXCLUSIVE);
            }
            assertThat(pool.stats().pinned()).isZero();
        }
    }

    @Test
    void updateModeIsUpgradedWhenReadersHaveGone() throws IOException {
        try (BufferPool pool = small().build()) {
            long id = PageId.of(pool.open(new StampedStore(10)), 1);
            try (PageGuard updater = pool.fix(id, LatchMode.UPDATE)) {
                try (PageGuard reader = pool.fix(id, LatchMode.SHARED)) {
                    assertThatThrownBy(updater::upgrade)
                            .isInstanceOf(WaitTimeoutException.class)
                            .hasMessageContaining("to read by one thread");
                    assertThatThrownBy(reader::upgrade).isInstanceOf(IllegalStateException.class);
                }
                updater.upgrade();
                assertThat(updater.mode()).isEqualTo(LatchMode.EXCLUSIVE);
            }
            pool.fix(id, LatchMode.EXCLUSIVE).close();
        }
    }

    @Test
    void pageThatCannotBeWrittenIsNotThere() throws IOException {
        StampedStore store = new StampedStore(10);
        store.beforeWrite(page -> StampedStore.Outcome.FAILED);
        try (BufferPool pool = small().build()) {
            int file = pool.open(store);
            assertThatThrownBy(() -> pool.create(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot write page 10 of stamped");
            assertThat(pool.pages(file)).isEqualTo(10).isEqualTo(store.pages());
            assertThatThrownBy(() -> pool.fix(PageId.of(file, 10), LatchMode.SHARED))
                    .isInstanceOf(IllegalArgumentException.class);
            store.beforeWrite(page -> StampedStore.Outcome.GOOD);
            try (PageGuard created = pool.create(file)) {
                assertThat(PageId.page(created.id())).isEqualTo(10);
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void pageIsThereOnlyWhenItWasWritten() throws IOException {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeWrite(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().build()) {
            int file = pool.open(store);
            Workers.Worker<Void> creator = workers.run(() -> pool.create(file).close());
            gate.awaitReached();
            assertThat(pool.pages(file)).isEqualTo(10);
            assertThatThrownBy(() -> pool.fix(PageId.of(file, 10), LatchMode.SHARED))
                    .isInstanceOf(IllegalArgumentException.class);
            gate.open();
            creator.result();
            try (PageGuard created = pool.fix(PageId.of(file, 10), LatchMode.SHARED)) {
                assertThat(created.getLong(0)).isZero();
            }
        }
    }

    /** A policy whose calls fail when the test says so. */
    private static final class Moody implements ReplacementPolicy {
        private final ReplacementPolicy policy = Policies.create("locked:lru", 4);
        private boolean failing;

        private void check() {
            if (failing) {
                throw new IllegalStateException("moody");
            }
        }

        @Override
        public int weightCap() {
            return 0;
        }

        @Override
        public boolean observesHits() {
            return true;
        }

        @Override
        public void onLoad(int frame, long identity, int generation) {
            policy.onLoad(frame, identity, generation);
            check();
        }

        @Override
        public void onHit(int frame) {
            policy.onHit(frame);
            check();
        }

        @Override
        public void onRemove(int frame) {
            policy.onRemove(frame);
        }

        @Override
        public int evict(long incomingIdentity, Claims claims) {
            return policy.evict(incomingIdentity, claims);
        }

        @Override
        public void onDeclined(int frame) {
            policy.onDeclined(frame);
        }

        @Override
        public void onCapacity(int frames) {
            policy.onCapacity(frames);
        }

        @Override
        public int coldest(int max, IntConsumer sink) {
            return policy.coldest(max, sink);
        }
    }

    @Test
    void policyThatThrowsLeavesNoPinAndNoBufferTwice() throws IOException {
        Moody policy = new Moody();
        try (BufferPool pool = small().build(policy)) {
            int file = pool.open(new StampedStore(20));
            for (int round = 0; round < 20; round++) {
                policy.failing = true;
                int page = round;
                assertThatThrownBy(() -> expectRight(pool, file, page)).hasMessage("moody");
                assertThatThrownBy(() -> expectRight(pool, file, page)).hasMessage("moody");
                policy.failing = false;
                expectRight(pool, file, page);
                assertThat(pool.stats().pinned()).isZero();
                pool.checkIntegrity();
            }
        }
    }

    @Test
    void errorInTheStoreLeavesThePoolWhole() throws IOException {
        for (PageIn pageIn : PageIn.values()) {
            StampedStore own = new StampedStore(10);
            own.beforeRead(page -> {
                throw new OutOfMemoryError("injected");
            });
            try (BufferPool pool = small().pageIn(pageIn).build()) {
                int file = pool.open(own);
                assertThatThrownBy(() -> expectRight(pool, file, 1)).isInstanceOf(OutOfMemoryError.class);
                pool.checkIntegrity();
                own.beforeRead(page -> StampedStore.Outcome.GOOD);
                expectRight(pool, file, 1);
            }
        }
    }

    // --- misuse ------------------------------------------------------------------------------------------------------

    @Test
    void misuseOfGuardsIsNamed() throws IOException {
        try (BufferPool pool = small().build()) {
            int file = pool.open(new StampedStore(10));
            PageGuard guard = pool.fix(PageId.of(file, 1), LatchMode.SHARED);
            assertThatThrownBy(() -> guard.fix(PageId.of(file, 2), LatchMode.SHARED))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the guard of page 1 of stamped has a page already");
            Throwable foreign = workers.run(() -> guard.getLong(0)).failure();
            assertThat(foreign)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(
                            "belongs to thread '" + Thread.currentThread().getName())
                    .hasMessageContaining("used by thread 'worker'");
            assertThat(workers.run(guard::close).failure()).isInstanceOf(IllegalStateException.class);
            guard.close();
            assertThatThrownBy(guard::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("page 1 of stamped is not open");
            assertThatThrownBy(() -> guard.getLong(0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> pool.newGuard().close())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("never fixed");
            pool.checkIntegrity();
        }
    }

    @Test
    void pagesThatAreNotThereAreNamed() throws IOException {
        try (BufferPool pool = small().build()) {
            int file = pool.open(new StampedStore(10));
            for (long id :
                    new long[] {PageId.of(file, 10), PageId.of(file + 1, 0), -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThatThrownBy(() -> pool.fix(id, LatchMode.SHARED)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> pool.newOptimisticPage().read(id))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> pool.fix(PageId.of(file, 10), LatchMode.SHARED))
                    .hasMessageContaining("there is no page 10 of stamped: it has 10 pages");
            assertThatThrownBy(() -> pool.create(7)).hasMessageContaining("there is no file 7");
            pool.checkIntegrity();
        }
    }

    @Test
    void storesOfAnotherPageSizeAndFilesInUseAreRefused() throws IOException {
        Path file = folder.resolve("a.db");
        try (BufferPool pool = small().build();
                BufferPool other = small().build()) {
            assertThatThrownBy(() -> pool.open(new MemoryPageStore("m", 1024)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("m has pages of 1024 bytes, but those of this pool have 512");
            pool.open(file);
            assertThatThrownBy(() -> other.open(file)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> pool.open(file)).isInstanceOf(IOException.class);
            StampedStore store = new StampedStore(1);
            pool.open(store);
            assertThatThrownBy(() -> pool.open(store)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> other.open(store))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("stamped is in a pool already");
        }
        try (BufferPool pool = small().build()) {
            pool.open(file);
        }
    }

    @Test
    void closeWithPinnedPagesNamesThemAndLeavesThePoolOpen() throws IOException {
        BufferPool pool = small().build();
        int file = pool.open(new StampedStore(10));
        PageGuard guard = pool.fix(PageId.of(file, 3), LatchMode.SHARED);
        assertThatThrownBy(pool::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 of its 4 frames are pinned (page 3 of stamped has 1 pin, latched to read");
        expectRight(pool, file, 4);
        guard.close();
        OptimisticPage late = pool.newOptimisticPage();
        late.read(PageId.of(file, 3));
        pool.close();
        pool.close();
        assertThat(late.getLong(0)).isEqualTo(StampedStore.stamp(3)); // its memory is there as long as it refers to it
        assertThatThrownBy(() -> late.read(PageId.of(file, 3)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the pool is closed");
        assertThatThrownBy(() -> pool.fix(PageId.of(file, 3), LatchMode.SHARED))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pool.open(new StampedStore(1))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void wrongSettingsAreRefused() {
        assertThatThrownBy(() -> BufferPool.builder().pageBytes(1000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BufferPool.builder().frames(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BufferPool.builder().capacityBytes(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BufferPool.builder().capacityBytes(4095).build())
                .hasMessageContaining("room for 0 pages");
        assertThatThrownBy(() -> BufferPool.builder().policy("nonsense").build())
                .hasMessageContaining("nb-gclock3");
        assertThatThrownBy(() -> BufferPool.builder().waitTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        BufferPool.builder().pageBytes(1 << 16).frames(1 << 26).build())
                .hasMessageContaining("-XX:MaxDirectMemorySize=");
        assertThat(BufferPool.builder().capacityBytes(1 << 20).build().frames()).isEqualTo(256);
        BufferPool.builder().waitTimeout(Duration.ofSeconds(Long.MAX_VALUE)).build();
    }

    @Test
    void idsArePackedAndChecked() {
        long id = PageId.of(PageId.GREATEST_FILE, PageId.GREATEST_PAGE);
        assertThat(id).isEqualTo(Long.MAX_VALUE);
        assertThat(PageId.file(id)).isEqualTo(PageId.GREATEST_FILE);
        assertThat(PageId.page(id)).isEqualTo(PageId.GREATEST_PAGE);
        assertThat(PageId.page(PageId.of(3, 1L << 33))).isEqualTo(1L << 33);
        assertThatThrownBy(() -> PageId.of(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PageId.of(0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PageId.of(1 << 20, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PageId.of(0, 1L << 43)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void poolsOpenAndCloseWithoutALeak() throws IOException {
        Path file = folder.resolve("a.db");
        for (int round = 0; round < 50; round++) {
            try (BufferPool pool = small().frames(64).build()) {
                int number = pool.open(file);
                try (PageGuard guard = pool.create(number)) {
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
