// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.WaitTimeoutException;
import io.clockhand.io.FileOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A log file in memory, for two threads. Records are numbers with copies of their last byte behind them: small ones, of
 * which several fit into a segment, or large ones, of which each begins a segment, now this, now that. A log can be
 * used again: a test takes one and gives it back in its arbiter.
 */
public final class StressLog {
    private static final int BUFFER_BYTES = 4 * MemorySegments.PAGE_BYTES;
    private static final int SMALL = 2 * Long.BYTES;
    private static final int LARGE = BUFFER_BYTES - 2 * MemorySegments.PAGE_BYTES - RecordFormat.HEADER_BYTES;
    private static final int THREADS = 2;
    private static final int MOST_SPINS = 100;

    private static final ConcurrentLinkedQueue<StressLog> FREE = new ConcurrentLinkedQueue<>();

    /** How long a thread waits for the other one; short when a wake-up was lost in this JVM. */
    private static volatile long patienceNanos = Duration.ofSeconds(20).toNanos();

    private final MemorySegments segments = new MemorySegments();
    private final LogFile log;
    private final AtomicLong numbers = new AtomicLong();
    private final long[] lsns = new long[THREADS];
    private final long[] values = new long[THREADS];
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private volatile boolean failed;

    private int length;
    private int spins;
    private LogReader reader;

