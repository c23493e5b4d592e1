// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An LSN of ten bytes between the rows of a page. */
class WideLsnFieldTest {
    private static final int OFFSET = 64;
    private static final int SLOT_AT = OFFSET + Long.BYTES;
    private static final long LOCK = 1L << 63;
    private static final long SLOT = 0xFFFFL << 48;
    private static final long ROWS = 0x0000_1234_5678_9ABCL;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final FrameMemory memory = new FrameMemory(1024, 4);
    private final int buffer = memory.poll();

    private void set(long position, int slot) {
        memory.releaseLong(buffer, OFFSET, position);
        memory.releaseLong(buffer, SLOT_AT, (long) slot << 48 | ROWS);
    }

    private long[] read() {
        long[] lsn = new long[2];
        WideLsnField.read(memory, buffer, OFFSET, lsn);
        return lsn;
    }

    /** Positions are unsigned numbers. */
    @ParameterizedTest
    @CsvSource({
        "5, 7,   6, 0,   6, 0",
        "5, 7,   5, 8,   5, 8",
        "5, 7,   5, 7,   5, 7",
        "5, 7,   5, 6,   5, 7",
        "5, 7,   4, 9,   5, 7",
        "0, 0,   0, 32767,   0, 32767",
        "5, 7,  -1, 1,  -1, 1",
        "-1, 1,  5, 7,  -1, 1",
        "-2, 9, -1, 3,  -1, 3",
    })
    void lsnIsRaisedIfItIsLess(long position, int slot, long toPosition, int toSlot, long expected, int expectedSlot) {
        set(position, slot);

        WideLsnField.raise(memory, buffer, OFFSET, toPosition, toSlot);

        assertThat(read()).as("LSN: position and slot").containsExactly(expected, expectedSlot);
        assertThat(memory.acquireLong(buffer, SLOT_AT) & LOCK).as("the lock").isZero();
        assertThat(memory.acquireLong(buffer, SLOT_AT) & ~SLOT)
                .as("the rows behind the slot")
                .isEqualTo(ROWS);
    }

    @Test
    void threadGivesUpAfterManyPausesThatHaveLastedForLong() {
        long seconds = TimeUnit.SECONDS.toNanos(11);
        assertThat(WideLsnField.isOver(2_000, seconds)).as("both").isTrue();
        assertThat(WideLsnField.isOver(2, seconds)).as("a suspension").isFalse();
        assertThat(WideLsnField.isOver(2_000, TimeUnit.SECONDS.toNanos(1)))
                .as("short pauses")
                .isFalse();
    }

    @Test
    void readerWaitsWhileTheLsnIsRaised() {
        set(5, 7);
        memory.setBits(buffer, SLOT_AT, LOCK, LOCK);
        Worker<long[]> reader = workers.start(this::read);
        reader.awaitParkedOrDone();
        assertThat(reader.isDone()).as("a read ends while the LSN is locked").isFalse();
        memory.releaseLong(buffer, OFFSET, 6);
        memory.setBits(buffer, SLOT_AT, SLOT, 1L << 48);

        assertThat(reader.result()).as("LSN: position and slot").containsExactly(6, 1);
    }

    @Test
    void threadThatRaisesWaitsForAnother() {
        set(5, 7);
        memory.setBits(buffer, SLOT_AT, LOCK, LOCK);
        Worker<Void> second = workers.run(() -> WideLsnField.raise(memory, buffer, OFFSET, 9, 2));
        second.awaitParkedOrDone();
        assertThat(second.isDone()).as("the LSN is raised while it is locked").isFalse();
        memory.releaseLong(buffer, OFFSET, 6);
        memory.setBits(buffer, SLOT_AT, SLOT, 1L << 48);
        second.result();

        assertThat(read()).as("LSN: position and slot").containsExactly(9, 2);
    }

    /** The slot of each LSN follows from its position, so a mixture of two is seen. */
    @Test
    void concurrentReadersSeeWholeLsnsThatOnlyGrow() {
        int most = 20_000;
        set(0, slotOf(0));
        AtomicLong next = new AtomicLong(1);
        List<Worker<?>> running = new ArrayList<>();
        for (int thread = 0; thread < 2; thread++) {
            running.add(workers.run(() -> {
                for (long lsn = next.getAndIncrement(); lsn <= most; lsn = next.getAndIncrement()) {
                    WideLsnField.raise(memory, buffer, OFFSET, lsn, slotOf(lsn));
                }
            }));
        }
        running.add(workers.run(() -> {
            long before = 0;
            while (before < most) {
                long[] lsn = read();
                assertThat(lsn[1]).as("the slot of LSN %d", lsn[0]).isEqualTo(slotOf(lsn[0]));
                assertThat(lsn[0]).as("the LSN, after %d", before).isGreaterThanOrEqualTo(before);
                before = lsn[0];
            }
        }));
        running.forEach(Worker::result);

        assertThat(read()).as("LSN: position and slot").containsExactly(most, slotOf(most));
        assertThat(memory.acquireLong(buffer, SLOT_AT) & ~SLOT)
                .as("the rows behind the slot")
                .isEqualTo(ROWS);
    }

    private static int slotOf(long position) {
        return (int) (position * 7) & Short.MAX_VALUE;
    }
}
