// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A log to which threads append records of 64 bytes. Its end is alone in its lines of the processor's cache.
 * Thread-safe.
 */
public abstract class Log implements WriteAheadLog, AutoCloseable {
    static final int RECORD_BYTES = 64;

    /** The LSN of the next record: above 0, since a new page has 0. */
    private final PaddedLong tail = new PaddedLong(RECORD_BYTES);

    /**
     * Opens an empty log.
     *
     * @param stepsPerMicro of {@link CpuLoop}: the same for all that are compared
     * @param directory for its file
     */
    public static Log open(LogCost cost, double stepsPerMicro, Path directory) throws IOException {
        return switch (cost.kind()) {
            case CPU ->
                new ComputingLog((int) Math.round(cost.nanos() * stepsPerMicro / TimeUnit.MICROSECONDS.toNanos(1)));
            case WAIT -> new WaitingLog(cost.nanos());
            case FILE -> new FileLog(directory.resolve("log"));
        };
    }

    /** Appends the record of a change; returns its LSN. */
    abstract long append(int offset, long value);

    /** Makes room for a record; returns its LSN. */
    final long reserve() {
        return tail.getAndAdd(RECORD_BYTES);
    }

    @Override
    public final long end() {
        return tail.get();
    }

    /** Nothing survives a crash of a benchmark. */
    @Override
    public final void makeDurable(long lsn) {}

    @Override
    public void close() throws IOException {}

    /** Computes after a record has its LSN, in many threads at the same time. */
    static final class ComputingLog extends Log {
        private final int steps;

        /** Written so seldom that it costs nothing, and so that the computation is no dead code. */
        private volatile long unlikely;

        ComputingLog(int steps) {
            this.steps = steps;
        }

        @Override
        long append(int offset, long value) {
            long lsn = reserve();
            long computed = CpuLoop.run(steps, lsn ^ value);
            if (computed == 0) {
                unlikely = computed;
            }
            return lsn;
        }

        /** A number that was computed, if it was unlikely. */
        long unlikely() {
            return unlikely;
        }
    }

    /** Parks after a record has its LSN, in many threads at the same time. */
    private static final class WaitingLog extends Log {
        private final long nanos;

        WaitingLog(long nanos) {
            this.nanos = nanos;
        }

        @Override
        long append(int offset, long value) {
            long lsn = reserve();
            LockSupport.parkNanos(this, nanos);
            return lsn;
        }
    }

    /**
     * Writes each record to a file, under a lock: one thread after the other. The file is a circle, so that it stays in
     * memory; it is never forced.
     */
    private static final class FileLog extends Log {
        private static final long FILE_BYTES = 16 << 20;

        private final ReentrantLock lock = new ReentrantLock();
        private final ByteBuffer record = ByteBuffer.allocateDirect(RECORD_BYTES);
        private final FileChannel file;

        FileLog(Path path) throws IOException {
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        }

        @Override
        long append(int offset, long value) {
            lock.lock();
            try {
                long lsn = reserve();
                record.clear();
                record.putLong(0, lsn).putInt(Long.BYTES, offset).putLong(2 * Long.BYTES, value);
                while (record.hasRemaining()) {
                    file.write(record, lsn % FILE_BYTES + record.position());
                }
                return lsn;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /**
     * The cost of an append to the log.
     *
     * @param nanos 0 where the kind says all
     */
    public record LogCost(Kind kind, long nanos) {
        private static final Pattern TIMED = Pattern.compile("(cpu|wait):([0-9]{1,6}(?:\\.[0-9]{1,3})?)us");
        private static final int DECIMALS = 3;

        /** The work of an append after it has its LSN. */
        public enum Kind {
            /** Computes, at the same time as other threads. */
            CPU,
            /** Parks, at the same time as other threads. */
            WAIT,
            /** Writes to a file, one thread after the other. */
            FILE
        }

        /** Null for what is no cost. */
        public static LogCost parse(String text) {
            if (text.equals("file")) {
                return new LogCost(Kind.FILE, 0);
            }
            Matcher timed = TIMED.matcher(text);
            if (!timed.matches()) {
                return null;
            }
            long nanos = new BigDecimal(timed.group(2)).movePointRight(DECIMALS).longValueExact();
            Kind kind = Kind.valueOf(timed.group(1).toUpperCase(Locale.ROOT));
            return kind == Kind.WAIT && nanos == 0 ? null : new LogCost(kind, nanos);
        }

        /** Whether threads wait for it instead of computing. */
        public boolean waits() {
            return kind == Kind.WAIT;
        }

        /** As options name it. */
        @Override
        public String toString() {
            String name = kind.name().toLowerCase(Locale.ROOT);
            return kind == Kind.FILE
                    ? name
                    : name + ":"
                            + BigDecimal.valueOf(nanos, DECIMALS)
                                    .stripTrailingZeros()
                                    .toPlainString() + "us";
        }
    }
}
