// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.LatchMode;
import io.clockhand.PageId;
import io.clockhand.io.PageStore;
import io.clockhand.policy.Policies;
import io.clockhand.testing.FailingCalls.Kind;
import io.clockhand.testing.Tier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each call of a policy or a store fails, at every step of one thread that does all that it can. */
@Tag("both-tables")
class FailureInjectionTest {
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
        return Tier.some(5, Stream.of(kinds, policies, forGood).flatMap(each -> each));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void callThatFailsLeavesNothingBehind(String policy, PageIn pageIn, Kind kind, boolean once) throws Exception {
        FailureInjection.failEachCall(() -> new OneThread(policy, pageIn), kind, once);
    }

    /** All that one thread can do. */
    private static final class OneThread extends FailureInjection {
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
            fix(11, LatchMode.UPGRADABLE);
            attempt(() -> file.truncate(KEPT));
            create();
            fix(KEPT, LatchMode.EXCLUSIVE);
            fix(KEPT + 1, LatchMode.SHARED);
            attempt(() -> change(KEPT));
            attempt(pool::flush);
            attempt(() -> change(KEPT));
            for (int page = 0; page < 5; page++) {
                fix(page, LatchMode.SHARED);
            }
            attempt(() -> change(KEPT));
            attempt(pool::checkpoint);
            attempt(() -> change(KEPT));
            attempt(() -> file.force());
            useOtherFiles();
        }

        /** Changes a page of zeros to zeros, since the store takes no other pages. */
        private void change(long page) throws IOException {
            try (WritablePage changed = pool.fixExclusive(file.id(page))) {
                if (StampedStore.isZero(changed)) {
                    changed.beginUpdate();
                    changed.putLong(0, 0);
                    changed.endUnloggedUpdate();
                }
            }
        }

        private void upgradeAndDowngrade() throws IOException {
            try (PageGuard guard = pool.fixUpgradable(file.id(7));
                    WritablePage page = guard.upgrade();
                    PageGuard shared = page.downgrade()) {
                FailureInjection.expectRight(shared, 7);
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
}
