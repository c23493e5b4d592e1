// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.impatient;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.PinTrace;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.Workers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pins are listed with page, latch mode, thread, age and stack, and named in the messages of exceptions. */
class LeakDetectionTest {
    @RegisterExtension
    private final Workers workers = new Workers();

    private final StampedStore store = new StampedStore(100);

    private static BufferPoolBuilder detecting() {
        return small().detectLeaks(true);
    }

    private static PinTrace onlyPin(BufferPool pool) {
        assertThat(pool.pins()).hasSize(1);
        return pool.pins().get(0);
    }

    /** That this class fixed the page, in this thread. */
    private static void expectPin(PinTrace pin, long id, LatchMode mode, String method) {
        assertThat(pin.id()).isEqualTo(id);
        assertThat(pin.page()).isEqualTo("page " + PageId.page(id) + " of stamped");
        assertThat(pin.mode()).isEqualTo(mode);
        assertThat(pin.threadId()).isEqualTo(Thread.currentThread().getId());
        assertThat(pin.threadName()).isEqualTo(Thread.currentThread().getName());
        assertThat(pin.guardIsGarbage()).isFalse();
        StackTraceElement caller = pin.stackTrace().stream()
                .filter(call -> !call.getClassName().equals(AnyGuard.class.getName()))
                .findFirst()
                .orElseThrow();
        assertThat(caller.getClassName()).isEqualTo(LeakDetectionTest.class.getName());
        assertThat(caller.getMethodName()).isEqualTo(method);
    }

    @ParameterizedTest
    @EnumSource
    void pinIsListedFromFixToClose(LatchMode mode) throws IOException {
        try (BufferPool pool = detecting()
                .sharedUpdates(file -> mode == LatchMode.SHARED_UPDATE)
                .build()) {
            PagedFile file = pool.open(0, store);
            long id = file.id(3);
            for (int round = 0; round < 2; round++) { // a miss and a hit
                try (AnyGuard fresh = AnyGuard.fix(pool, id, mode)) {
                    expectPin(onlyPin(pool), fresh.view().id(), mode, "pinIsListedFromFixToClose");
                }
                assertThat(pool.pins()).isEmpty();
            }
            AnyGuard guard = new AnyGuard(pool);
            for (long page = 3; page < 6; page++) {
                guard.fix(file.id(page), mode);
                expectPin(onlyPin(pool), file.id(page), mode, "pinIsListedFromFixToClose");
                guard.close();
                assertThat(pool.pins()).isEmpty();
            }
        }
    }

    @Test
    void createdPageIsListed() throws IOException {
        try (BufferPool pool = detecting().build()) {
            PagedFile file = pool.open(0, store);
            try (WritablePage created = file.create()) {
                expectPin(onlyPin(pool), created.id(), LatchMode.EXCLUSIVE, "createdPageIsListed");
            }
            assertThat(pool.pins()).isEmpty();
        }
    }

    @Test
    void upgradedPinIsListedAsOneThatWrites() throws IOException {
        try (BufferPool pool = impatient().detectLeaks(true).build()) {
            long id = pool.open(0, store).id(3);
            try (PageGuard updater = pool.fixUpgradable(id)) {
                try (PageGuard reader = pool.fix(id)) {
                    assertThatThrownBy(updater::upgrade).isInstanceOf(WaitTimeoutException.class);
                    assertThat(pool.pins())
                            .extracting(PinTrace::mode)
                            .containsExactly(LatchMode.UPGRADABLE, LatchMode.SHARED);
                    assertThat(reader.id()).isEqualTo(id);
                }
                try (WritablePage writer = updater.upgrade()) {
                    expectPin(onlyPin(pool), writer.id(), LatchMode.EXCLUSIVE, "upgradedPinIsListedAsOneThatWrites");
                }
            }
            assertThat(pool.pins()).isEmpty();
        }
    }

    @Test
    void optimisticReaderIsListedWhileItHasToLatch() throws IOException {
        try (BufferPool pool = detecting().build()) {
            PagedFile file = pool.open(0, store);
            OptimisticPage page = pool.newOptimisticPage();
            long id = file.id(3);
            page.read(id); // from the file
            expectPin(onlyPin(pool), id, LatchMode.SHARED, "optimisticReaderIsListedWhileItHasToLatch");
            assertThat(page.validateAndRelease()).isTrue();
            assertThat(pool.pins()).isEmpty();
            page.read(id);
            assertThat(pool.pins()).as("without a pin").isEmpty();
            page.read(file.id(4));
            page.read(file.id(5));
            assertThat(onlyPin(pool).id()).isEqualTo(file.id(5));
            page.close();
            assertThat(pool.pins()).isEmpty();
        }
    }