    private StressLog() {
        try {
            log = LogFile.builder(Path.of("memory"))
                    .bufferBytes(BUFFER_BYTES)
                    .segmentBytes(BUFFER_BYTES)
                    .waitTimeout(Duration.ofSeconds(25)) // a fault that no other commit ends
                    .options(FileOption.CREATE)
                    .open(segments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return a log with one record that is needed} */
    public static StressLog take() {
        StressLog free = FREE.poll();
        StressLog taken = free == null ? new StressLog() : free;
        taken.length = ThreadLocalRandom.current().nextBoolean() ? SMALL : LARGE;
        taken.spins = ThreadLocalRandom.current().nextInt(MOST_SPINS);
        taken.begun.set(0);
        taken.ended.set(0);
        return taken;
    }

    /** {@return a log whose last record is in a segment that is not the last one} */
    public static StressLog takeWithOldSegment() {
        StressLog taken = take();
        taken.length = LARGE;
        taken.append(0);
        taken.append(1);
        taken.makeDurable();
        taken.reclaim(taken.lsns[0]);
        return taken;
    }

    /** {@return a log with a reader that has read all records, in the last segment} */
    public static StressLog takeWithReader() {
        StressLog taken = take();
        taken.append(0);
        taken.makeDurable();
        try {
            taken.reader = taken.log.newReader(taken.lsns[0]);
            if (!taken.reader.next()) {
                throw new IllegalStateException("the reader finds no record");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return taken;
    }

    /** Makes the log as it was taken, for the next test; one that has failed is left alone. */
    public void giveBack() {
        if (!failed) {
            FREE.add(this);
        }
    }

    private void append(int thread) {
        long value = numbers.incrementAndGet();
        byte[] record = new byte[length];
        Arrays.fill(record, (byte) value);
        ByteBuffer.wrap(record).putLong(0, value);
        try {
            lsns[thread] = log.append(record);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        values[thread] = value;
    }

    private void makeDurable() {
        try {
            log.makeDurable();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // --- commits -----------------------------------------------------------------------------------------------------

    /** Appends a record and makes it durable; {@return in words whether it is} */
    public String commit(int thread) {
        begun.incrementAndGet();
        String outcome = tryCommit(thread);
        if (ended.incrementAndGet() < THREADS && !awaitOther()) {
            outcome = "no wake-up";
        }
        return noted(outcome, "durable");
    }

    private String tryCommit(int thread) {
        try {
            append(thread);
            long lsn = lsns[thread];
            log.makeDurable(lsn);
            if (log.durableEnd() <= lsn) {
                return "not durable";
            }
            return segments.device(lsn + RecordFormat.HEADER_BYTES) == values[thread] ? "durable" : "not forced";
        } catch (WaitTimeoutException e) {
            return "no wake-up";
        } catch (IOException | UncheckedIOException e) {
            return e.toString();
        }
    }

    /** As a wake-up that is lost may come with the next commit, the test goes on; {@return whether it was needed} */
    private boolean awaitOther() {
        boolean inTime = true;
        long deadline = 0;
        while (ended.get() < THREADS) {
            LockSupport.parkNanos(1_000); // or the other one could wait for this processor
            if (begun.get() < THREADS) {
                continue; // the system has not let it begin
            }
            long now = System.nanoTime();
            deadline = deadline == 0 ? now + patienceNanos : deadline;
            if (now - deadline > 0) {
                inTime = false;
                patienceNanos = Duration.ofMillis(200).toNanos();
                deadline = now + patienceNanos;
                makeAnotherDurable();
            }
        }
        return inTime;
    }

    private void makeAnotherDurable() {
        try {
            log.makeDurable(log.append(new byte[0]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return in words whether the records of both threads are in the log, with their bytes, at their LSNs} */
    public String records() {
        int found = 0;
        try (LogReader records = log.newReader(Math.min(lsns[0], lsns[1]))) {
            while (records.next()) {
                for (int thread = 0; thread < THREADS; thread++) {
                    if (records.lsn() == lsns[thread] && isRecord(records.bytes(), values[thread])) {
                        found++;
                    }
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            return noted(e.toString(), "");
        }
        return noted(found == THREADS && lsns[0] != lsns[1] ? "both" : found + " records", "both");
    }

    private boolean isRecord(byte[] bytes, long value) {
        boolean same = bytes.length == length && ByteBuffer.wrap(bytes).getLong(0) == value;
        for (int i = Long.BYTES; same && i < length; i++) {
            same = bytes[i] == (byte) value;
        }
        return same;
    }

    private String noted(String outcome, String expected) {
        failed |= !outcome.equals(expected);
        return outcome;
    }

    // --- readers -----------------------------------------------------------------------------------------------------

    /** Reads the record of the old segment; {@return what was found, in words} */
    public String readOld() {
        try (LogReader old = log.newReader(lsns[0])) {
            if (!old.next()) {
                return noted("nothing", "");
            }
            boolean same = old.lsn() == lsns[0] && isRecord(old.bytes(), values[0]);
            return same ? "read" : noted("wrong bytes", "");
        } catch (IllegalArgumentException e) {
            return e.getMessage().contains("reclaimed") ? "reclaimed" : noted(e.toString(), "");
        } catch (IOException e) {
            return noted(e.toString(), "");
        }
    }

    /** Appends a record and makes it durable, while the reader reads; {@return whether it is durable} */
    public String appendAndForce() {
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
        return noted(tryCommit(1), "durable");
    }

    /** Reads on, and again if there is nothing; {@return what was found, in words} */
    public String readOn() {
        try {
            for (int i = 0; i < MOST_SPINS; i++) {
                long durable = log.durableEnd();
                if (reader.next()) {
                    // its thread may not have stored where it has appended
                    boolean same = reader.lsn() >= lsns[0] && isRecord(reader.bytes(), numbers.get());
                    return same ? "read" : noted("wrong bytes", "");
                }
                if (durable > reader.lsn() + RecordFormat.HEADER_BYTES + length) {
                    return noted("durable, but not read", "");
                }
            }
            return "nothing";
        } catch (IOException e) {
            return noted(e.toString(), "");
        }
    }

    /** Deletes the old segments; {@return how many} */
    public int reclaim() {
        return reclaim(log.end());
    }

    private int reclaim(long lsn) {
        try {
            return log.reclaim(lsn);
        } catch (IOException e) {
            noted(e.toString(), "");
            return -1;
        }
    }

    /** Ends the readers, and deletes all old segments; {@return in words whether only the last segment is left} */
    public String end() {
        try {
            if (reader != null) {
                reader.close();
                reader = null;
            }
            log.reclaim(log.end());
        } catch (IOException e) {
            return noted(e.toString(), "");
        }
        String left = segments.list().size() + " segments, " + segments.open() + " open";
        return noted(left.equals("1 segments, 1 open") ? "tidy" : left, "tidy");
    }
}
