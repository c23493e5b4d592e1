// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.PAGE_BYTES;
import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.WaitTimeoutException;
import io.clockhand.io.FileOption;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files under numbers of the engine: how they are opened, and when a number is free again. */
@Tag("both-tables")
class PagedFileTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    @TempDir
    private Path folder;

    @Test
    void pageIdsAreTheSameAfterARestart() throws IOException {
        Path path = folder.resolve("orders.db");
        long id;
        try (BufferPool pool = small().build()) {
            PagedFile orders = pool.open(1_000_000, path, FileOption.CREATE_NEW);
            orders.create().close();
            try (WritablePage page = orders.create()) {
                id = page.id();
            }
            assertThat(id).isEqualTo(PageId.of(1_000_000, 1)).isEqualTo(orders.id(1));
        }
        try (BufferPool pool = small().build()) {
            pool.open(0, new StampedStore(3));
            pool.open(1_000_000, path);
            try (PageGuard page = pool.fix(id)) {
                assertThat(StampedStore.isZero(page)).isTrue();
            }
        }
    }

    @Test
    void figuresAreThoseOfTheFile() throws IOException {
        try (BufferPool pool = small().frames(8).build();
                OptimisticPage reader = pool.newOptimisticPage();
                OptimisticGroup group = pool.newOptimisticGroup(2)) {
            PagedFile first = pool.open(0, new StampedStore(0, 100));
            PagedFile second = pool.open(1, new StampedStore(1, 50));
            pool.fix(first.id(1)).close();
            assertThat(first.stats()).as("nothing is counted yet").isEqualTo(new FileStats(100, 1, 0, 0));

            pool.collectStats(true);
            pool.fix(first.id(1)).close();
            pool.fix(first.id(2)).close();
            pool.fixExclusive(first.id(2)).close();
            reader.read(first.id(2));
            reader.validateAndRelease();
            group.read(new long[] {first.id(1), second.id(7)}, 0, 2);
            assertThat(group.validate()).isTrue();
            second.create().close();
            first.prefetch(9, 1).await(Workers.LIMIT);

            assertThat(first.stats()).isEqualTo(new FileStats(100, 3, 4, 1));
            assertThat(second.stats()).isEqualTo(new FileStats(51, 2, 0, 2));
            assertThat(pool.fileStats())
                    .containsExactly(
                            entry(first, new FileStats(100, 3, 4, 1)), entry(second, new FileStats(51, 2, 0, 2)));
            assertThat(pool.stats().hits()).isEqualTo(4);
            assertThat(pool.stats().misses()).isEqualTo(3);
            first.truncate(2);
            assertThat(first.stats()).isEqualTo(new FileStats(2, 1, 4, 1));
            first.close();
            assertThat(pool.fileStats()).containsOnlyKeys(second);
            assertThatThrownBy(first::stats).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void numberInUseIsRefusedBeforeTheFileIsTouched() throws IOException {
        Path path = folder.resolve("new.db");
        try (BufferPool pool = small().build()) {
            pool.open(7, new StampedStore(3));
            assertThatThrownBy(() -> pool.open(7, path, FileOption.CREATE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cannot open " + path + " as file 7: that number is in use by stamped; close that file"
                            + " first, or use another number");
            assertThat(path).doesNotExist();
            for (int number : new int[] {-1, PageId.GREATEST_FILE + 1}) {
                assertThatThrownBy(() -> pool.open(number, path, FileOption.CREATE))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("lies between 0 and 1048575; it is " + number);
            }
        }
    }

    @Test
    void poolChoosesNumbersThatAreFree() throws IOException {
        try (BufferPool pool = small().build()) {
            pool.open(1, new StampedStore(3));
            PagedFile first = pool.open(new StampedStore(3));
            PagedFile second = pool.open(folder.resolve("chosen.db"), FileOption.CREATE);
            assertThat(List.of(first.number(), second.number())).containsExactly(0, 2);
            expectRight(pool, first, 2);
            assertThat(pool.file(2).orElseThrow().name()).endsWith("chosen.db");
            first.close();
            assertThat(pool.open(new StampedStore(3)).number())
                    .as("a number, while 0 was in use a moment ago")
                    .isEqualTo(3);
            assertThatThrownBy(() -> pool.open(folder.resolve("missing.db"))).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> pool.open(3, new StampedStore(3)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("in use by stamped");
        }
    }

    @Test
    void threadsThatOpenFilesAtOnceGetDifferentNumbers() throws IOException {
        try (BufferPool pool = small().build()) {
            List<Workers.Worker<Integer>> openers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                openers.add(workers.start(() -> pool.open(new StampedStore(1)).number()));
            }
            assertThat(openers.stream().map(Workers.Worker::result)).doesNotHaveDuplicates();
        }
    }

    @Test
    void pageIsResidentFromItsReadToItsEviction() throws IOException {
        StampedStore store = new StampedStore(20);
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            Gate gate = new Gate();
            store.beforeRead(page -> {
                gate.pass();
                return StampedStore.Outcome.GOOD;
            });
            assertThat(pool.isResident(file.id(3))).isFalse();
            Workers.Worker<Void> reader = workers.run(() -> pool.fix(file.id(3)).close());
            gate.awaitReached();
            assertThat(pool.isResident(file.id(3))).as("while it is read").isFalse();
            gate.open();
            reader.result();
            assertThat(pool.isResident(file.id(3))).isTrue();
            assertThat(pool.isResident(file.id(4))).isFalse();
            for (int page = 5; page < 15; page++) {
                pool.fix(file.id(page)).close();
            }
            assertThat(pool.isResident(file.id(3))).isFalse();
            assertThat(pool.isResident(PageId.of(1, 0))).isFalse();
            assertThat(pool.isResident(-1)).isFalse();
        }
    }

    @Test
    void numberOfAFileThatCouldNotBeOpenedIsFree() throws IOException {
        try (BufferPool pool = small().build()) {
            assertThatThrownBy(() -> pool.open(7, folder.resolve("missing.db")))
                    .isInstanceOf(NoSuchFileException.class)
                    .hasMessageContaining("missing.db: there is no such file; open it with FileOption.CREATE");
            assertThat(folder.resolve("missing.db")).doesNotExist();
            expectRight(pool, pool.open(7, new StampedStore(3)), 2);
        }
    }

    @Test
    void fileThatMustBeNewAndExistsIsRefused() throws IOException {
        Path path = folder.resolve("orders.db");
        try (BufferPool pool = small().build()) {
            pool.open(0, path, FileOption.CREATE_NEW).close();
            assertThatThrownBy(() -> pool.open(0, path, FileOption.CREATE_NEW))
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageContaining("orders.db: the file exists; open it without FileOption.CREATE_NEW");
            pool.open(0, path, FileOption.CREATE);
        }
    }

    @Test
    void readOnlyFileCannotBeChanged() throws IOException {
        Path path = folder.resolve("orders.db");
        try (BufferPool pool = small().build()) {
            PagedFile writable = pool.open(0, path, FileOption.CREATE);
            writable.create().close();
            writable.close();
            assertThatThrownBy(() -> pool.open(0, path, FileOption.READ_ONLY, FileOption.CREATE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("choose READ_ONLY or CREATE");
            PagedFile file = pool.open(0, path, FileOption.READ_ONLY);
            assertThat(file.isReadOnly()).isTrue();
            pool.fix(file.id(0)).close();
            assertThatThrownBy(file::create)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("cannot create a page of ")
                    .hasMessageEndingWith("orders.db: it is open read-only; open it without FileOption.READ_ONLY");
            assertThatThrownBy(() -> file.truncate(0)).hasMessageStartingWith("cannot truncate ");
            assertThatThrownBy(file::drop).hasMessageStartingWith("cannot drop ");
            assertThat(file.pages()).isEqualTo(1);
            file.close();
            assertThat(path).exists();
        }
    }

    @Test
    void filesAreFoundByNumber() throws IOException {
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(7, new StampedStore(3));
            assertThat(pool.file(7)).contains(file);
            assertThat(pool.file(8)).isEmpty();
            assertThat(pool.file(-1)).isEmpty();
            assertThat(file.number()).isEqualTo(7);
            assertThat(file).hasToString("stamped (file 7)");
            file.close();
            assertThat(pool.file(7)).isEmpty();
            assertThat(file.isOpen()).isFalse();
        }
    }

    @Test
    void closedHandleIsRefusedAndCloseIsIdempotent() throws IOException {
        StampedStore next = new StampedStore(1, 5);
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(7, new StampedStore(3));
            file.close();
            PagedFile other = pool.open(7, next);
            file.close();
            assertThatThrownBy(file::create)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("stamped (file 7) was closed; open it again to use it");
            assertThatThrownBy(() -> file.prefetch(0, 1)).isInstanceOf(IllegalStateException.class);
            assertThat(other.isOpen()).isTrue();
            assertThat(other.pages()).isEqualTo(5);
        }
        assertThat(next.isClosed()).isTrue();
    }

    @Test
    void closingAHandleOfAClosedPoolDoesNothing() throws IOException {
        BufferPool pool = small().build();
        PagedFile file = pool.open(7, new StampedStore(3));
        pool.close();
        file.close();
        assertThatThrownBy(file::drop).isInstanceOf(IllegalStateException.class).hasMessage("the pool is closed");
        assertThatThrownBy(() -> file.id(0)).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @EnumSource
    void pagesOfAFormerFileAreNotServedForTheNewOne(PageIn pageIn) throws IOException {
        try (BufferPool pool = small().tuning(t -> t.pageIn(pageIn)).build()) {
            for (int salt = 1; salt < 20; salt++) {
                PagedFile file = pool.open(3, new StampedStore(salt, 10));
                for (long page = 0; page < 10; page++) {
                    try (PageGuard guard = pool.fix(file.id(page))) {
                        assertThat(StampedStore.isRight(guard, salt, page)).isTrue();
                    }
                }
                file.close();
                assertThat(pool.stats().free()).isEqualTo(4);
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void optimisticReadOfAFormerFileDoesNotValidateAndIsNotPromoted() throws IOException {
        try (BufferPool pool = small().frames(1).build();
                OptimisticPage first = pool.newOptimisticPage();
                OptimisticPage second = pool.newOptimisticPage();
                OptimisticPage third = pool.newOptimisticPage()) {
            PagedFile file = pool.open(3, new StampedStore(1, 10));
            expectFixed(pool, file.id(0));
            for (OptimisticPage page : List.of(first, second, third)) {
                page.read(file.id(0));
            }
            file.close();
            PagedFile next = pool.open(3, new StampedStore(2, 10));
            expectFixed(pool, next.id(0));
            assertThat(first.validate()).isFalse();
            assertThat(second.promote(pool.newGuard())).isFalse();
            assertThat(third.promote(pool.newWritablePage())).isFalse();
            pool.checkIntegrity();
        }
    }

    private static void expectFixed(BufferPool pool, long id) throws IOException {
        pool.fix(id).close();
    }

    @Test
    void numberStaysInUseUntilTheRemovalIsComplete() throws IOException {
        StampedStore store = new StampedStore(10);
        try (BufferPool pool = small().waitTimeout(Duration.ofMillis(30)).build()) {
            PagedFile file = pool.open(3, store);
            PageGuard guard = pool.fix(file.id(5));
            assertThatThrownBy(file::close).isInstanceOf(WaitTimeoutException.class);
            assertThatThrownBy(() -> pool.open(3, new StampedStore(1, 10)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("in use by stamped, whose removal is not complete; call close or drop again");
            assertThat(store.isClosed()).isFalse();
            guard.close();
            file.close();
            assertThat(store.isClosed()).isTrue();
            pool.open(3, new StampedStore(1, 10));
        }
    }

    @Test
    void removalWaitsForALoaderOfTheFormerFile() throws IOException {
        Gate gate = new Gate();
        StampedStore store = new StampedStore(1, 10);
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(3, store);
            Workers.Worker<Void> loader =
                    workers.run(() -> pool.fix(PageId.of(3, 5)).close());
            gate.awaitReached();
            Workers.Worker<Void> closer = workers.run(file::close);
            closer.awaitParked();
            assertThatThrownBy(() -> pool.open(3, new StampedStore(2, 10))).hasMessageContaining("in use");
            gate.open();
            loader.result();
            closer.result();
            assertThat(store.tooLate).hasValue(0);
            PagedFile next = pool.open(3, new StampedStore(2, 10));
            try (PageGuard guard = pool.fix(next.id(5))) {
                assertThat(StampedStore.isRight(guard, 2, 5)).isTrue();
            }
            pool.checkIntegrity();
        }
    }

    @Test
    void fileIsClosedEvenIfAPoolIsAboutToCloseAndRefusesInTheEnd() throws IOException {
        Gate writing = new Gate();
        StampedStore slow = new StampedStore(1, 10);
        slow.beforeWrite(page -> {
            writing.pass();
            return StampedStore.Outcome.GOOD;
        });
        AtomicBoolean fails = new AtomicBoolean();
        StampedStore full = new StampedStore(3, 10);
        full.beforeWrite(page -> fails.get() ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
        StampedStore store = new StampedStore(2, 10);
        try (BufferPool pool = small().build()) {
            PagedFile growing = pool.open(1, slow);
            PagedFile file = pool.open(2, store);
            try (WritablePage page = pool.open(3, full).create()) {
                fails.set(true);
                page.beginUpdate();
                page.endUnloggedUpdate();
            }
            Workers.Worker<Void> creator = workers.run(() -> {
                try (WritablePage page = growing.create()) {
                    assertThat(page.id()).isEqualTo(PageId.of(1, 10));
                }
            });
            writing.awaitReached();
            Workers.Worker<Void> poolCloser = workers.run(pool::close);
            Workers.await(() -> !growing.isOpen(), "the pool does not begin to close");
            Workers.Worker<Void> closer = workers.run(file::close);
            closer.awaitParkedOrDone();

            writing.open();
            assertThat(poolCloser.failure()).isInstanceOf(IOException.class);
            closer.result();

            assertThat(file.isOpen()).isFalse();
            assertThat(store.isClosed()).isTrue();
            creator.result();
            fails.set(false);
            assertThatCode(() -> growing.create().close())
                    .as("a creation after the close was refused")
                    .doesNotThrowAnyException();
        }
    }

    /** A close of the file writes its pages when a close of the pool begins, which ends or is refused after that. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closeThatHasBegunBeforeThatOfThePoolWaitsForIt(boolean isRefused) throws IOException {
        Gate writing = new Gate();
        Gate closing = new Gate();
        AtomicBoolean stops = new AtomicBoolean();
        StampedStore store = new StampedStore(2, 10);
        store.beforeWrite(page -> passIf(stops.get(), writing, StampedStore.Outcome.GOOD));
        StampedStore other = new StampedStore(3, 10);
        StampedStore.Outcome outcome = isRefused ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD;
        other.beforeWrite(page -> passIf(stops.get(), closing, outcome));
        BufferPool pool = small().tuning(t -> t.flushThreads(0)).build();
        PagedFile file = pool.open(2, store);
        createDirty(file);
        createDirty(pool.open(3, other));
        stops.set(true);

        Workers.Worker<Void> closer = workers.run(file::close);
        writing.awaitReached();
        Workers.Worker<Void> poolCloser = workers.run(pool::close);
        closing.awaitReached();
        writing.open();
        closer.awaitParkedOrDone();
        closing.open();

        if (isRefused) {
            assertThat(poolCloser.failure()).isInstanceOf(IOException.class);
        } else {
            poolCloser.result();
        }
        closer.result();
        assertThat(store.isClosed()).isTrue();
        assertThat(store.tooLate).hasValue(0);
        stops.set(false);
        pool.close();
    }

    private static StampedStore.Outcome passIf(boolean stops, Gate gate, StampedStore.Outcome outcome) {
        if (!stops) {
            return StampedStore.Outcome.GOOD;
        }
        gate.pass();
        return outcome;
    }

    private static void createDirty(PagedFile file) throws IOException {
        try (WritablePage page = file.create()) {
            page.beginUpdate();
            page.endUnloggedUpdate();
        }
    }

    @Test
    void removalStopsAPrefetchOfTheFile() throws IOException {
        Gate gate = new Gate();
        StampedStore store = new StampedStore(1, 100);
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        StampedStore next = new StampedStore(2, 100);
        try (BufferPool pool =
                small().frames(80).tuning(t -> t.prefetchThreads(1)).build()) {
            PagedFile file = pool.open(3, store);
            Prefetch prefetch = file.prefetch(0, 20);
            gate.awaitReached();
            Workers.Worker<Void> closer = workers.run(file::close);
            closer.awaitParked();
            gate.open();
            closer.result();
            pool.open(3, next);
            assertThat(prefetch.await(Workers.LIMIT)).isTrue();
            assertThat(next.reads).hasValue(0);
            assertThat(store.tooLate).hasValue(0);
        }
    }

    @Test
    void idOfAClosedFileIsNoPage() throws IOException {
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(3, new StampedStore(10));
            file.close();
            assertThatThrownBy(() -> pool.fix(PageId.of(3, 5)))
                    .isInstanceOf(NoSuchPageException.class)
                    .hasMessage("there is no page 5 of stamped any more: the file was closed; open it again to use it");
        }
    }

    @Test
    void oneOfManyThreadsGetsANumber() throws IOException {
        try (BufferPool pool = small().build()) {
            List<Workers.Worker<PagedFile>> openers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Path path = folder.resolve("f" + i + ".db");
                openers.add(workers.start(() -> {
                    try {
                        return pool.open(5, path, FileOption.CREATE);
                    } catch (IllegalArgumentException e) {
                        return null;
                    }
                }));
            }
            int opened = 0;
            for (Workers.Worker<PagedFile> opener : openers) {
                opened += opener.result() == null ? 0 : 1;
            }
            assertThat(opened).isEqualTo(1);
            assertThat(folder.toFile().list((dir, name) -> name.endsWith(".db")))
                    .hasSize(1);
            assertThat(PAGE_BYTES).isEqualTo(pool.pageBytes());
        }
    }
}