    @Test
    void fixThatFailsIsNotListed() throws IOException {
        try (BufferPool pool = impatient().detectLeaks(true).build()) {
            PagedFile file = pool.open(0, store);
            store.beforeRead(page -> page == 50 ? StampedStore.Outcome.FAILED : StampedStore.Outcome.GOOD);
            store.beforeWrite(page -> StampedStore.Outcome.FAILED);
            List<PageGuard> guards = new ArrayList<>();
            AnyGuard writer = AnyGuard.fix(pool, file.id(0), LatchMode.EXCLUSIVE);
            guards.add(pool.fix(file.id(1)));
            for (LatchMode mode : LatchMode.values()) {
                assertThatThrownBy(() -> AnyGuard.fix(pool, file.id(50), mode)).isInstanceOf(IOException.class);
                assertThatThrownBy(() -> AnyGuard.fix(pool, file.id(100), mode))
                        .isInstanceOf(NoSuchPageException.class);
                assertThat(workers.run(() -> AnyGuard.fix(pool, file.id(0), mode))
                                .failure())
                        .isInstanceOf(WaitTimeoutException.class);
            }
            assertThatThrownBy(() -> writer.fix(file.id(1), LatchMode.EXCLUSIVE))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> guards.get(0).fix(file.id(2))).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> guards.get(0).fixUpgradable(file.id(2))).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> file.create()).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> pool.newOptimisticPage().read(file.id(50))).isInstanceOf(IOException.class);
            for (int page = 2; page < 4; page++) {
                guards.add(pool.fix(file.id(page)));
            }
            assertThatThrownBy(() -> pool.fix(file.id(4))).isInstanceOf(PoolExhaustedException.class);
            assertThat(pool.pins())
                    .extracting(PinTrace::id)
                    .containsExactlyInAnyOrder(file.id(0), file.id(1), file.id(2), file.id(3));
            writer.close();
            guards.forEach(PageGuard::close);
            assertThat(pool.pins()).isEmpty();
        }
    }

    @Test
    void closeByAnotherThreadIsRefusedAndThePinStaysListed() throws IOException {
        try (BufferPool pool = detecting().build();
                PageGuard guard = pool.fix(pool.open(0, store).id(3))) {
            assertThat(workers.run(guard::close).failure()).isInstanceOf(IllegalStateException.class);
            assertThat(onlyPin(pool).threadName())
                    .isEqualTo(Thread.currentThread().getName());
        }
    }

    @Test
    void oldestPinComesFirstAndAgesAreTimesSinceTheFix() throws IOException {
        try (BufferPool pool = detecting().frames(10).build()) {
            PagedFile file = pool.open(0, store);
            List<PageGuard> guards = new ArrayList<>();
            long begin = System.nanoTime();
            for (long page : new long[] {7, 2, 9, 4}) {
                guards.add(pool.fix(file.id(page)));
                awaitNextNano();
            }
            long fixed = System.nanoTime();
            List<PinTrace> pins = pool.pins();
            long end = System.nanoTime();
            assertThat(pins).extracting(pin -> PageId.page(pin.id())).containsExactly(7L, 2L, 9L, 4L);
            assertThat(pins)
                    .allSatisfy(
                            pin -> assertThat(pin.age()).isBetween(Duration.ofNanos(1), Duration.ofNanos(end - begin)));
            assertThat(pool.pins())
                    .allSatisfy(pin -> assertThat(pin.age()).isGreaterThan(Duration.ofNanos(end - fixed)));
            guards.forEach(PageGuard::close);
        }
    }

    private static void awaitNextNano() {
        long now = System.nanoTime();
        while (System.nanoTime() == now) {
            Thread.onSpinWait();
        }
    }

    /** Sixty threads fix and close at random; every fifth leaves one page fixed, in a method whose name says so. */
    @Test
    void amongManyThreadsExactlyTheLeaksAreListed() throws Exception {
        BufferPool pool = detecting().frames(200).build();
        PagedFile file = pool.open(0, store);
        List<Workers.Worker<WritablePage>> running = new ArrayList<>();
        for (int number = 0; number < 60; number++) {
            int thread = number;
            running.add(workers.start(() -> {
                AnyGuard guard = new AnyGuard(pool);
                OptimisticPage optimistic = pool.newOptimisticPage();
                WritablePage leak = null;
                for (int i = 0; i < 500; i++) {
                    for (LatchMode mode : LatchMode.values()) {
                        guard.fix(file.id(60 + (i * 31L + thread) % 40), mode).close();
                    }
                    optimistic.read(file.id((i * 17L + thread) % 40));
                    optimistic.validateAndRelease();
                    optimistic.close();
                    if (i == 250 && thread % 5 == 0) {
                        leak = leak(pool, file.id(40 + thread / 5));
                    }
                }
                return leak;
            }));
        }
        while (running.stream().anyMatch(worker -> !worker.isDone())) {
            assertThat(pool.pins()).hasSizeLessThanOrEqualTo(60 + 12);
        }
        running.forEach(Workers.Worker::result);
        assertThat(pool.pins())
                .extracting(PinTrace::id)
                .containsExactlyInAnyOrderElementsOf(LongStream.range(40, 52)
                        .map(page -> file.id(page))
                        .boxed()
                        .toList());
        assertThat(pool.pins()).allSatisfy(pin -> {
            assertThat(pin.stackTrace().get(0).getMethodName()).isEqualTo("leak");
            assertThat(pin.threadName()).isEqualTo("worker");
        });
        assertThat(pool.pins()).extracting(PinTrace::threadId).doesNotHaveDuplicates();
        assertThat(pool.stats().pinned()).isEqualTo(12);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void leaksOfVirtualThreadsAreListed() throws Exception {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        ThreadFactory virtual = (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
        BufferPool pool = detecting().frames(200).build();
        PagedFile file = pool.open(0, store);
        List<FutureTask<WritablePage>> tasks = new ArrayList<>();
        for (int number = 0; number < 1_000; number++) {
            int thread = number;
            tasks.add(new FutureTask<>(() -> {
                for (int i = 0; i < 20; i++) {
                    pool.fix(file.id((thread + i) % 40)).close();
                }
                return thread < 10 ? leak(pool, file.id(40 + thread)) : null;
            }));
            virtual.newThread(tasks.get(number)).start();
        }
        for (FutureTask<WritablePage> task : tasks) {
            task.get(Workers.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(pool.pins())
                .extracting(PinTrace::id)
                .containsExactlyInAnyOrderElementsOf(LongStream.range(40, 50)
                        .map(page -> file.id(page))
                        .boxed()
                        .toList());
        assertThat(pool.pins()).extracting(PinTrace::threadId).doesNotHaveDuplicates();
        assertThat(pool.pins()).extracting(PinTrace::threadName).containsOnly("");
    }

    private static WritablePage leak(BufferPool pool, long id) throws IOException {
        return pool.fixExclusive(id);
    }

    private static void lose(BufferPool pool, long id) throws IOException {
        assertThat(pool.fix(id).id()).isEqualTo(id);
    }

    @Test
    void guardThatBecameGarbageIsListedAsSuch() throws IOException {
        BufferPool pool = detecting().build();
        PagedFile file = pool.open(0, store);
        PageGuard reachable = pool.fix(file.id(1));
        lose(pool, file.id(2));
        Workers.await(
                () -> {
                    System.gc();
                    return pool.pins().get(1).guardIsGarbage();
                },
                "the guard was not collected");
        assertThat(pool.pins()).hasSize(2);
        PinTrace lost = pool.pins().get(1);
        assertThat(lost.id()).isEqualTo(file.id(2));
        assertThat(lost.stackTrace().get(0).getMethodName()).isEqualTo("lose");
        assertThat(lost).asString().endsWith("its guard is garbage and can never be closed");
        assertThat(pool.pins().get(0).guardIsGarbage()).isFalse();
        assertThat(pool.stats().pinned()).as("nothing unfixes the page").isEqualTo(2);
        reachable.close();
        assertThatThrownBy(pool::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("its guard is garbage and can never be closed");
    }

    @Test
    void exhaustedPoolNamesTheOldestPinsAndHasAll() throws Exception {
        try (BufferPool pool = impatient().detectLeaks(true).frames(8).build()) {
            PagedFile file = pool.open(0, store);
            List<PageGuard> guards = new ArrayList<>();
            for (int page = 0; page < 8; page++) {
                guards.add(pool.fix(file.id(page)));
                awaitNextNano();
            }
            PoolExhaustedException exhausted =
                    catchThrowableOfType(PoolExhaustedException.class, () -> pool.fix(file.id(8)));
            assertThat(exhausted)
                    .hasMessageContaining("8 of 8 frames are pinned (8 pins; ")
                    .hasMessageContaining("raise frames")
                    .hasMessageContaining("Pins: 8, the oldest\n  page 0 of stamped, latched to read for ")
                    .hasMessageContaining(
                            "ms by thread '" + Thread.currentThread().getName() + "' (id ")
                    .hasMessageContaining("at " + LeakDetectionTest.class.getName()
                            + ".exhaustedPoolNamesTheOldestPinsAndHasAll(LeakDetectionTest.java:")
                    .hasMessageContaining("\n  page 4 of stamped, ");
            assertThat(exhausted.getMessage().lines()).hasSize(6);
            assertThat(exhausted.pins())
                    .extracting(pin -> PageId.page(pin.id()))
                    .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
            assertThat(exhausted.getSuppressed()).hasSize(5);
            assertThat(exhausted.getSuppressed()[0]).hasMessageStartingWith("page 0 of stamped");
            assertThat(exhausted.getSuppressed()[0].getStackTrace())
                    .containsExactlyElementsOf(exhausted.pins().get(0).stackTrace());
            assertThat(copy(exhausted).pins()).isEmpty();
            guards.forEach(PageGuard::close);
            expectRight(pool, file, 8);
            assertThat(pool.pins()).isEmpty();
        }
    }

    private static PoolExhaustedException copy(PoolExhaustedException exception) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(exception);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (PoolExhaustedException) in.readObject();
        }
    }

    @Test
    void closeWithOpenGuardsNamesPinsAndTheirStacks() throws IOException {
        try (BufferPool pool = detecting().build();
                PageGuard guard = pool.fixUpgradable(pool.open(0, store).id(3))) {
            assertThatThrownBy(pool::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("1 of its 4 frames are pinned (page 3 of stamped has 1 pin")
                    .hasMessageContaining("close every guard first. Pins: 1, the oldest\n"
                            + "  page 3 of stamped, latched to upgrade for ")
                    .hasMessageContaining(".closeWithOpenGuardsNamesPinsAndTheirStacks(LeakDetectionTest.java:")
                    .satisfies(failure -> assertThat(failure.getSuppressed()[0].getStackTrace())
                            .containsExactlyElementsOf(onlyPin(pool).stackTrace()));
            assertThat(guard.mode()).isEqualTo(LatchMode.UPGRADABLE);
        }
    }

    @Test
    void withoutDetectionMessagesNameTheOptionThatSwitchesItOn() throws IOException {
        String hint = "build the pool with detectLeaks(true) to learn where pages were fixed";
        try (BufferPool pool = impatient().frames(1).build()) {
            PagedFile file = pool.open(0, store);
            try (PageGuard guard = pool.fix(file.id(1))) {
                assertThatThrownBy(pool::pins)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("the pool does not record its pins: " + hint);
                PoolExhaustedException exhausted =
                        catchThrowableOfType(PoolExhaustedException.class, () -> pool.fix(file.id(2)));
                assertThat(exhausted).hasMessageEndingWith("raise frames (or capacityBytes); " + hint);
                assertThat(exhausted.pins()).isEmpty();
                assertThatThrownBy(pool::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageEndingWith("close every guard first; " + hint);
                assertThat(guard.mode()).isEqualTo(LatchMode.SHARED);
            }
        }
    }

    @Test
    @Tag("nightly")
    void withoutDetectionAHitAllocatesNothing() throws Exception {
        try (BufferPool pool = small().detectLeaks(false).build()) {
            PagedFile file = pool.open(0, store);
            AnyGuard guard = new AnyGuard(pool);
            LatchMode[] modes = LatchMode.values();
            Workers.Work hits = () -> {
                for (int i = 0; i < 20_000; i++) {
                    for (LatchMode mode : modes) {
                        guard.fix(file.id(i % 3), mode).close();
                    }
                }
            };
            hits.run();
            assertThat(Allocations.ofEachRun(hits)).isLessThan(10_000);
        }
    }
}
