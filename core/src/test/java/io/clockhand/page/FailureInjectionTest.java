// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.io.PageStore;
import io.clockhand.policy.Policies;
import io.clockhand.testing.FailingCalls;
import io.clockhand.testing.FailingCalls.Kind;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Work;
import io.clockhand.testing.Workers.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each call of a policy, a store or a handler of long waits fails once, at every step of a program: misses, hits,
 * releases, waits, creations, truncations, prefetches, evictions and removals. No failure leaves a pin, a latch, a
 * claim or a lock behind: afterwards the pool is whole, each page can be fixed, files grow, and the pool closes.
 */
class FailureInjectionTest {
    private static final int PAGES = 12;
    private static final int KEPT = 10;
    private static final int LEAST_CALLS = 10;
    private static final int MOST_CALLS = 2_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    private final Workers workers = new Workers();

    static Stream<Arguments> settings() {
        Stream<Arguments> kinds = Stream.of(PageIn.values())
                .flatMap(pageIn -> Stream.of(Kind.values())
                        .flatMap(kind -> Stream.of(Arguments.of(Policies.DEFAULT, pageIn, kind, true))));
        Stream<Arguments> policies = Stream.of(
                        "nb-gclock", "gclock", "lru", "2q", "lirs", "mq", "bp:lirs", "buffered:lru")
                .map(policy -> Arguments.of(policy, PageIn.OPTIMISTIC, Kind.OUT_OF_MEMORY, true));
        Stream<Arguments> forGood = Stream.of(PageIn.values())
                .flatMap(pageIn -> Stream.of(Policies.DEFAULT, "lru")
                        .map(policy -> Arguments.of(policy, pageIn, Kind.OUT_OF_MEMORY, false)));
        return Stream.of(kinds, policies, forGood).flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void callThatFailsLeavesNothingBehind(String policy, PageIn pageIn, Kind kind, boolean once) throws Exception {
        int call = 1;
        while (run(new OneThread(policy, pageIn), call, kind, once)) {
            assertThat(++call).isLessThan(MOST_CALLS);
        }
        assertThat(call).isGreaterThan(LEAST_CALLS);
    }

    static Stream<Arguments> settingsOfSeveralThreads() {
        return Stream.of(PageIn.OPTIMISTIC, PageIn.COALESCED)
                .flatMap(pageIn -> Stream.of(true, false)
                        .map(once -> Arguments.of(pageIn, once ? Kind.EXCEPTION : Kind.OUT_OF_MEMORY, once)));
    }

    @ParameterizedTest
    @MethodSource("settingsOfSeveralThreads")
    void callThatFailsWhileOthersWaitLeavesNothingBehind(PageIn pageIn, Kind kind, boolean once) throws Exception {
        int call = 1;
        while (run(new TwoThreads(pageIn, PATIENCE), call, kind, once)) {
            assertThat(++call).isLessThan(MOST_CALLS);
        }
        assertThat(call).isGreaterThan(LEAST_CALLS);
    }

    @ParameterizedTest
    @EnumSource
    void handlerOfLongWaitsThatThrowsAnythingLeavesNothingBehind(Kind kind) throws Exception {
        for (PageIn pageIn : List.of(PageIn.OPTIMISTIC, PageIn.COALESCED)) {
            TwoThreads program = new TwoThreads(pageIn, Duration.ofMillis(2));
            program.handlerFails = true;
            run(program, MOST_CALLS, kind, true);
            program.expectHandlerCalled();
        }
    }

    /** {@return whether the call was made} */
    private static boolean run(Program program, int call, Kind kind, boolean once) throws Exception {
        FailingCalls calls = program.calls;
        calls.failAt(call, kind, once);
        try {
            program.run();
            calls.succeed();
            program.expectWhole();
        } catch (Throwable failure) {
            throw new AssertionError("after the failure of " + calls.place() + ": " + failure, failure);
        }
        return calls.hasFailed();
    }

    /** Uses a pool of four frames and two files, whose policy and stores may fail at any call. */
    private abstract static class Program {
        final FailingCalls calls = new FailingCalls();
        final StampedStore store = new StampedStore(PAGES);
        final BufferPool pool;
        boolean handlerFails;
        private final AtomicBoolean handlerCalled = new AtomicBoolean();
        PagedFile file;

        Program(String policy, PageIn pageIn, Duration patience) throws IOException {
            calls.succeed();
            pool = BufferPool.builder()
                    .pageBytes(StampedStore.PAGE_BYTES)
                    .frames(4)
                    .exhaustedAfter(PATIENCE)
                    .waitTimeout(patience)
                    .onLongWait((what, waited) -> {
                        handlerCalled.set(true);
                        if (handlerFails) {
                            calls.fail("the handler of a wait for " + what);
                        }
                        throw new AssertionError("a wait that does not end, for " + what);
                    })
                    .tuning(t -> t.pageIn(pageIn).prefetchThreads(1))
                    .build(calls.failing(Policies.create(policy, 4)));
            file = pool.open(0, calls.failing(PageStore.class, store));
        }

        abstract void run() throws Exception;

        void expectHandlerCalled() {
            assertThat(handlerCalled).isTrue();
        }

        /** Does something that may fail as the test wants, and in no other way. */
        void attempt(Work work) {
            try {
                work.run();
            } catch (Throwable failure) {
                accept(failure);
            }
        }

        private void accept(Throwable failure) {
            if (!calls.isInjected(failure) && !isAfterwards(failure)) {
                throw new AssertionError("another failure: " + failure, failure);
            }
        }

        /** A consequence of a failure before: a page was not created, or could not be truncated. */
        private static boolean isAfterwards(Throwable failure) {
            return failure instanceof NoSuchPageException
                    || (failure instanceof IllegalStateException
                            && failure.getMessage().contains("is incomplete; call truncate again"));
        }

        /** Fixes a page; {@return the guard, or null if that failed} */
        AnyGuard tryFix(long page, LatchMode mode) {
            AnyGuard guard = new AnyGuard(pool);
            try {
                guard.fix(PageId.of(0, page), mode);
            } catch (Throwable failure) {
                accept(failure);
                return null;
            }
            expectRight(guard.view(), page);
            return guard;
        }

        /** To close a guard never fails. */
        void fix(long page, LatchMode mode) {
            AnyGuard guard = tryFix(page, mode);
            if (guard != null) {
                guard.close();
            }
        }

        void create() {
            attempt(() -> file.create().close());
        }

        private static void expectRight(PageView view, long page) {
            boolean right = page < PAGES && StampedStore.isRight(view, page);
            assertThat(right || (page >= KEPT && StampedStore.isZero(view)))
                    .as("page %d is right", page)
                    .isTrue();
        }

        void expectWhole() throws IOException {
            assertThat(pool.stats().pinned()).as("frames in use").isZero();
            pool.checkIntegrity();
            file.truncate(KEPT); // completes one that has failed
            assertThat(file.pages()).isEqualTo(KEPT);
            for (long page = 0; page < KEPT; page++) {
                for (LatchMode mode : LatchMode.values()) {
                    try (AnyGuard guard = AnyGuard.fix(pool, file.id(page), mode)) {
                        expectRight(guard.view(), page);
                    }
                }
            }
            for (int i = 0; i < 5; i++) {
                file.create().close();
            }
            assertThat(file.pages()).isEqualTo(KEPT + 5).isEqualTo(store.pages());
            assertThat(file.prefetch(0, 1).await(PATIENCE)).isTrue();
            pool.checkIntegrity();
            pool.close();
            assertThat(store.isClosed()).isTrue();
            assertThat(store.tooLate).hasValue(0);
        }
    }

    /** All that one thread can do. */
    private static final class OneThread extends Program {
        private final List<StampedStore> others = new ArrayList<>();
        /** The same stores, whose calls may fail. */
        private final List<PageStore> failing = new ArrayList<>();

        private final List<PagedFile> files = new ArrayList<>();

        OneThread(String policy, PageIn pageIn) throws IOException {
            super(policy, pageIn, PATIENCE);
        }

        @Override
        void run() {
            for (int page = 0; page < 6; page++) {
                fix(page, LatchMode.SHARED);
            }
            for (LatchMode mode : LatchMode.values()) {
                fix(5, mode);
                fix(6, mode);
                attempt(() -> {
                    AnyGuard guard = new AnyGuard(pool);
                    if (guard.tryFix(file.id(5), mode)) {
                        guard.close();
                    }
                });
            }
            attempt(this::upgradeAndDowngrade);
            attempt(this::readOptimistically);
            create();
            fix(PAGES, LatchMode.SHARED);
            create();
            attempt(() -> assertThat(file.prefetch(8, 1).await(PATIENCE)).isTrue());
            fix(8, LatchMode.SHARED);
            fix(11, LatchMode.UPDATE);
            attempt(() -> file.truncate(KEPT));
            create();
            fix(KEPT, LatchMode.EXCLUSIVE);
            fix(KEPT + 1, LatchMode.SHARED);
            useOtherFiles();
        }

        private void upgradeAndDowngrade() throws IOException {
            try (PageGuard guard = pool.fixForUpdate(file.id(7));
                    WritablePage page = guard.upgrade();
                    PageGuard shared = page.downgrade()) {
                Program.expectRight(shared, 7);
            }
        }

        private void readOptimistically() throws IOException {
            try (OptimisticPage page = pool.newOptimisticPage()) {
                page.read(file.id(8));
                assertThat(page.validate()).isTrue();
                PageGuard guard = pool.newGuard();
                if (page.promote(guard)) {
                    guard.close();
                }
                page.read(file.id(9));
                WritablePage writable = pool.newWritablePage();
                if (page.promote(writable)) {
                    writable.close();
                }
            }
        }

        /** Opens two files, uses them and removes them, one in each way. */
        private void useOtherFiles() {
            for (int number = 1; number < 3; number++) {
                StampedStore other = new StampedStore(number, 3);
                // a store that throws when it is owned already is lost, through its own fault
                others.add(other);
                failing.add(calls.failing(PageStore.class, other, "tryOwn"));
                int mine = number;
                attempt(() -> pool.open(mine, failing.get(mine - 1)));
                Optional<PagedFile> opened = pool.file(mine);
                attempt(() -> pool.fix(PageId.of(mine, 2)).close());
                attempt(() -> {
                    if (mine == 1 && opened.isPresent()) {
                        opened.get().close();
                    } else if (opened.isPresent()) {
                        opened.get().drop();
                    }
                });
                opened.ifPresent(files::add);
            }
        }

        /** A file that could not be opened can be, one that could not be removed can be, and the number is free. */
        @Override
        void expectWhole() throws IOException {
            for (PagedFile opened : files) {
                opened.close();
            }
            for (int i = 0; i < others.size(); i++) {
                if (files.stream().noneMatch(isOf(i + 1))) {
                    assertThat(others.get(i).isClosed()).isFalse();
                    pool.open(i + 1, failing.get(i)).close();
                }
                assertThat(others.get(i).isClosed()).isTrue();
                pool.open(i + 1, new StampedStore(i + 1, 3));
                pool.fix(PageId.of(i + 1, 2)).close();
            }
            super.expectWhole();
        }

        private static Predicate<PagedFile> isOf(int number) {
            return opened -> opened.number() == number;
        }
    }

    /** Steps in which a second thread waits for the first one. */
    private final class TwoThreads extends Program {
        private final List<Worker<Void>> running = new ArrayList<>();

        TwoThreads(PageIn pageIn, Duration patience) throws IOException {
            super(Policies.DEFAULT, pageIn, patience);
        }

        /** Starts another thread, and goes on when it waits or has ended; if waits fail, when it has. */
        private void start(Work work) {
            Worker<Void> other = startToWait(work);
            if (handlerFails) {
                other.result();
            }
        }

        private Worker<Void> startToWait(Work work) {
            Worker<Void> other = workers.run(() -> attempt(work));
            running.add(other);
            other.awaitParkedOrDone();
            return other;
        }

        private void join() {
            running.forEach(Worker::result);
            running.clear();
        }

        @Override
        void run() {
            missWithWaiter();
            evictionWithWaiter();
            waitForFrame();
            for (LatchMode mode : LatchMode.values()) {
                waitForLatch(mode);
            }
            truncationWithUser();
            creationWithWaiter();
        }

        private void missWithWaiter() {
            AtomicBoolean begun = new AtomicBoolean();
            store.beforeRead(page -> {
                if (begun.compareAndSet(false, true)) {
                    start(() -> fix(page, LatchMode.SHARED));
                }
                return StampedStore.Outcome.GOOD;
            });
            fix(5, LatchMode.SHARED);
            join();
            begun.set(false);
            fix(6, LatchMode.EXCLUSIVE);
            join();
            store.beforeRead(page -> StampedStore.Outcome.GOOD);
        }

        private void evictionWithWaiter() {
            for (int page = 0; page < 4; page++) {
                fix(page, LatchMode.SHARED);
            }
            AtomicBoolean begun = new AtomicBoolean();
            calls.onClaim(() -> {
                if (begun.compareAndSet(false, true)) {
                    start(() -> {
                        for (int page = 0; page < 4; page++) {
                            fix(page, LatchMode.SHARED);
                        }
                    });
                }
            });
            fix(7, LatchMode.SHARED);
            calls.onClaim(() -> {});
            join();
        }

        private void waitForFrame() {
            List<AnyGuard> guards = new ArrayList<>();
            for (int page = 0; page < 4; page++) {
                AnyGuard guard = tryFix(page, page % 2 == 0 ? LatchMode.SHARED : LatchMode.UPDATE);
                if (guard != null) {
                    guards.add(guard);
                }
            }
            startToWait(() -> fix(8, LatchMode.SHARED));
            startToWait(() -> fix(9, LatchMode.EXCLUSIVE));
            guards.forEach(AnyGuard::close);
            join();
        }

        private void waitForLatch(LatchMode mode) {
            AnyGuard guard = tryFix(2, LatchMode.EXCLUSIVE);
            start(() -> fix(2, mode));
            start(() -> fix(2, LatchMode.SHARED));
            if (guard != null) {
                guard.close();
            }
            join();
        }

        private void truncationWithUser() {
            AnyGuard guard = tryFix(11, LatchMode.SHARED);
            start(() -> file.truncate(KEPT));
            if (guard != null) {
                guard.close();
            }
            join();
        }

        private void creationWithWaiter() {
            AtomicBoolean begun = new AtomicBoolean();
            store.beforeWrite(page -> {
                if (begun.compareAndSet(false, true)) {
                    start(this::create);
                    start(() -> file.truncate(KEPT));
                }
                return StampedStore.Outcome.GOOD;
            });
            create();
            join();
            store.beforeWrite(page -> StampedStore.Outcome.GOOD);
        }
    }
}
