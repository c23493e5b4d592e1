// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.impatient;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.ForwardingPolicy;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("both-tables")
class PoolResizeTest {
    private static final int SLAB_BYTES = 1 << 21;
    private static final int PAGES_OF_SLAB = SLAB_BYTES / SmallPools.PAGE_BYTES;

    @RegisterExtension
    final Workers workers = new Workers();

    private final StampedStore store = new StampedStore(20_000);

    private static List<PageGuard> fixAll(BufferPool pool, PagedFile file, int pages) throws IOException {
        List<PageGuard> guards = new ArrayList<>();
        for (int page = 0; page < pages; page++) {
            guards.add(pool.fix(file.id(page)));
        }
        return guards;
    }

    private static void readAll(BufferPool pool, PagedFile file, int pages) throws IOException {
        for (int page = 0; page < pages; page++) {
            expectRight(pool, file, page);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = PageTableKind.class,
            names = {"CHAINED", "ARRAY"})
    void growthAddsFramesAndKeepsPages(PageTableKind table) throws IOException {
        try (BufferPool pool = small().maxFrames(16).tuning(t -> t.table(table)).build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 4);

            pool.resize(16);

            assertThat(pool.frames()).isEqualTo(16);
            assertThat(pool.stats().frames()).isEqualTo(16);
            assertThat(pool.stats().free()).isEqualTo(12);
            readAll(pool, file, 4);
            assertThat(store.reads).hasValue(4);
            List<PageGuard> guards = fixAll(pool, file, 16);
            assertThat(pool.stats().pinned()).isEqualTo(16);
            guards.forEach(PageGuard::close);
            pool.checkIntegrity();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"nb-gclock3", "2r-gclock", "lru", "bp:lirs", "buffered:2q", "mq", "arc", "car", "w-tinylfu"})
    void poolThatShrankUsesTheFramesThatAreLeft(String policy) throws IOException {
        try (BufferPool pool = impatient().frames(64).policy(policy).build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 200);

            pool.resize(3);

            assertThat(pool.frames()).isEqualTo(3);
            assertThat(pool.stats().free()).isZero();
            readAll(pool, file, 200);
            List<PageGuard> guards = fixAll(pool, file, 3);
            assertThatThrownBy(() -> pool.fix(file.id(3)))
                    .isInstanceOf(PoolExhaustedException.class)
                    .hasMessageContaining("3 of 3 frames are pinned");
            guards.forEach(PageGuard::close);
            pool.checkIntegrity();

            pool.resize(64);

            assertThat(pool.stats().free()).isEqualTo(61);
            readAll(pool, file, 200);
            pool.checkIntegrity();
        }
    }

    @Test
    void framesThatWereNeverUsedAreRetiredAndUsedAgain() throws IOException {
        try (BufferPool pool = small().frames(64).build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 10);

            pool.resize(20);
            pool.resize(40);

            assertThat(pool.stats().free()).isEqualTo(30);
            fixAll(pool, file, 40).forEach(PageGuard::close);
            pool.checkIntegrity();
        }
    }

    @Test
    void changesOfFramesThatAreGivenUpAreWritten() throws IOException {
        MemoryPageStore pages = new MemoryPageStore("pages", SmallPools.PAGE_BYTES);
        try (BufferPool pool = small().frames(64).tuning(t -> t.flushThreads(0)).build()) {
            PagedFile file = pool.open(0, pages);
            for (int page = 0; page < 32; page++) {
                try (WritablePage created = file.create()) {
                    created.beginUpdate();
                    created.putLong(0, 100 + page);
                    created.endUnloggedUpdate();
                }
            }
            assertThat(pool.dirtyPages()).isEqualTo(32);

            pool.resize(2);

            assertThat(pool.dirtyPages()).isLessThanOrEqualTo(2);
            for (int page = 0; page < 32; page++) {
                try (PageGuard guard = pool.fix(file.id(page))) {
                    assertThat(guard.getLong(0)).isEqualTo(100 + page);
                }
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void pageThatCannotBeWrittenLeavesTheFormerSize() throws IOException {
        AtomicBoolean fails = new AtomicBoolean();
        store.beforeWrite(page -> fails.get() ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
        try (BufferPool pool = small().frames(16).tuning(t -> t.flushThreads(0)).build()) {
            PagedFile file = pool.open(0, store);
            for (int page = 0; page < 4; page++) {
                try (WritablePage created = file.create()) {
                    created.beginUpdate();
                    created.endUnloggedUpdate();
                }
            }

            fails.set(true);
            assertThatThrownBy(() -> pool.resize(1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("stamped");

            assertThat(pool.frames()).isEqualTo(16);
            assertThat(pool.dirtyPages()).isEqualTo(4);
            fails.set(false);
            fixAll(pool, file, 16).forEach(PageGuard::close);
            pool.resize(1);
            assertThat(pool.frames()).isEqualTo(1);
            pool.checkIntegrity();
        }
    }

    @Test
    void pageThatStaysInUseLeavesTheFormerSizeAndIsNamed() throws IOException {
        try (BufferPool pool = impatient().build()) {
            PagedFile file = pool.open(0, store);
            List<PageGuard> guards = fixAll(pool, file, 4);

            assertThatThrownBy(() -> pool.resize(1))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("page ")
                    .hasMessageContaining("of stamped")
                    .hasMessageContaining("shrink to 1 frames");

            assertThat(pool.frames()).isEqualTo(4);
            guards.forEach(PageGuard::close);
            readAll(pool, file, 20);
            pool.checkIntegrity();
            pool.resize(1);
            readAll(pool, file, 20);
            pool.checkIntegrity();
        }
    }

    @Test
    void resizeWaitsForThePageInUse() throws Exception {
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            List<PageGuard> guards = fixAll(pool, file, 4);
            Workers.Worker<Void> resizing = workers.run(() -> {
                pool.resize(1);
            });
            Workers.await(() -> pool.frames() == 1, "the pool does not begin to shrink");
            guards.forEach(PageGuard::close);

            resizing.result();

            assertThat(pool.stats().free() + 1).isBetween(1, 2);
            readAll(pool, file, 20);
            pool.checkIntegrity();
        }
    }

    @Test
    void memoryOfWholeSlabsIsGivenBack() throws IOException {
        int frames = 3 * PAGES_OF_SLAB;
        try (BufferPool pool = small().frames(frames).build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, frames);
            long before = pool.memoryStats().bytes();
            assertThat(before).isGreaterThanOrEqualTo(3L * SLAB_BYTES);

            pool.resize(100);

            assertThat(pool.memoryStats().bytes()).isEqualTo(SLAB_BYTES);
            readAll(pool, file, 300);
            pool.checkIntegrity();

            pool.resize(frames);

            readAll(pool, file, frames);
            assertThat(pool.memoryStats().bytes()).isEqualTo(before);
            pool.checkIntegrity();
        }
    }

    /** The reads go round, so frames of low numbers have buffers of high ones in the end. */
    @Test
    void pagesInMemoryThatIsGivenBackAreMoved() throws IOException {
        int frames = 2 * PAGES_OF_SLAB;
        try (BufferPool pool = small().frames(frames).build()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, frames);
            for (int turn = 0; turn < 3; turn++) {
                pool.resize(frames / 2 + turn);
                pool.resize(frames);
                readAll(pool, file, 2 * frames);
                pool.resize(100);
                readAll(pool, file, 200);
                pool.checkIntegrity();
                pool.resize(frames);
            }
            assertThat(pool.frames()).isEqualTo(frames);
        }
    }

    @Test
    void optimisticReadThatBeganBeforeDoesNotValidate() throws IOException {
        int frames = 2 * PAGES_OF_SLAB;
        try (BufferPool pool = small().frames(frames).build();
                OptimisticPage reader = pool.newOptimisticPage()) {
            PagedFile file = pool.open(0, store);
            readAll(pool, file, frames);
            long last = file.id(frames - 1);
            reader.read(last);

            pool.resize(10);

            assertThatCode(() -> reader.getLong(0)).doesNotThrowAnyException(); // wrong bytes perhaps
            assertThat(reader.validateAndRelease()).isFalse();
            reader.read(last);
            assertThat(StampedStore.isRight(reader, frames - 1)).isTrue();
            assertThat(reader.validateAndRelease()).isTrue();
        }
    }

    /**
     * As above, but the frame stays, and its page is moved to another buffer: two threads have read it at the same time
     * when the pool was full, and the second one, which was faster, had the buffer of the highest number.
     */
    @Test
    void optimisticReadOfAPageThatIsMovedDoesNotValidate() throws IOException {
        int frames = 16;
        try (BufferPool pool = small().frames(frames)
                        .tuning(t -> t.pageIn(PageIn.OPTIMISTIC))
                        .build();
                OptimisticPage moved = pool.newOptimisticPage();
                OptimisticPage staying = pool.newOptimisticPage()) {
            PagedFile file = pool.open(0, store);
            readIntoLastBuffer(pool, file, frames);
            FrameStates states = pool.pages().framePool().states();
            assertThat(states.identity(0)).as("the page in frame 0").isEqualTo(file.id(frames));
            moved.read(file.id(frames));
            staying.read(states.identity(1));
            int buffer = pool.pages().buffer(0);

            pool.resize(4);

            assertThat(pool.pages().buffer(0)).as("the buffer of the page").isNotEqualTo(buffer);
            assertThat(moved.validateAndRelease())
                    .as("the read of a page that was moved since it began is valid")
                    .isFalse();
            assertThat(staying.validateAndRelease())
                    .as("the read of a page that stayed is valid")
                    .isTrue();
            readAll(pool, file, frames + 1);
            pool.checkIntegrity();
        }
    }

    /** Fills a pool, and reads one page more, into frame 0, by two threads at the same time. */
    private void readIntoLastBuffer(BufferPool pool, PagedFile file, int frames) throws IOException {
        Gate reading = new Gate();
        AtomicBoolean stops = new AtomicBoolean(true);
        store.beforeRead(page -> {
            if (page == frames && stops.getAndSet(false)) {
                reading.pass();
            }
            return StampedStore.Outcome.GOOD;
        });
        readAll(pool, file, frames);
        Workers.Worker<Void> slow = workers.run(() -> {
            expectRight(pool, file, frames);
        });
        reading.awaitReached();
        expectRight(pool, file, frames);
        reading.open();
        slow.result();
    }

    /** Else another pool could reserve memory that this one still has. */
    @Test
    void growthAfterAShrinkThatKeptItsMemoryLeavesItReserved() throws IOException {
        int frames = 3 * PAGES_OF_SLAB;
        try (BufferPool pool = impatient()
                .frames(frames)
                .tuning(t -> t.pageIn(PageIn.OPTIMISTIC))
                .build()) {
            PagedFile file = pool.open(0, store);
            readIntoLastBuffer(pool, file, frames);
            long bytes = pool.memoryStats().bytes();
            try (PageGuard guard = pool.fix(file.id(frames))) {
                assertThat(StampedStore.isRight(guard, frames)).isTrue();
                assertThatThrownBy(() -> pool.resize(100))
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining("whose memory is to be given back");
                assertThat(pool.frames()).isEqualTo(100);
            }

            pool.resize(PAGES_OF_SLAB);

            assertThat(pool.memoryStats().bytes()).as("bytes in memory").isEqualTo(bytes);
            assertThat(pool.reservedFrames()).as("frames with reserved memory").isEqualTo(frames);
            pool.resize(PAGES_OF_SLAB);
            assertThat(pool.memoryStats().bytes()).as("bytes in memory").isLessThan(bytes);
            assertThat(pool.reservedFrames()).as("frames with reserved memory").isEqualTo(PAGES_OF_SLAB);
            readAll(pool, file, frames);
            pool.checkIntegrity();
        }
    }

    /** The shrinking stands in a write, while a miss is offered a frame past the new number as its victim. */
    @Test
    void missDuringAShrinkUsesNoFramePastTheNewNumber() throws Exception {
        Gate writing = new Gate();
        EventLog.Recorded pages = new EventLog().store("pages", SmallPools.PAGE_BYTES, 6);
        pages.before = page -> {
            if (page == 3) {
                writing.pass();
            }
        };
        try (BufferPool pool = small().waitTimeout(Duration.ofMinutes(2))
                .policy("highest first", count -> new ForwardingPolicy(Policies.create(Policies.DEFAULT, count)) {
                    @Override
                    public int evict(long identity, Claims claims) {
                        for (int frame = 3; frame >= 0; frame--) {
                            if (claims.tryClaim(frame)) {
                                return frame;
                            }
                        }
                        return ReplacementPolicy.NONE;
                    }
                })
                .tuning(t -> t.flushThreads(0))
                .build()) {
            PagedFile file = pool.open(0, pages);
            for (int page = 0; page < 4; page++) {
                pool.fix(file.id(page)).close();
            }
            FrameStates states = pool.pages().framePool().states();
            assertThat(states.identity(3)).isEqualTo(file.id(3));
            try (WritablePage page = pool.fixExclusive(file.id(3))) {
                page.beginUpdate();
                page.endUnloggedUpdate();
            }
            Workers.Worker<Void> resizing = workers.run(() -> {
                pool.resize(2);
            });
            writing.awaitReached();
            assertThat(pool.frames()).isEqualTo(2);

            try (PageGuard guard = pool.fix(file.id(4))) {
                assertThat(guard.id()).isEqualTo(file.id(4));
                assertThat(states.users(2)).as("users of frame 2").isZero();
                assertThat(states.users(0) + states.users(1))
                        .as("users of frames 0 and 1")
                        .isOne();
                writing.open();
                resizing.result();
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void growthServesAMissThatWaitsForAFrame() throws Exception {
        try (BufferPool pool =
                small().maxFrames(8).exhaustedAfter(Duration.ofMinutes(2)).build()) {
            PagedFile file = pool.open(0, store);
            List<PageGuard> guards = fixAll(pool, file, 4);
            Workers.Worker<Void> miss = workers.run(() -> {
                expectRight(pool, file, 4);
            });
            miss.awaitParked();
            pool.resize(8);
            Workers.await(miss::isDone, "a miss that waits for a frame is not woken as the pool grows");
            miss.result();
            guards.forEach(PageGuard::close);
        }
    }

    /** A thread that takes a frame before the policy knows of it would call the policy with a number past its end. */
    @Test
    void framesAreGivenOutAfterThePolicyKnowsThemAndTakenAwayBefore() throws IOException {
        List<String> notices = new ArrayList<>();
        BufferPool[] resized = {null};
        try (BufferPool pool = small().maxFrames(16)
                .policy("noting", count -> new ForwardingPolicy(Policies.create(Policies.DEFAULT, count)) {
                    @Override
                    public void onCapacity(int frames) {
                        int used = 0;
                        for (int frame = 0; frame < 16; frame++) {
                            used += resized[0].pages().framePool().isRetired(frame) ? 0 : 1;
                        }
                        notices.add(frames + " frames, " + used + " may be used");
                        super.onCapacity(frames);
                    }
                })
                .build()) {
            resized[0] = pool;
            PagedFile file = pool.open(0, store);
            readAll(pool, file, 4);
            pool.resize(16);
            readAll(pool, file, 16);
            pool.resize(5);
            readAll(pool, file, 16);
            assertThat(notices)
                    .as("the notices to the policy, and the frames that may be used then")
                    .containsExactly("16 frames, 4 may be used", "5 frames, 5 may be used");
            pool.checkIntegrity();
        }
    }

    @Test
    void sizesOutOfRangeAreRefused() throws IOException {
        BufferPool pool = small().maxFrames(8).build();
        assertThatThrownBy(() -> pool.resize(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("between 1 and");
        assertThatThrownBy(() -> pool.resize(9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxFrames = 8");
        assertThatThrownBy(() -> small().maxFrames(3).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxFrames is 3")
                .hasMessageContaining("4 frames");
        assertThatThrownBy(() -> small().maxFrames(0)).isInstanceOf(IllegalArgumentException.class);
        pool.close();
        assertThatThrownBy(() -> pool.resize(8))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(pool.frames()).isEqualTo(4);
    }
}
