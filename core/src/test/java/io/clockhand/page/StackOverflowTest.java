// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.clockhand.testing.SmallStack;
import io.clockhand.testing.Tier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fixes overflow the stack, at every depth: afterwards the pool is as before. Misses begin with a check of the stack;
 * the quickest hits check nothing.
 */
class StackOverflowTest {
    private static final int PAGES = 20;
    /** More calls than fit into the stack that a fix leaves. */
    private static final int MOST_DEEPER = 211;

    private static final int ROUNDS = Tier.pick(4, 15, 200);

    static List<Arguments> pools() {
        List<Arguments> pools = new ArrayList<>();
        for (PageTableKind table : PageTableKind.values()) {
            pools.add(Arguments.of(table, PageIn.DEFAULT));
        }
        pools.add(Arguments.of(PageTableKind.DEFAULT, PageIn.OPTIMISTIC));
        pools.add(Arguments.of(PageTableKind.DEFAULT, PageIn.BLOCKING));
        return pools;
    }

    @ParameterizedTest
    @MethodSource("pools")
    void everyPageCanBeFixedAfterMissesThatOverflowedTheStack(PageTableKind table, PageIn pageIn) throws IOException {
        try (BufferPool pool = pool(table, pageIn)) {
            PagedFile file = pool.open(0, new StampedStore(PAGES));
            AtomicInteger wrong = new AtomicInteger();
            PageGuard guard = pool.newGuard();
            boolean[] fixed = new boolean[1];
            int overflows = SmallStack.dive(ROUNDS, depth -> {
                closeIf(fixed, guard);
                int page = page(depth);
                guard.fix(file.id(page));
                fixed[0] = true;
                if (!StampedStore.isRight(guard, page)) {
                    wrong.incrementAndGet();
                }
                closeIf(fixed, guard);
            });

            assertThat(wrong).hasValue(0);
            assertThat(overflows).isGreaterThan(ROUNDS);
            expectWhole(pool, file);
        }
    }

    @ParameterizedTest
    @MethodSource("pools")
    void readsOfThePageStoreThatOverflowTheStackLeaveThePoolWhole(PageTableKind table, PageIn pageIn)
            throws IOException {
        try (BufferPool pool = pool(table, pageIn)) {
            StampedStore store = new StampedStore(PAGES);
            AtomicInteger deep = new AtomicInteger(1);
            store.beforeRead(page -> {
                useStack(deep.get());
                return StampedStore.Outcome.GOOD;
            });
            PagedFile file = pool.open(0, store);
            PageGuard guard = pool.newGuard();
            boolean[] fixed = new boolean[1];
            int overflows = SmallStack.dive(ROUNDS, depth -> {
                deep.set(depth % 100);
                closeIf(fixed, guard);
                guard.fix(file.id(page(depth)));
                fixed[0] = true;
                closeIf(fixed, guard);
            });

            deep.set(1);
            assertThat(overflows).isGreaterThan(ROUNDS);
            expectWhole(pool, file);
        }
    }

    /**
     * Nothing is called between a change of the latch and that of the guard. Hits that are compiled as a whole need
     * less stack than the calls of this test and do not overflow. The guard is closed at a greater depth, or only the
     * fix would overflow, which needs more stack.
     */
    @ParameterizedTest
    @MethodSource("pools")
    void hitsThatOverflowTheStackLoseNoShare(PageTableKind table, PageIn pageIn) throws IOException {
        try (BufferPool pool = pool(table, pageIn)) {
            PagedFile file = pool.open(0, new StampedStore(PAGES));
            long page = file.id(1);
            PageGuard guard = pool.newGuard();
            boolean[] fixed = new boolean[1];
            SmallStack.dive(4 * ROUNDS, depth -> {
                if (!fixed[0]) {
                    guard.fix(page);
                    fixed[0] = true;
                }
                closeDeeper(depth % 12, fixed, guard);
            });

            expectWhole(pool, file);
        }
    }

    /** A close of a page that is latched to write checks the stack first: then it is open still, and can be closed. */
    @ParameterizedTest
    @MethodSource("pools")
    void closeOfAWritablePageThatOverflowsTheStackLosesNoLatch(PageTableKind table, PageIn pageIn) throws IOException {
        try (BufferPool pool = pool(table, pageIn)) {
            PagedFile file = pool.open(0, new StampedStore(PAGES));
            long page = file.id(1);
            WritablePage writable = pool.newWritablePage();
            boolean[] fixed = new boolean[1];
            int overflows = SmallStack.dive(4 * ROUNDS, depth -> {
                if (!fixed[0]) {
                    writable.fix(page);
                    fixed[0] = true;
                }
                closeDeeper(depth % MOST_DEEPER, fixed, writable); // from a fix with enough stack to no stack at all
            });

            assertThat(overflows).isGreaterThan(ROUNDS);
            expectWhole(pool, file);
        }
    }

    private static void closeDeeper(int calls, boolean[] fixed, WritablePage writable) {
        if (calls > 0) {
            closeDeeper(calls - 1, fixed, writable);
            return;
        }
        writable.close();
        fixed[0] = false;
    }

    /** A close that overflows the stack leaves the guard open if it has a share. */
    private static void closeIf(boolean[] fixed, PageGuard guard) {
        if (fixed[0]) {
            guard.close();
            fixed[0] = false;
        }
    }

    private static void closeDeeper(int calls, boolean[] fixed, PageGuard guard) {
        if (calls > 0) {
            closeDeeper(calls - 1, fixed, guard);
            return;
        }
        try {
            guard.close();
        } catch (IllegalStateException closed) { // the last close overflowed the stack after the release
            assertThat(closed).hasMessageContaining("closed");
        }
        fixed[0] = false;
    }

    private static BufferPool pool(PageTableKind table, PageIn pageIn) {
        return small().tuning(t -> t.table(table).pageIn(pageIn)).build();
    }

    /** A page that is not resident: all others were fixed since it was. */
    private static int page(int number) {
        return number % PAGES;
    }

    private static int useStack(int calls) {
        return calls == 0 ? 0 : 1 + useStack(calls - 1);
    }

    private static void expectWhole(BufferPool pool, PagedFile file) throws IOException {
        assertThat(pool.stats().pinned()).as("frames that are pinned").isZero();
        assertThatCode(pool::checkIntegrity).as("the integrity of the pool").doesNotThrowAnyException();
        for (int page = 0; page < PAGES; page++) {
            expectRight(pool, file, page);
        }
        for (int page = 0; page < PAGES; page++) {
            pool.fixExclusive(file.id(page)).close();
        }
        pool.checkIntegrity();
    }
}
