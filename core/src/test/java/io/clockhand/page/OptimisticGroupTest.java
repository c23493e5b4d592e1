// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.WaitTimeoutException;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("both-tables")
class OptimisticGroupTest {
    private static final int FRAMES = 40;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final StampedStore store = new StampedStore(1_000);
    private final BufferPool pool = pool().build();
    private PagedFile file;
    private OptimisticGroup group;

    private static BufferPoolBuilder pool() {
        return Pools.builder().pageBytes(StampedStore.PAGE_BYTES).frames(FRAMES);
    }

    @BeforeEach
    void openFile() throws IOException {
        file = pool.open(0, store);
        group = pool.newOptimisticGroup(8);
    }

    @AfterEach
    void poolIsWhole() throws IOException {
        group.close();
        assertThat(pool.stats().pinned()).isZero();
        pool.checkIntegrity();
        pool.close();
    }

    private long[] ids(long... numbers) {
        return LongStream.of(numbers).map(file::id).toArray();
    }

    private void bringIn(long number) throws IOException {
        pool.fix(file.id(number)).close();
    }

    /** Makes optimistic reads of a page fail. */
    private void write(long number) throws IOException {
        pool.fixExclusive(file.id(number)).close();
    }

    private void read(long... numbers) throws IOException {
        group.read(ids(numbers), 0, numbers.length);
    }

    private void expectRight(long... numbers) {
        assertThat(group.size()).isEqualTo(numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            assertThat(group.page(i).id()).isEqualTo(file.id(numbers[i]));
            assertThat(StampedStore.isRight(group.page(i), numbers[i])).isTrue();
        }
    }

    /** {@return whether the pages are copies, which nothing can change any more} */
    private boolean isCopied(long anyOfThem) throws IOException {
        write(anyOfThem);
        return group.validate();
    }

