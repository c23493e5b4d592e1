// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import static io.clockhand.wal.LogRecords.append;
import static io.clockhand.wal.LogRecords.bytes;
import static io.clockhand.wal.LogRecords.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.clockhand.WaitTimeoutException;
import io.clockhand.io.FileOption;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import io.clockhand.wal.HookedSegments.Call;
import io.clockhand.wal.LogRecords.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Threads that append to a {@link LogFile} and force it together. */
class LogFileThreadsTest {
    @TempDir
    Path folder;

    @RegisterExtension
    final Workers workers = new Workers();

    private HookedSegments segments;

    @BeforeEach
    void makeSegments() {
        segments = new HookedSegments(folder);
    }

    private LogFile create() throws IOException {
        return small(folder, FileOption.CREATE).open(segments);
    }

    /** {@return a gate for the first call of a kind} */
    private Gate stopAt(Call kind) {
        Gate gate = new Gate();
        segments.hook = (call, segment) -> {
            if (call == kind && !gate.isReached()) {
                gate.pass();
            }
        };
        return gate;
    }

    @Test
    void oneForceServesAllThreadsThatWait() throws IOException {
        int threads = 20;
        try (LogFile log = create()) {
            Gate gate = stopAt(Call.FORCE);
            Worker<Void> first = workers.run(() -> log.makeDurable(log.append(bytes(10, 1))));
            gate.awaitReached();
            Gate next = stopAt(Call.FORCE);
            List<Worker<Void>> others = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int seed = i;
                others.add(workers.run(() -> log.makeDurable(log.append(bytes(10, seed)))));
            }
            others.forEach(Worker::awaitParked);

            gate.open();
            next.awaitReached();
            others.forEach(Worker::awaitParked); // again: the exchange of the buffers wakes all
            next.open();

            first.result();
            others.forEach(Worker::result);
            assertThat(log.stats().forces())
                    .as("forces for the first thread and all that waited")
                    .isEqualTo(2);
            assertThat(log.durableEnd()).isEqualTo(log.end());
        }
    }

    @Test
    void recordIsNotDurableBeforeItsForceEnds() throws IOException {
        try (LogFile log = create()) {
            Gate gate = stopAt(Call.FORCE);
            Worker<Void> first = workers.run(() -> log.makeDurable(log.append(bytes(10, 1))));
            gate.awaitReached();
            long durable = log.durableEnd();
            Worker<Void> second = workers.run(() -> log.makeDurable(LogFile.FIRST_LSN));
            second.awaitParkedOrDone();
            boolean early = second.isDone();
            gate.open();
            first.result();
            second.result();
            assertThat(durable).as("the durable LSN during the force").isEqualTo(LogFile.FIRST_LSN);
            assertThat(early).as("makeDurable returns during the force").isFalse();
            assertThat(log.stats().forces()).isEqualTo(1);
        }
    }

    @Test
    void appendsGoOnDuringAForce() throws IOException {
        try (LogFile log = create()) {
            Gate gate = stopAt(Call.FORCE);
            Worker<Void> first = workers.run(() -> log.makeDurable(log.append(bytes(10, 1))));
            gate.awaitReached();
            Worker<Long> other = workers.start(() -> log.append(bytes(10, 2)));
            assertThat(other.result()).isLessThan(log.end());
            gate.open();
            first.result();
        }
    }

    @Test
    void appendWaitsForSpaceInABuffer() throws IOException {
        try (LogFile log = create()) {
            Gate gate = stopAt(Call.WRITE);
            Worker<Void> first = workers.run(() -> log.makeDurable(log.append(bytes(10, 1))));
            gate.awaitReached();
            Worker<Void> other = workers.run(() -> {
                for (int i = 0; i < 100; i++) {
                    log.append(bytes(1000, i));
                }
            });
            other.awaitParked();
            assertThat(log.end() - LogFile.FIRST_LSN).isLessThan(1 << 15);
            gate.open();
            first.result();
            other.result();
        }
    }

    @Test
    void appendsWaitWhileALargeRecordIsWritten() throws IOException {
        try (LogFile log = create()) {
            append(log, bytes(5, 5));
            Gate gate = new Gate();
            segments.hook = (call, segment) -> {
                if (call == Call.WRITE && !segment.equals(Segment.nameOf(LogFile.FIRST_LSN))) {
                    gate.pass();
                }
            };
            byte[] large = bytes(50_000, 1);
            Worker<Long> first = workers.start(() -> log.append(large));
            gate.awaitReached();
            long end = log.end();
            Worker<Long> other = workers.start(() -> log.append(bytes(10, 2)));
            Worker<Void> durable = workers.run(() -> log.makeDurable());
            other.awaitParked();
            gate.open();
            assertThat(first.result()).isEqualTo(end);
            assertThat(other.result()).isGreaterThan(end);
            durable.result();
            log.makeDurable();
            assertThat(LogRecords.read(log)).hasSize(3);
        }
    }

    @Test
    void failureOfAForceEndsAllWaits() throws IOException {
        LogFile log = create();
        Gate gate = new Gate();
        segments.hook = (call, segment) -> {
            if (call == Call.FORCE) {
                gate.pass();
                throw new IOException("Input/output error");
            }
        };
        Worker<Void> first = workers.run(() -> log.makeDurable(log.append(bytes(10, 1))));
        gate.awaitReached();
        Worker<Void> second = workers.run(() -> log.makeDurable(log.append(bytes(10, 1))));
        Worker<Void> third = workers.run(() -> log.append(bytes(100_000, 1)));
        second.awaitParked();
        third.awaitParked();
        gate.open();
        assertThat(first.failure()).hasMessageContaining("Input/output error");
        assertThat(second.failure()).hasMessageContaining("has failed: Input/output error");
        assertThat(third.failure()).hasMessageContaining("has failed: Input/output error");
        log.close();
    }

    @Test
    void failureOfAWriteIsThrownToEachThreadThatWaits() throws IOException {
        try (LogFile log = create()) {
            Gate gate = new Gate();
            segments.hook = (call, segment) -> {
                if (call == Call.WRITE) {
                    gate.pass();
                    throw new IOException("No space left on device");
                }
            };
            Worker<Void> first = workers.run(() -> log.makeDurable(log.append(bytes(10, 1))));
            gate.awaitReached();
            Worker<Void> second = workers.run(() -> log.makeDurable(log.append(bytes(10, 1))));
            second.awaitParked();
            gate.open();
            assertThat(first.failure()).hasMessageContaining("No space left");
            assertThat(second.failure()).hasMessageContaining("No space left");
            segments.succeed();
            log.makeDurable();
            assertThat(LogRecords.read(log)).hasSize(2);
        }
    }

    @Test
    void waitsAreBoundedAndNameTheThread() throws IOException {
        LogFile log = small(folder, FileOption.CREATE)
                .waitTimeout(Duration.ofMillis(1))
                .open(segments);
        Gate gate = stopAt(Call.FORCE);
        Worker<Void> first = workers.run(() -> log.makeDurable(log.append(bytes(10, 1))));
        gate.awaitReached();
        long lsn = log.append(bytes(10, 1));
        assertThatExceptionOfType(WaitTimeoutException.class)
                .isThrownBy(() -> log.makeDurable(lsn))
                .withMessageContaining("waited 1 ms for the log in " + folder)
                .withMessageContaining("worker")
                .withMessageContaining(Segment.nameOf(LogFile.FIRST_LSN));
        assertThatExceptionOfType(WaitTimeoutException.class).isThrownBy(() -> log.append(bytes(20_000, 1)));
        assertThatExceptionOfType(WaitTimeoutException.class).isThrownBy(() -> {
            for (int i = 0; i < 100; i++) {
                log.append(bytes(1000, i));
            }
        });
        assertThatExceptionOfType(WaitTimeoutException.class).isThrownBy(log::close);
        gate.open();
        first.result();
        log.makeDurable();
        log.close();
    }

    /** As when the process was suspended: then the thread that has the turn was suspended as well. */
    @Test
    void waitForTheTurnGoesOnOnceWhenTimeLeaps() throws IOException {
        LeapingClock clock = new LeapingClock();
        try (LogFile log = clock.open(segments)) {
            Gate gate = stopAt(Call.FORCE);
            Worker<Void> first = workers.run(() -> log.makeDurable(log.append(bytes(10, 1))));
            gate.awaitReached();
            Worker<Void> second = workers.run(() -> log.makeDurable(log.append(bytes(10, 1))));
            clock.leap(second);
            boolean early = second.isDone();
            if (!early) {
                clock.leap(second);
            }
            boolean ended = second.isDone();
            gate.open();
            first.result();
            assertThat(early).as("a wait ends by the first leap").isFalse();
            assertThat(ended).as("a wait ends by the second leap").isTrue();
            assertThat(second.failure()).isInstanceOf(WaitTimeoutException.class);
        }
    }

    @Test
    void waitForTheFilesGoesOnOnceWhenTimeLeaps() throws IOException {
        LeapingClock clock = new LeapingClock();
        try (LogFile log = clock.open(segments)) {
            for (int i = 0; i < 40; i++) {
                append(log, bytes(3000, i));
            }
            Gate gate = stopAt(Call.DELETE);
            Worker<Integer> first = workers.start(() -> log.reclaim(log.end()));
            gate.awaitReached();
            clock.leapWhenTheNextWaitEnds();
            Worker<Integer> second = workers.start(() -> log.reclaim(log.end()));
            clock.awaitLeap(second);
            boolean early = second.isDone();
            if (!early) {
                clock.leap(second);
            }
            boolean ended = second.isDone();
            gate.open();
            assertThat(first.result()).isPositive();
            assertThat(early).as("a wait ends by the first leap").isFalse();
            assertThat(ended).as("a wait ends by the second leap").isTrue();
            assertThat(second.failure()).isInstanceOf(WaitTimeoutException.class);
        }
    }

    /** Stands still but for leaps past the bounds of all waits. */
    private final class LeapingClock {
        private final Duration bound = Duration.ofDays(1);
        private final AtomicLong time = new AtomicLong();
        private final AtomicLong reads = new AtomicLong();
        /** What the next reads see. */
        private final Queue<Long> next = new ConcurrentLinkedQueue<>();

        LogFile open(SegmentStores stores) throws IOException {
            return small(folder, FileOption.CREATE)
                    .waitTimeout(bound)
                    .clock(this::read)
                    .open(stores);
        }

        private long read() {
            reads.incrementAndGet();
            Long now = next.poll();
            if (now != null) {
                time.set(now);
            }
            return time.get();
        }

        /** Returns when a thread that waits has seen a leap, and waits again, or does not. */
        void leap(Worker<?> waiter) {
            waiter.awaitParked();
            time.addAndGet(bound.multipliedBy(2).toNanos());
            long before = reads.get();
            waiter.thread().interrupt(); // wakes it, as the end of its time does
            Workers.await(() -> reads.get() > before, "the worker does not read the clock");
            waiter.awaitParkedOrDone();
        }

        /** The thread that waits next finds nearly no time left, and when that is over that time has leapt. */
        void leapWhenTheNextWaitEnds() {
            long begin = time.get();
            next.addAll(List.of(
                    begin,
                    begin + bound.toNanos() - 1,
                    begin + bound.multipliedBy(2).toNanos()));
        }

        void awaitLeap(Worker<?> waiter) {
            Workers.await(() -> next.isEmpty() || waiter.isDone(), "the worker does not read the clock");
            waiter.awaitParkedOrDone();
        }
    }

    @Test
    void interruptedThreadWaitsOnAndKeepsItsFlag() throws IOException {
        try (LogFile log = create()) {
            Gate gate = stopAt(Call.FORCE);
            Worker<Void> first = workers.run(() -> log.makeDurable(log.append(bytes(10, 1))));
            gate.awaitReached();
            Worker<Boolean> second = workers.start(() -> {
                log.makeDurable(log.append(bytes(10, 1)));
                return Thread.interrupted();
            });
            second.awaitParked();
            second.thread().interrupt();
            second.awaitParkedOrDone();
            gate.open();
            first.result();
            assertThat(second.result()).as("the interrupt flag").isTrue();
        }
    }

    @Test
    void recordsOfAllThreadsAreDurable() throws IOException {
        int threads = 8;
        int rounds = Tier.pick(300, 1000, 20_000);
        Map<Long, byte[]> durable = new ConcurrentHashMap<>();
        AtomicLong reclaimed = new AtomicLong(LogFile.FIRST_LSN);
        try (LogFile log = create()) {
            List<Worker<Void>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                all.add(workers.run(() -> {
                    for (int round = 0; round < rounds; round++) {
                        long seed = (long) round * threads + thread;
                        byte[] record = bytes(round % 97 == 96 ? 17_000 : (int) (seed * 31 % 1500), seed);
                        long before = log.end();
                        long lsn = log.append(record);
                        assertThat(lsn).isGreaterThanOrEqualTo(before);
                        assertThat(log.end()).isGreaterThan(lsn);
                        if (round % 3 == 0) {
                            log.makeDurable(lsn);
                            assertThat(log.durableEnd()).isGreaterThan(lsn);
                        }
                        durable.put(lsn, record);
                        if (round % 100 == 99 && thread == 0) {
                            long to = log.durableEnd() - 200_000;
                            if (to > LogFile.FIRST_LSN) {
                                log.reclaim(to);
                            }
                        }
                    }
                }));
            }
            all.forEach(Worker::result);
            reclaimed.set(log.begin());
        }
        durable.keySet().removeIf(lsn -> lsn < reclaimed.get());
        try (LogFile log = small(folder).open()) {
            List<Entry> found = LogRecords.read(log);
            assertThat(found).as("number of records").hasSize(durable.size());
            for (Entry entry : found) {
                assertThat(entry).isEqualTo(new Entry(entry.lsn(), durable.get(entry.lsn())));
            }
        }
    }

    /** Each append that returned is in the log, also if the close had begun; a reader beside it finds whole records. */
    @Test
    void appendsBesideACloseAreInTheLogOrThrow() throws IOException {
        for (int round = 0; round < Tier.pick(5, 20, 300); round++) {
            Path log = folder.resolve("log" + round);
            Map<Long, Integer> appended = new ConcurrentHashMap<>();
            LogFile open = small(log, FileOption.CREATE).open(HookedSegments.unforced(log));
            List<Worker<Void>> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int seed = i;
                threads.add(workers.run(() -> appendUntilClosed(open, seed, appended)));
            }
            threads.add(workers.run(() -> readUntilClosed(open)));
            while (appended.size() < 100) {
                Thread.onSpinWait();
            }
            open.close();
            threads.forEach(Worker::result);
            try (LogFile reopened = small(log).open(HookedSegments.unforced(log))) {
                Map<Long, Integer> found = new HashMap<>();
                for (Entry entry : LogRecords.read(reopened)) {
                    found.put(entry.lsn(), entry.bytes().size());
                }
                assertThat(found).isEqualTo(appended);
            }
        }
    }

    private static void appendUntilClosed(LogFile log, int seed, Map<Long, Integer> appended) throws IOException {
        try {
            for (int n = 0; ; n++) {
                int length = n % 40 == 39 ? 20_000 : (n * 37 + seed) % 3_000; // also larger than a buffer
                appended.put(log.append(new byte[length]), length);
                if (n % 5 == 0) {
                    log.makeDurable();
                }
            }
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("closed");
        }
    }

    private static void readUntilClosed(LogFile log) throws IOException {
        long expected = LogFile.FIRST_LSN;
        try (LogReader reader = log.newReader(expected)) {
            while (true) {
                if (reader.next()) {
                    assertThat(reader.lsn()).isEqualTo(expected);
                    expected += LogRecords.HEADER + reader.bytes().length;
                }
            }
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("closed");
        }
    }
}
