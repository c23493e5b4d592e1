// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.FlightRecordings.only;
import static io.clockhand.page.SmallPools.expectRight;
import static io.clockhand.page.SmallPools.impatient;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LatchMode;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The events of a pool in recordings of Flight Recorder. */
class FlightEventsTest {
    private static final String MISS = "io.clockhand.PageMiss";
    private static final String SEARCH = "io.clockhand.VictimSearch";
    private static final String WAIT = "io.clockhand.Wait";
    private static final String STATISTICS = "io.clockhand.PoolStatistics";

    @RegisterExtension
    private final Workers workers = new Workers();

    @TempDir
    private Path directory;

    private List<RecordedEvent> recorded(String event, Workers.Work work) throws Exception {
        return FlightRecordings.recorded(directory, event, work);
    }

    // --- misses ------------------------------------------------------------------------------------------------------

    @Test
    void missTellsItsPageAndWhereItsTimeWent() throws Exception {
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            RecordedEvent miss = only(recorded(MISS, () -> {
                expectRight(pool, file, 5);
                expectRight(pool, file, 5);
            }));
            assertThat(miss.getString("file")).isEqualTo("stamped");
            assertThat(miss.getLong("page")).isEqualTo(5);
            assertThat(miss.getString("outcome")).isEqualTo("loaded");
            assertThat(miss.getBoolean("concurrent")).isFalse();
            assertThat(miss.getDuration("searchNanos")).isPositive();
            assertThat(miss.getDuration("readNanos")).isPositive();
            assertThat(miss.getStackTrace()).isNull();
        }
    }

    @Test
    void failedReadIsOneOutcomeAndSoIsACreation() throws Exception {
        StampedStore store = new StampedStore(10);
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            store.beforeRead(page -> StampedStore.Outcome.FAILED);
            List<RecordedEvent> misses = recorded(MISS, () -> {
                assertThatThrownBy(() -> expectRight(pool, file, 5)).isInstanceOf(IOException.class);
                store.beforeRead(page -> StampedStore.Outcome.GOOD);
                expectRight(pool, file, 5);
                file.create().close();
            });
            assertThat(misses)
                    .extracting(miss -> miss.getString("outcome"))
                    .containsExactly("failed", "loaded", "created");
            assertThat(misses).extracting(miss -> miss.getLong("page")).containsExactly(5L, 5L, 10L);
            assertThat(misses.get(0).getDuration("readNanos")).isPositive();
        }
    }

    @Test
    void wastedReadIsDistinguishedFromTheOneThatIsUsed() throws Exception {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            if (!gate.isReached()) {
                gate.pass();
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().tuning(t -> t.pageIn(PageIn.OPTIMISTIC)).build()) {
            PagedFile file = pool.open(0, store);
            List<RecordedEvent> misses = recorded(MISS, () -> {
                Workers.Worker<Void> slow = workers.run(() -> expectRight(pool, file, 5));
                gate.awaitReached();
                expectRight(pool, file, 5);
                gate.open();
                slow.result();
            });
            assertThat(misses)
                    .extracting(miss -> miss.getString("outcome") + " " + miss.getBoolean("concurrent"))
                    .containsExactlyInAnyOrder("loaded true", "wasted false");
        }
    }

    // --- searches ----------------------------------------------------------------------------------------------------

    @Test
    void freeFrameNeedsNoSearchAndAVictimDoes() throws Exception {
        try (BufferPool pool = small().name("searched").build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            RecordedEvent search = only(recorded(SEARCH, () -> {
                for (int page = 0; page < 5; page++) {
                    expectRight(pool, file, page);
                }
            }));
            assertThat(search.getString("pool")).isEqualTo("searched");
            assertThat(search.getInt("frames")).isEqualTo(4);
            assertThat(search.getLong("framesScanned")).isPositive();
            assertThat(search.getInt("declined")).isZero();
            assertThat(search.getInt("waits")).isZero();
            assertThat(search.getBoolean("exhausted")).isFalse();
        }
    }

    @Test
    void exhaustedPoolIsASearchWithWaitsAndAWaitThatTimesOut() throws Exception {
        try (BufferPool pool = impatient().build()) {
            PagedFile file = pool.open(0, new StampedStore(10));
            List<PageGuard> guards = new ArrayList<>();
            for (int page = 0; page < 4; page++) {
                guards.add(pool.fix(file.id(page)));
            }
            Workers.Work fifth = () ->
                    assertThatThrownBy(() -> expectRight(pool, file, 4)).isInstanceOf(PoolExhaustedException.class);
            RecordedEvent search = only(recorded(SEARCH, fifth));
            assertThat(search.getBoolean("exhausted")).isTrue();
            assertThat(search.getInt("waits")).isPositive();
            assertThat(search.getLong("framesScanned")).isGreaterThanOrEqualTo(4);
            assertThat(search.getDuration()).isGreaterThanOrEqualTo(Duration.ofMillis(25)); // of 50
            RecordedEvent wait = only(recorded(WAIT, fifth));
            assertThat(wait.getString("waitedFor")).isEqualTo("a frame");
            assertThat(wait.getBoolean("timedOut")).isTrue();
            RecordedEvent miss = only(recorded(MISS, fifth));
            assertThat(miss.getString("outcome")).isEqualTo("failed");
            assertThat(miss.getDuration("searchNanos")).isGreaterThanOrEqualTo(Duration.ofMillis(25));
            assertThat(miss.getDuration("readNanos")).isZero();
            guards.forEach(PageGuard::close);
        }
    }

    // --- waits -------------------------------------------------------------------------------------------------------

    @Test
    void latchThatIsToBeHadIsNoWait() throws Exception {
        try (BufferPool pool = small().build()) {
            long id = pool.open(0, new StampedStore(10)).id(1);
            assertThat(recorded(WAIT, () -> {
                        pool.fixExclusive(id).close();
                        pool.fix(id).close();
                        try (PageGuard updater = pool.fixUpgradable(id)) {
                            updater.upgrade().close();
                        }
                        pool.file(0).orElseThrow().create().close();
                    }))
                    .isEmpty();
        }
    }

    @Test
    void waitForALatchNamesModeAndPage() throws Exception {
        try (BufferPool pool = small().sharedUpdates(file -> file == 1).build()) {
            PagedFile plain = pool.open(0, new StampedStore(10));
            PagedFile ofRows = pool.open(1, new StampedStore(10));
            long page = 0;
            for (LatchMode mode : LatchMode.values()) {
                long id = (mode == LatchMode.SHARED_UPDATE ? ofRows : plain).id(++page);
                RecordedEvent wait = only(recorded(WAIT, () -> {
                    Workers.Worker<Void> waiting;
                    try (WritablePage writer = pool.fixExclusive(id)) {
                        waiting = workers.run(() -> AnyGuard.fix(pool, id, mode).close());
                        waiting.awaitParked();
                    }
                    waiting.result();
                }));
                assertThat(wait.getString("waitedFor")).isEqualTo("latch " + mode.words());
                assertThat(wait.getString("content")).isEqualTo("page " + page + " of stamped");
                assertThat(wait.getBoolean("timedOut")).isFalse();
                assertThat(wait.getDuration()).isPositive();
                assertThat(wait.getStackTrace().getFrames()).isNotEmpty();
            }
        }
    }

    @Test
    void waitForALatchThatTimesOutIsRecordedToo() throws Exception {
        try (BufferPool pool = impatient().name("waiting").build()) {
            long id = pool.open(0, new StampedStore(10)).id(1);
            try (PageGuard updater = pool.fixUpgradable(id);
                    PageGuard reader = pool.fix(id)) {
                RecordedEvent wait = only(recorded(
                        WAIT, () -> assertThatThrownBy(updater::upgrade).isInstanceOf(WaitTimeoutException.class)));
                assertThat(wait.getString("waitedFor")).isEqualTo("latch to write");
                assertThat(wait.getString("pool")).isEqualTo("waiting");
                assertThat(wait.getBoolean("timedOut")).isTrue();
                assertThat(wait.getDuration()).isGreaterThanOrEqualTo(Duration.ofMillis(100)); // of 200
            }
        }
    }

    @Test
    void waitForAPageThatAnotherThreadReadsIsRecorded() throws Exception {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeRead(page -> {
            gate.pass();
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            RecordedEvent wait = only(recorded(WAIT, () -> {
                Workers.Worker<Void> first = workers.run(() -> expectRight(pool, file, 5));
                gate.awaitReached();
                Workers.Worker<Void> second = workers.run(() -> expectRight(pool, file, 5));
                second.awaitParked();
                gate.open();
                first.result();
                second.result();
            }));
            assertThat(wait.getString("waitedFor")).isEqualTo("the content");
            assertThat(wait.getString("content")).isEqualTo("page 5 of stamped");
        }
    }

    @Test
    void waitForAnEvictionNamesThePageThatGoes() throws Exception {
        Gate gate = new Gate();
        try (BufferPool pool = small().build(stoppingAfterItsClaim(gate))) {
            PagedFile file = pool.open(0, new StampedStore(10));
            for (int page = 6; page < 10; page++) {
                expectRight(pool, file, page);
            }
            RecordedEvent wait = only(recorded(WAIT, () -> {
                Workers.Worker<Void> evicting = workers.run(() -> expectRight(pool, file, 4));
                gate.awaitReached();
                Workers.Worker<Void> finder = workers.run(() -> expectRight(pool, file, 6));
                finder.awaitParked();
                gate.open();
                evicting.result();
                finder.result();
            }));
            assertThat(wait.getString("waitedFor")).isEqualTo("the end of an eviction");
            assertThat(wait.getString("content")).isEqualTo("page 6 of stamped");
        }
    }

    private static ReplacementPolicy stoppingAfterItsClaim(Gate gate) {
        ReplacementPolicy policy = Policies.create("locked:lru", 4);
        return (ReplacementPolicy) Proxy.newProxyInstance(
                ReplacementPolicy.class.getClassLoader(),
                new Class<?>[] {ReplacementPolicy.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(policy, arguments);
                        if (method.getName().equals("evict")) {
                            gate.pass();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void waitForAnExtensionOfTheFileIsRecorded() throws Exception {
        StampedStore store = new StampedStore(10);
        Gate gate = new Gate();
        store.beforeWrite(page -> {
            if (!gate.isReached()) {
                gate.pass();
            }
            return StampedStore.Outcome.GOOD;
        });
        try (BufferPool pool = small().build()) {
            PagedFile file = pool.open(0, store);
            List<RecordedEvent> waits = recorded(WAIT, () -> {
                Workers.Worker<Void> first = workers.run(() -> file.create().close());
                gate.awaitReached();
                Workers.Worker<Void> second = workers.run(() -> file.create().close());
                second.awaitParked();
                gate.open();
                first.result();
                second.result();
            });
            // the second may wait for the first once more, which has the earlier page
            RecordedEvent wait = waits.get(0);
            assertThat(wait.getString("waitedFor")).isEqualTo("an extension of the file");
            assertThat(wait.getString("content")).isEqualTo("stamped");
        }
    }

    // --- figures -----------------------------------------------------------------------------------------------------

    @Test
    void statisticsAreRecordedWhileThePoolIsOpen() throws Exception {
        Path file = directory.resolve("statistics.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(STATISTICS).with("period", "endChunk");
            recording.start();
            try (BufferPool closed = small().name("closed").build();
                    BufferPool pool = small().name("open").build()) {
                closed.close();
                pool.collectStats(true);
                PagedFile number = pool.open(0, new StampedStore(10));
                for (int page = 0; page < 5; page++) {
                    expectRight(pool, number, page);
                }
                expectRight(pool, number, 4);
                recording.stop();
            }
            recording.dump(file);
        }
        List<RecordedEvent> all = RecordingFile.readAllEvents(file); // other tests may have left pools open
        assertThat(all).extracting(event -> event.getString("pool")).doesNotContain("closed");
        RecordedEvent recorded = only(all.stream()
                .filter(event -> event.getEventType().getName().equals(STATISTICS))
                .filter(event -> event.getString("pool").equals("open"))
                .toList());
        assertThat(recorded.getBoolean("collecting")).isTrue();
        assertThat(recorded.getLong("capacityBytes")).isEqualTo(4 * SmallPools.PAGE_BYTES);
        assertThat(recorded.getInt("frames")).isEqualTo(4);
        assertThat(recorded.getInt("pinned")).isZero();
        assertThat(recorded.getInt("free")).isZero();
        assertThat(recorded.getLong("hits")).isEqualTo(1);
        assertThat(recorded.getLong("misses")).isEqualTo(5);
        assertThat(recorded.getLong("reads")).isEqualTo(5);
        assertThat(recorded.getLong("evictions")).isEqualTo(1);
    }

    // --- off ---------------------------------------------------------------------------------------------------------

    @Test
    void eventsThatAreShorterThanTheirThresholdsAreNotRecorded() throws Exception {
        Path file = directory.resolve("short.jfr");
        try (BufferPool pool = small().build();
                Recording recording = new Recording()) {
            PagedFile number = pool.open(0, new StampedStore(10));
            for (String event : List.of(MISS, SEARCH, WAIT)) {
                recording.enable(event).withThreshold(Duration.ofHours(1));
            }
            recording.start();
            for (int page = 0; page < 10; page++) {
                expectRight(pool, number, page);
            }
            recording.stop();
            recording.dump(file);
        }
        assertThat(RecordingFile.readAllEvents(file)).isEmpty();
    }

    @Test
    void noEventIsRecordedWhileItIsOff() throws Exception {
        assertThat(allocatedByMissesWhileEventsAreOff(100)).isNotNegative();
    }

    @Test
    @Tag("nightly")
    void noEventIsAllocatedWhileItIsOff() throws Exception {
        int fixes = 20_000;
        // each miss shows its buffer to the store in 64 bytes; the least event would take more than that again
        assertThat(allocatedByMissesWhileEventsAreOff(fixes)).isLessThan(fixes * (64L + 16));
    }

    /** Expects that nothing is recorded. */
    private long allocatedByMissesWhileEventsAreOff(int fixes) throws Exception {
        long allocated;
        Path file = directory.resolve("off.jfr");
        try (BufferPool pool = small().build();
                Recording recording = new Recording()) {
            PagedFile number = pool.open(0, new StampedStore(10));
            for (String event : List.of(MISS, SEARCH, WAIT, STATISTICS)) {
                recording.disable(event);
            }
            recording.start();
            PageGuard guard = pool.newGuard();
            WritablePage writable = pool.newWritablePage();
            Workers.Work misses = () -> {
                for (int i = 0; i < fixes; i++) {
                    guard.fix(number.id(i % 10)).close();
                    writable.fix(number.id(i % 10)).close();
                }
            };
            misses.run();
            allocated = Allocations.ofEachRun(misses);
            recording.stop();
            recording.dump(file);
        }
        assertThat(RecordingFile.readAllEvents(file)).isEmpty();
        return allocated;
    }
}