    @Test
    void readsResidentPagesWithoutAPin() throws IOException {
        for (int page = 1; page < 5; page++) {
            bringIn(page);
        }
        long reads = store.reads.get();
        read(3, 1, 4, 2);
        assertThat(pool.stats().pinned()).isZero();
        expectRight(3, 1, 4, 2);
        assertThat(group.validate()).isTrue();
        assertThat(group.validate(2)).isTrue();
        assertThat(store.reads).hasValue(reads);
        assertThat(group.capacity()).isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource
    void absentPagesAreReadInAndNoneStaysLatched(PageTableKind table) throws IOException {
        try (BufferPool own = pool().tuning(t -> t.table(table)).build()) {
            own.collectStats(true);
            StampedStore pages = new StampedStore(1_000);
            PagedFile number = own.open(0, pages);
            own.fix(number.id(2)).close();
            try (OptimisticGroup reader = own.newOptimisticGroup(4)) {
                reader.read(ids(1, 2, 900), 0, 3);
                assertThat(own.stats().pinned()).isZero();
                assertThat(StampedStore.isRight(reader.page(0), 1)).isTrue();
                assertThat(StampedStore.isRight(reader.page(1), 2)).isTrue();
                assertThat(StampedStore.isRight(reader.page(2), 900)).isTrue();
                assertThat(reader.validate()).isTrue();
                assertThat(pages.reads).hasValue(3);
                assertThat(own.stats().misses()).isEqualTo(3);
                assertThat(own.stats().hits()).as("hits").isEqualTo(1);
                own.fixExclusive(number.id(900)).close();
                assertThat(reader.validate()).isFalse();
            }
        }
    }

    @Test
    void pageMayOccurTwiceAndGroupsMayShrinkAndGrow() throws IOException {
        read(5, 5, 6);
        expectRight(5, 5, 6);
        assertThat(group.validate()).isTrue();
        PageView third = group.page(2);
        group.read(ids(9, 6, 5), 1, 1);
        expectRight(6);
        assertThat(group.validate()).isTrue();
        assertThatThrownBy(() -> group.page(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> third.getLong(0)).isInstanceOf(IllegalStateException.class);
        read(1, 2, 3, 4, 5, 6, 7, 8);
        expectRight(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(group.page(2)).isSameAs(third);
        assertThat(group.validate()).isTrue();
    }

    @Test
    void everyPageOfACrowdedTableIsFound() throws IOException {
        try (OptimisticGroup all = pool.newOptimisticGroup(FRAMES)) {
            long[] pages = LongStream.range(0, FRAMES).map(file::id).toArray();
            all.read(pages, 0, FRAMES);
            for (int round = 0; round < 2; round++) {
                all.read(pages, 0, FRAMES);
                for (int i = 0; i < FRAMES; i++) {
                    assertThat(StampedStore.isRight(all.page(i), i)).isTrue();
                }
                assertThat(all.validate()).isTrue();
            }
            assertThat(store.reads).hasValue(FRAMES);
        }
    }

    @Test
    void changeOfOnePageIsSeenAtThatPageAndInTheWhole() throws IOException {
        read(1, 2, 3);
        write(2);
        assertThat(group.validate()).isFalse();
        assertThat(group.validate(0)).isTrue();
        assertThat(group.validate(1)).isFalse();
        assertThat(group.validate(2)).isTrue();
        read(1, 2, 3);
        expectRight(1, 2, 3);
        assertThat(group.validate()).isTrue();
    }

    @Test
    void readersAndUpdatersDoNotDisturb() throws IOException {
        read(1, 2);
        pool.fix(file.id(1)).close();
        pool.fixUpgradable(file.id(2)).close();
        assertThat(group.validate()).isTrue();
    }

    @Test
    void evictionInBetweenIsSeen() throws IOException {
        read(1, 2);
        for (int other = 100; other < 400; other++) {
            bringIn(other);
        }
        group.page(0).getLong(0); // of another page by now, but of memory that is there
        assertThat(group.validate()).isFalse();
        read(1, 2);
        expectRight(1, 2);
        assertThat(group.validate()).isTrue();
    }

    @Test
    void readsOfAGroupProtectItsPagesFromEviction() throws IOException {
        read(1, 2);
        for (int other = 100; other < 400; other++) {
            read(1, 2);
            assertThat(group.validate()).isTrue();
            bringIn(other);
        }
        assertThat(store.reads).hasValue(302);
    }

    @Test
    void pageThatIsBeingWrittenIsWaitedForAndNothingIsHeldMeanwhile() throws IOException {
        try (BufferPool own = pool().waitTimeout(Duration.ofMillis(300)).build()) {
            file = own.open(0, new StampedStore(10));
            group = own.newOptimisticGroup(8);
            own.fix(file.id(1)).close();
            own.fix(file.id(3)).close();
            try (WritablePage writer = own.fixExclusive(file.id(2))) {
                Throwable failure = workers.run(() -> read(1, 2, 3)).failure();
                assertThat(failure)
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining("page 2 of stamped")
                        .hasMessageContaining("latched to write by thread");
                assertThat(writer.id()).isEqualTo(file.id(2));
                assertThat(own.stats().pinned()).isOne();
                assertThat(group.size()).isZero();
            }
            read(1, 2, 3);
            expectRight(1, 2, 3);
            assertThat(group.validate()).isTrue();
            group.close();
        }
    }

    /** The writer has a page of the group, and wants another: with latches that stay each would wait for the other. */
    @Test
    void writerOfAPageCanHaveTheOthersWhileTheGroupWaits() throws IOException {
        Workers.Worker<Void> reader;
        try (WritablePage second = pool.fixExclusive(file.id(2))) {
            reader = workers.run(() -> read(1, 2));
            reader.awaitParked();
            try (WritablePage first = pool.fixExclusive(file.id(1))) {
                assertThat(first.id()).isLessThan(second.id());
            }
        }
        reader.result();
        workers.run(() -> {}).result();
        group = pool.newOptimisticGroup(8);
    }

    @Test
    void afterSomeFailuresThePagesAreCopied() throws IOException {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < OptimisticGroup.TRIES; i++) {
                read(1, 2, 3);
                expectRight(1, 2, 3);
                assertThat(isCopied(i % 3 + 1)).isFalse();
            }
            read(1, 2, 3);
            assertThat(pool.stats().pinned()).isZero();
            assertThat(isCopied(2)).isTrue();
            assertThat(group.validate(1)).isTrue();
            expectRight(1, 2, 3);
        }
        read(1, 2, 3);
        assertThat(isCopied(2)).as("the next read is optimistic").isFalse();
    }

    @Test
    void copiesStayRightWhenTheirPagesAreEvictedAndBytesAreReadFromThem() throws IOException {
        for (int i = 0; i < OptimisticGroup.TRIES; i++) {
            read(1, 2);
            write(1);
            assertThat(group.validate()).isFalse();
        }
        read(1, 2);
        for (int other = 100; other < 400; other++) {
            bringIn(other);
        }
        expectRight(1, 2);
        byte[] bytes = new byte[16];
        group.page(1).getBytes(16, bytes, 0, 16);
        assertThat(ByteBuffer.wrap(bytes).getLong()).isEqualTo(StampedStore.stamp(2));
        assertThat(group.page(1).compareBytes(16, 16, bytes, 0, 16)).isZero();
        assertThat(group.validate()).isTrue();
    }

    /** So a page of a group cannot be the parent in lock coupling. */
    @Test
    void copyValidatesAlthoughItsPageHasChangedSince() throws IOException {
        try (BufferPool own = pool().build()) {
            PagedFile memory = own.open(0, new MemoryPageStore("memory", StampedStore.PAGE_BYTES));
            memory.create().close();
            OptimisticGroup reader = own.newOptimisticGroup(1);
            for (int i = 0; i <= OptimisticGroup.TRIES; i++) {
                reader.read(ids(0), 0, 1);
                assertThat(reader.page(0).getLong(16)).isEqualTo(i);
                try (WritablePage page = own.fixExclusive(memory.id(0))) {
                    page.beginUpdate();
                    page.putLong(16, i + 1);
                    page.endUnloggedUpdate();
                }
                assertThat(reader.validate()).isEqualTo(i == OptimisticGroup.TRIES);
            }
            assertThat(reader.page(0).getLong(16))
                    .as("as it was during the read")
                    .isEqualTo(OptimisticGroup.TRIES);
        }
    }

    @Test
    void readThatFailsCountsOnceHoweverOftenItIsValidated() throws IOException {
        for (int i = 1; i < OptimisticGroup.TRIES; i++) {
            read(1, 2);
            write(1);
            write(2);
            for (int again = 0; again < OptimisticGroup.TRIES; again++) {
                assertThat(group.validate()).isFalse();
                assertThat(group.validate(0)).isFalse();
                assertThat(group.validate(1)).isFalse();
            }
        }
        read(1, 2);
        assertThat(isCopied(1)).as("the fourth read is optimistic").isFalse();
        read(1, 2);
        assertThat(isCopied(1)).isTrue();
    }

    @Test
    void otherPagesBeginAnewAlsoAfterFailures() throws IOException {
        for (int i = 0; i < OptimisticGroup.TRIES; i++) {
            read(1, 2, 3);
            write(1);
            assertThat(group.validate()).isFalse();
        }
        read(1, 2);
        assertThat(isCopied(1))
                .as("the pages are copied at the first read of two")
                .isFalse();
    }

    @Test
    void loopEndsInAPoolThatIsSmallerThanTheGroup() throws IOException {
        try (BufferPool tiny = pool().frames(2).build()) {
            PagedFile number = tiny.open(0, new StampedStore(10));
            long[] pages = LongStream.range(0, 8).map(number::id).toArray();
            OptimisticGroup reader = tiny.newOptimisticGroup(8);
            int rounds = 0;
            boolean right;
            do {
                reader.read(pages, 0, 8);
                right = true;
                for (int i = 0; i < 8; i++) {
                    right &= StampedStore.isRight(reader.page(i), i);
                }
                rounds++;
            } while (!reader.validate());
            assertThat(right).isTrue();
            assertThat(rounds).isEqualTo(OptimisticGroup.TRIES + 1);
            assertThat(tiny.stats().pinned()).isZero();
        }
    }

    @Test
    void loopOverTheInvalidPagesAloneEnds() throws IOException {
        long[] rest = ids(1, 2, 3, 4);
        int rounds = 0;
        while (rest.length > 0) {
            group.read(rest, 0, rest.length);
            write(2);
            write(4);
            long[] again = new long[0];
            for (int i = 0; i < rest.length; i++) {
                if (!group.validate(i)) {
                    again = Arrays.copyOf(again, again.length + 1);
                    again[again.length - 1] = rest[i];
                }
            }
            rest = again;
            rounds++;
        }
        assertThat(rounds).isLessThanOrEqualTo(2 + OptimisticGroup.TRIES);
    }

    @Test
    void policyThatTracksAccessesIsNotifiedOfEachPage() throws IOException {
        try (BufferPool lru = pool().frames(3).policy("lru").build()) {
            StampedStore own = new StampedStore(100);
            PagedFile number = lru.open(0, own);
            OptimisticGroup reader = lru.newOptimisticGroup(2);
            for (int other = 2; other < 8; other++) {
                reader.read(ids(0, 1), 0, 2);
                assertThat(lru.stats().pinned()).isZero();
                assertThat(StampedStore.isRight(reader.page(1), 1)).isTrue();
                assertThat(reader.validate()).isTrue();
                lru.fix(number.id(other)).close();
            }
            assertThat(own.reads).hasValue(8);
        }
    }

    @Test
    void failedReadLeavesNothingToReadAndTheGroupCanBeUsedAgain() throws IOException {
        read(1, 2);
        PageView first = group.page(0);
        store.beforeRead(number -> number == 5 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
        assertThatThrownBy(() -> read(1, 5, 6))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("page 5 of stamped");
        assertThat(group.size()).isZero();
        assertThatThrownBy(() -> first.getLong(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(group::validate).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> read(1, 1_000))
                .isInstanceOf(NoSuchPageException.class)
                .hasMessageContaining("page 1000");
        assertThatThrownBy(() -> group.read(new long[] {PageId.of(7, 0)}, 0, 1))
                .isInstanceOf(NoSuchPageException.class);
        assertThatThrownBy(() -> group.read(new long[] {-1}, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        read(1, 2);
        expectRight(1, 2);
        assertThat(group.validate()).isTrue();
    }

    @Test
    void failedCopyLeavesNothingToReadAndIsRepeated() throws IOException {
        for (int i = 0; i < OptimisticGroup.TRIES; i++) {
            read(1, 2);
            write(1);
            assertThat(group.validate()).isFalse();
        }
        for (int other = 100; other < 400; other++) {
            bringIn(other);
        }
        store.beforeRead(number -> StampedStore.Outcome.FAILED);
        assertThatThrownBy(() -> read(1, 2)).isInstanceOf(IOException.class);
        assertThat(group.size()).isZero();
        store.beforeRead(number -> StampedStore.Outcome.GOOD);
        read(1, 2);
        assertThat(isCopied(1)).isTrue();
        expectRight(1, 2);
    }

    @Test
    void misuseIsNamed() throws IOException {
        assertThatThrownBy(group::validate)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("never fixed one");
        assertThatThrownBy(() -> group.validate(0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> read())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("this group reads between 1 and 8 pages at once, not 0");
        assertThatThrownBy(() -> read(1, 2, 3, 4, 5, 6, 7, 8, 9)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> group.read(ids(1), 1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> pool.newOptimisticGroup(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("between 1 and 1024 pages");
        assertThatThrownBy(() -> pool.newOptimisticGroup(1_025)).isInstanceOf(IllegalArgumentException.class);
        read(1, 2);
        PageView page = group.page(1);
        assertThat(page).hasToString("the optimistic reader of page 2 of stamped in a group");
        assertThat(group).hasToString("the optimistic reader of 2 pages, page 1 of stamped first");
        assertThatThrownBy(() -> page.getLong(StampedStore.PAGE_BYTES)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> page.getWideLsn(0)).isInstanceOf(IllegalStateException.class);
        for (Workers.Work use :
                new Workers.Work[] {() -> read(1), group::validate, () -> group.validate(1), group::close}) {
            assertThat(workers.run(use).failure())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("used by thread 'worker'");
        }
        assertThat(group.validate()).isTrue();
        group.close();
        group.close();
        assertThatThrownBy(() -> page.getLong(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(group::validate).isInstanceOf(IllegalStateException.class);
        Workers.Worker<Void> other = workers.run(() -> {
            read(1);
            group.close();
        });
        other.result();
    }

    @Test
    void bytesOfAPageInAGroupAreNotPutIntoAnother() throws IOException {
        try (BufferPool own = pool().build()) {
            PagedFile memory = own.open(0, new MemoryPageStore("memory", StampedStore.PAGE_BYTES));
            memory.create().close();
            OptimisticGroup reader = own.newOptimisticGroup(1);
            reader.read(ids(0), 0, 1);
            try (WritablePage target = memory.create()) {
                target.beginUpdate();
                assertThatThrownBy(() -> target.putBytes(0, reader.page(0), 0, 8))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("read optimistically");
                target.endUnloggedUpdate();
            }
        }
    }

    @Test
    void groupOfAClosedPoolReadsNothing() throws IOException {
        BufferPool own = pool().build();
        PagedFile number = own.open(0, new StampedStore(10));
        OptimisticGroup reader = own.newOptimisticGroup(2);
        long[] page = {number.id(1)};
        reader.read(page, 0, 1);
        own.close();
        assertThatThrownBy(() -> reader.read(page, 0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the pool is closed");
        assertThat(reader.size()).isZero();
        reader.close();
    }

    @Test
    void noPinIsListedAfterAReadInAPoolThatDetectsLeaks() throws IOException {
        try (BufferPool own = pool().detectLeaks(true).build()) {
            PagedFile number = own.open(0, new StampedStore(10));
            OptimisticGroup reader = own.newOptimisticGroup(2);
            for (int i = 0; i <= OptimisticGroup.TRIES; i++) {
                reader.read(ids(1, 2), 0, 2);
                assertThat(own.pins()).isEmpty();
                own.fixExclusive(number.id(1)).close();
                assertThat(reader.validate()).isEqualTo(i == OptimisticGroup.TRIES);
            }
        }
    }

    @Test
    @Tag("nightly")
    void readsAllocateNothingOnceThePagesWereCopied() throws Exception {
        long[] pages = ids(1, 2, 3, 4);
        Workers.Work reads = () -> {
            for (int i = 0; i < 1_000; i++) {
                group.read(pages, 0, 4);
                if (i % 3 != 0) {
                    write(3);
                }
                group.validate();
            }
        };
        Workers.Work writes = () -> {
            for (int i = 0; i < 1_000; i++) {
                if (i % 3 != 0) {
                    write(3);
                }
            }
        };
        long ofWrites = Allocations.ofEachRun(writes);
        assertThat(Allocations.ofEachRun(reads) - ofWrites).isLessThan(10_000);
    }

    /** It has waited for the latch of its first page, and waits for a frame for its second one. */
    @Test
    void readThatWaitsForAFrameHoldsNoLatch() throws IOException {
        try (BufferPool full =
                pool().frames(2).waitTimeout(Duration.ofMinutes(1)).build()) {
            PagedFile pages = full.open(0, new StampedStore(3));
            OptimisticGroup reader = full.newOptimisticGroup(2);
            WritablePage first = full.fixExclusive(pages.id(0));
            Workers.Worker<Void> reading = workers.run(() -> {
                reader.read(new long[] {pages.id(0), pages.id(2)}, 0, 2);
                reader.close();
            });
            try (PageGuard second = full.fix(pages.id(1))) {
                awaitCallIn(reading, "Latches");
                PageGuard shared = first.downgrade();
                awaitCallIn(reading, "FrameLine");
                try (PageGuard pinned = full.fixUpgradable(pages.id(0))) {
                    shared.close();
                    assertThatCode(() -> pinned.upgrade().close())
                            .as("the latch of a page that was read by a thread that waits for a frame")
                            .doesNotThrowAnyException();
                }
                assertThat(second.id()).as("pinned until now").isEqualTo(pages.id(1));
            }
            reading.result();
        }
    }

    private static void awaitCallIn(Workers.Worker<Void> worker, String type) {
        Workers.await(
                () -> Arrays.stream(worker.thread().getStackTrace())
                        .anyMatch(call -> call.getClassName().endsWith("." + type)
                                && call.getMethodName().startsWith("await")),
                "the thread never waits in " + type);
    }
}
