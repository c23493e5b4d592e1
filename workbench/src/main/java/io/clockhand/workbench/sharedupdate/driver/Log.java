// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A log to which threads append records of 64 bytes. Its end is alone in its lines of the processor's cache.
 * Thread-safe.
 */
public final class Log implements WriteAheadLog, AutoCloseable {
    private static final int RECORD_BYTES = 64;
    /** The file is a circle, so that it stays in memory. */
    private static final long FILE_BYTES = 16 << 20;
    /** Of the latest appends. A power of two. */
    private static final int SAMPLES = 1 << 14;

    private final LogCost cost;
    private final int steps;
    /** Null unless records go to a file; the lock of {@link #record} serializes its writers. */
    private final FileChannel file;

    private final ByteBuffer record = ByteBuffer.allocateDirect(RECORD_BYTES);
    /** How long appends took, each written by its thread; null if they are not timed. */
    private final long[] nanos;
    /** The LSN of the next record: above 0, since a new page has 0. */
    private final PaddedLong tail = new PaddedLong(RECORD_BYTES);
    /** Written so seldom that it costs nothing, and so that the computation is no dead code. */
    volatile long unlikely;

    private Log(LogCost cost, int steps, FileChannel file, boolean times) {
        this.cost = cost;
        this.steps = steps;
        this.file = file;
        nanos = times ? new long[SAMPLES] : null;
    }

    /**
     * Opens an empty log that times nothing.
     *
     * @param stepsPerMicro of {@link CpuLoop}: the same for all that are compared
     * @param directory for its file
     */
    public static Log open(LogCost cost, double stepsPerMicro, Path directory) throws IOException {
        return open(cost, stepsPerMicro, directory, false);
    }

    /**
     * Opens an empty log.
     *
     * @param stepsPerMicro of {@link CpuLoop}: the same for all that are compared
     * @param directory for its file
     * @param times whether appends are timed, which slows them
     */
    static Log open(LogCost cost, double stepsPerMicro, Path directory, boolean times) throws IOException {
        return new Log(
                cost,
                (int) Math.round(cost.nanos() * stepsPerMicro / TimeUnit.MICROSECONDS.toNanos(1)),
                cost.kind() == LogCost.Kind.FILE
                        ? FileChannel.open(
                                directory.resolve("log"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                        : null,
                times);
    }

    /** Whether threads wait for an append instead of computing. */
    boolean waits() {
        return cost.waits();
    }

    /** Appends the record of a change; returns its LSN. */
    long append(int offset, long value) {
        if (nanos == null) {
            return write(offset, value);
        }
        long begin = System.nanoTime();
        long lsn = write(offset, value);
        nanos[(int) (lsn / RECORD_BYTES - 1) & (SAMPLES - 1)] = System.nanoTime() - begin;
        return lsn;
    }

    private long write(int offset, long value) {
        if (file != null) {
            return writeToFile(offset, value);
        }
        long lsn = tail.getAndAdd(RECORD_BYTES);
        if (waits()) {
            LockSupport.parkNanos(this, cost.nanos());
        } else {
            long computed = CpuLoop.run(steps, lsn ^ value);
            if (computed == 0) {
                unlikely = computed;
            }
        }
        return lsn;
    }

    /** One thread after the other. Nothing is forced. */
    private long writeToFile(int offset, long value) {
        synchronized (record) {
            long lsn = tail.getAndAdd(RECORD_BYTES);
            record.clear().putLong(0, lsn).putInt(Long.BYTES, offset).putLong(2 * Long.BYTES, value);
            try {
                while (record.hasRemaining()) {
                    file.write(record, lsn % FILE_BYTES + record.position());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return lsn;
        }
    }

    /** The median time of the latest appends, when their threads have ended; null if there were none. */
    Double medianMicros() {
        long[] sorted = Arrays.copyOf(nanos, (int) Math.min(SAMPLES, end() / RECORD_BYTES - 1));
        Arrays.sort(sorted);
        return sorted.length == 0
                ? null
                : Double.valueOf((double) sorted[sorted.length / 2] / TimeUnit.MICROSECONDS.toNanos(1));
    }

    @Override
    public long end() {
        return tail.get();
    }

    /** Nothing survives a crash of a benchmark. */
    @Override
    public void makeDurable(long lsn) {}

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    /**
     * The cost of an append to the log.
     *
     * @param name as options have it
     * @param nanos 0 for a file
     */
    public record LogCost(String name, Kind kind, long nanos) {
        private static final Pattern TIMED = Pattern.compile("(cpu|wait):([0-9]{1,6}(?:\\.[0-9]{1,3})?)us");

        /** The work of an append after it has its LSN. */
        public enum Kind {
            /** Computes, at the same time as other threads. */
            CPU,
            /** Parks, at the same time as other threads. */
            WAIT,
            /** Writes to a file, one thread after the other. */
            FILE
        }

        public LogCost(Kind kind, long nanos) {
            this(kind.name().toLowerCase(Locale.ROOT) + ":" + nanos / 1e3 + "us", kind, nanos);
        }

        /** Null for what is no cost. */
        public static LogCost parse(String text) {
            if (text.equals("file")) {
                return new LogCost(text, Kind.FILE, 0);
            }
            Matcher timed = TIMED.matcher(text);
            if (!timed.matches()) {
                return null;
            }
            long nanos = Math.round(1_000 * Double.parseDouble(timed.group(2)));
            Kind kind = Kind.valueOf(timed.group(1).toUpperCase(Locale.ROOT));
            return kind == Kind.WAIT && nanos == 0 ? null : new LogCost(text, kind, nanos);
        }

        /** Whether threads wait for it instead of computing. */
        public boolean waits() {
            return kind == Kind.WAIT;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
