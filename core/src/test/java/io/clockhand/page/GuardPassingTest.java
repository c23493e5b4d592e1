// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LatchMode;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that go from one guard to another: upgrade, downgrade and promotion; and fixes that do not wait. */
class GuardPassingTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private final StampedStore store = new StampedStore(10);
    private final BufferPool pool = small().waitTimeout(Duration.ofMillis(100)).build();
    private final BufferPool other = small().build();
    private PagedFile file;

    @BeforeEach
    void openFile() throws IOException {
        file = pool.open(0, store);
    }

    @AfterEach
    void poolIsWhole() throws IOException {
        assertThat(pool.stats().pinned()).isZero();
        pool.checkIntegrity();
        pool.close();
        other.close();
    }

    @Test
    void upgradePassesThePageOn() throws IOException {
        try (PageGuard guard = pool.fixUpgradable(file.id(3))) {
            try (WritablePage page = guard.upgrade()) {
                assertThat(StampedStore.isRight(page, 3)).isTrue();
                assertThat(pool.newGuard().tryFix(file.id(3))).isFalse();
                assertThatThrownBy(() -> guard.getLong(0))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("passed its page on");
            }
            assertThat(pool.stats().pinned()).isZero();
        }
    }

    @Test
    void guardThatPassedItsPageOnIsClosedOnceOrUsedAgain() throws IOException {
        PageGuard guard = pool.fixUpgradable(file.id(3));
        guard.upgrade().close();
        guard.close();
        assertThatThrownBy(guard::close).isInstanceOf(IllegalStateException.class);
        guard.fixUpgradable(file.id(3)).upgrade().close();
        guard.fix(file.id(4)).close();
        assertThatThrownBy(guard::close).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void sharedGuardIsNotUpgraded() throws IOException {
        try (PageGuard guard = pool.fix(file.id(3))) {
            assertThatThrownBy(guard::upgrade)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the guard of page 3 of stamped is latched to read and cannot be upgraded: fix the"
                            + " page with fixUpgradable");
            assertThat(guard.mode()).isEqualTo(LatchMode.SHARED);
        }
    }

    @Test
    void targetInUseOrOfAnotherPoolIsRefused() throws IOException {
        WritablePage busy = pool.fixExclusive(file.id(1));
        PageGuard busyGuard = pool.fix(file.id(2));
        try (PageGuard guard = pool.fixUpgradable(file.id(3));
                OptimisticPage read = pool.newOptimisticPage()) {
            assertThatThrownBy(() -> guard.upgrade(busy)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> guard.upgrade(other.newWritablePage()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another pool");
            assertThatThrownBy(() -> busy.downgrade(busyGuard)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> busy.downgrade(other.newGuard())).isInstanceOf(IllegalArgumentException.class);
            read.read(file.id(3));
            assertThatThrownBy(() -> read.promote(busyGuard)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> read.promote(busy)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> read.promote(other.newGuard())).isInstanceOf(IllegalArgumentException.class);
            assertThat(guard.mode()).isEqualTo(LatchMode.UPGRADABLE);
        }
        busy.close();
        busyGuard.close();
    }

    @Test
    void downgradeLetsReadersInAndKeepsWritersOut() throws IOException {
        try (WritablePage page = pool.fixExclusive(file.id(3));
                OptimisticPage before = pool.newOptimisticPage()) {
            try (PageGuard guard = page.downgrade()) {
                assertThat(guard.mode()).isEqualTo(LatchMode.SHARED);
                assertThat(StampedStore.isRight(guard, 3)).isTrue();
                pool.fix(file.id(3)).close();
                assertThat(pool.newWritablePage().tryFix(file.id(3))).isFalse();
                before.read(file.id(3));
                assertThat(before.validateAndRelease()).isTrue();
            }
            pool.fixExclusive(file.id(3)).close();
        }
    }

    @Test
    void downgradeWakesReadersThatWait() throws IOException {
        try (BufferPool patient = small().build()) {
            PagedFile own = patient.open(0, new StampedStore(10));
            try (WritablePage page = patient.fixExclusive(own.id(3))) {
                Workers.Worker<Void> reader =
                        workers.run(() -> patient.fix(own.id(3)).close());
                reader.awaitParked();
                try (PageGuard guard = page.downgrade()) {
                    reader.result();
                    assertThat(guard.id()).isEqualTo(own.id(3));
                }
            }
        }
    }

    @Test
    void optimisticReadThatBeganBeforeADowngradeDoesNotValidate() throws IOException {
        pool.fix(file.id(3)).close();
        try (OptimisticPage read = pool.newOptimisticPage()) {
            read.read(file.id(3));
            try (WritablePage page = pool.fixExclusive(file.id(3))) {
                assertThat(read.validate()).isFalse();
                page.downgrade().close();
            }
            assertThat(read.validate()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nb-gclock3", "lru"}) // with lru the read is latched from the beginning
    void optimisticReadIsPromoted(String policy) throws IOException {
        try (BufferPool own = small().policy(policy).build();
                OptimisticPage read = own.newOptimisticPage()) {
            PagedFile pages = own.open(0, new StampedStore(10));
            own.fix(pages.id(3)).close();
            PageGuard guard = own.newGuard();
            WritablePage writable = own.newWritablePage();
            for (int round = 0; round < 3; round++) {
                read.read(pages.id(3));
                assertThat(read.promote(guard)).isTrue();
                assertThat(StampedStore.isRight(guard, 3)).isTrue();
                assertThat(writable.tryFix(pages.id(3))).isFalse();
                guard.close();
                read.read(pages.id(3));
                assertThat(read.promote(writable)).isTrue();
                assertThat(StampedStore.isRight(writable, 3)).isTrue();
                assertThat(guard.tryFix(pages.id(3))).isFalse();
                writable.close();
                assertThatThrownBy(read::validate).isInstanceOf(IllegalStateException.class);
            }
            assertThat(own.stats().pinned()).isZero();
            own.checkIntegrity();
        }
    }

    @Test
    void changedPageIsNotPromoted() throws IOException {
        pool.fix(file.id(3)).close();
        PageGuard guard = pool.newGuard();
        WritablePage writable = pool.newWritablePage();
        try (OptimisticPage read = pool.newOptimisticPage()) {
            read.read(file.id(3));
            pool.fixExclusive(file.id(3)).close();
            assertThat(read.promote(guard)).isFalse();
            read.read(file.id(3));
            pool.fixExclusive(file.id(3)).close();
            assertThat(read.promote(writable)).isFalse();
            read.read(file.id(3));
            try (WritablePage writer = pool.fixExclusive(file.id(3))) {
                assertThat(read.promote(guard)).isFalse();
                assertThat(writer.id()).isEqualTo(file.id(3));
            }
            read.read(file.id(3));
            try (PageGuard reader = pool.fix(file.id(3))) {
                assertThat(read.promote(writable)).isFalse();
                assertThat(reader.id()).isEqualTo(file.id(3));
            }
            read.read(file.id(3));
            for (long round = 0; round < 40; round++) {
                long page = 4 + round % 5;
                pool.fix(file.id(page)).close();
                pool.fix(file.id(page)).close();
            }
            assertThat(read.promote(writable)).isFalse();
        }
        guard.fix(file.id(1)).close();
        writable.fix(file.id(1)).close();
    }

    @Test
    void promotionThatFailsOftenLatchesTheReadInTheEnd() throws IOException {
        pool.fix(file.id(3)).close();
        PageGuard guard = pool.newGuard();
        try (OptimisticPage read = pool.newOptimisticPage()) {
            for (int i = 0; i < OptimisticPage.TRIES; i++) {
                read.read(file.id(3));
                pool.fixExclusive(file.id(3)).close();
                assertThat(read.promote(guard)).isFalse();
            }
            read.read(file.id(3));
            assertThat(pool.newWritablePage().tryFix(file.id(3))).isFalse();
            assertThat(read.promote(guard)).isTrue();
            guard.close();
        }
    }

    @Test
    void validateKeepsTheLatchThatTheReadHadToTake() throws IOException {
        try (OptimisticPage read = pool.newOptimisticPage()) {
            read.read(file.id(3)); // not in memory
            assertThat(read.validate()).isTrue();
            assertThat(pool.newWritablePage().tryFix(file.id(3))).isFalse();
            assertThat(read.validateAndRelease()).isTrue();
            WritablePage writer = pool.newWritablePage();
            assertThat(writer.tryFix(file.id(3))).isTrue();
            writer.close();
            assertThat(read.validateAndRelease()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void tryFixDoesNotReadAndDoesNotWait(LatchMode mode) throws IOException {
        AnyGuard guard = new AnyGuard(pool);
        assertThat(guard.tryFix(file.id(3), mode)).isFalse();
        assertThat(guard.tryFix(file.id(77), mode)).isFalse();
        assertThat(store.reads).hasValue(0);
        pool.fix(file.id(3)).close();
        assertThat(guard.tryFix(file.id(3), mode)).isTrue();
        assertThat(StampedStore.isRight(guard.view(), 3)).isTrue();
        guard.close();
        try (BufferPool patient = small().build()) {
            PagedFile own = patient.open(0, new StampedStore(10));
            AnyGuard late = new AnyGuard(patient);
            try (WritablePage writer = patient.fixExclusive(own.id(3))) {
                boolean fixed = workers.start(() -> late.tryFix(own.id(3), mode))
                        .result(); // in time, though the pool waits for longer
                assertThat(fixed).isFalse();
                assertThat(writer.id()).isEqualTo(own.id(3));
            }
        }
    }

    @Test
    @Tag("nightly")
    void passingPagesOnAllocatesNothing() throws Exception {
        PageGuard guard = pool.newGuard();
        WritablePage writable = pool.newWritablePage();
        OptimisticPage read = pool.newOptimisticPage();
        long id = file.id(3);
        Workers.Work rounds = () -> {
            for (int i = 0; i < 20_000; i++) {
                guard.fixUpgradable(id).upgrade(writable);
                writable.downgrade(guard);
                guard.close();
                read.read(id);
                read.promote(guard);
                guard.close();
                read.read(id);
                read.promote(writable);
                writable.close();
                if (guard.tryFix(id)) {
                    guard.close();
                }
            }
        };
        rounds.run();
        assertThat(Allocations.ofEachRun(rounds)).isLessThan(10_000);
    }

    @Test
    void pinThatIsPassedOnIsListedForItsNewOwner() throws IOException {
        try (BufferPool detecting = small().detectLeaks(true).build();
                OptimisticPage read = detecting.newOptimisticPage()) {
            PagedFile pages = detecting.open(0, new StampedStore(10));
            PageGuard guard = detecting.fixUpgradable(pages.id(3));
            WritablePage page = guard.upgrade();
            assertThat(detecting.pins()).singleElement().satisfies(pin -> {
                assertThat(pin.mode()).isEqualTo(LatchMode.EXCLUSIVE);
                assertThat(pin.guardIsGarbage()).isFalse();
            });
            page.downgrade(guard);
            assertThat(detecting.pins())
                    .singleElement()
                    .satisfies(pin -> assertThat(pin.mode()).isEqualTo(LatchMode.SHARED));
            guard.close();
            assertThat(detecting.pins()).isEmpty();
            read.read(pages.id(3));
            assertThat(read.promote(page)).isTrue();
            assertThat(detecting.pins()).hasSize(1);
            page.close();
            assertThat(detecting.pins()).isEmpty();
        }
    }
}
