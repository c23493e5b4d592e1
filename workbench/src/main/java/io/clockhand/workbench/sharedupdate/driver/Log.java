// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.wal.WriteAheadLog;
import io.clockhand.workbench.experiment.report.Figures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * A log to which threads append records of 64 bytes. Its end is alone in its lines of the processor's cache.
 * Thread-safe.
 */
public final class Log implements WriteAheadLog, AutoCloseable {
    private static final int RECORD_BYTES = 64;
    /** The file is a circle, so that it stays in memory. */
    private static final long FILE_BYTES = 16 << 20;
    /** To which the time of an append is known. */
    private static final int DIGITS = 3;

    private final LogCost cost;
    private final int steps;
    /** Null unless records go to a file; the lock of {@link #record} serializes its writers. */
    private final FileChannel file;

    private final ByteBuffer record = ByteBuffer.allocateDirect(RECORD_BYTES);
    /** How long the appends of each thread took; no thread writes to that of another. */
    private final List<Histogram> nanos = new CopyOnWriteArrayList<>();

    private final ThreadLocal<Histogram> ownNanos = ThreadLocal.withInitial(() -> {
        Histogram own = new Histogram(DIGITS);
        nanos.add(own);
        return own;
    });
    /** Whether appends are timed. */
    private final boolean times;
    /** The LSN of the next record: above 0, since a new page has 0. */
    private final PaddedLong tail = new PaddedLong(RECORD_BYTES);
    /** Written so seldom that it costs nothing, and so that the computation is no dead code. */
    volatile long unlikely;

    /** Opens an empty log that times nothing; the parameters are those of the constructor. */
    public static Log open(LogCost cost, double stepsPerMicro, Path directory) throws IOException {
        return new Log(cost, stepsPerMicro, directory, false);
    }

    /**
     * Opens an empty log.
     *
     * @param stepsPerMicro of {@link CpuLoop}: the same for all that are compared
     * @param directory for its file
     * @param times whether appends are timed, which slows them
     */
    Log(LogCost cost, double stepsPerMicro, Path directory, boolean times) throws IOException {
        this.cost = cost;
        this.times = times;
        steps = (int) Math.round(cost.nanos() * stepsPerMicro / 1e3);
        file = cost.kind() == LogCost.Kind.FILE
                ? FileChannel.open(directory.resolve("log"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                : null;
    }

    /** Whether threads wait for an append instead of computing. */
    boolean waits() {
        return cost.waits();
    }

    /** Appends the record of a change; returns its LSN. */
    long append(int offset, long value) {
        if (!times) {
            return write(offset, value);
        }
        long begin = System.nanoTime();
        long lsn = write(offset, value);
        long nanos = System.nanoTime() - begin; // without the look-up of the histogram
        ownNanos.get().recordValue(nanos);
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

    /** The median time of the appends, when their threads have ended; null if there were none. */
    Double medianMicros() {
        Histogram all = new Histogram(DIGITS);
        nanos.forEach(all::add);
        return all.getTotalCount() == 0 ? null : Double.valueOf(all.getValueAtPercentile(50) / 1e3);
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
     * @param nanos 0 for a file
     */
    public record LogCost(Kind kind, long nanos) {
        private static final Pattern TIMED = Pattern.compile("(cpu|wait):([0-9]{1,6}(?:\\.[0-9]{1,3})?)us");

        /** The work of an append after it has its LSN: threads compute or park together, or write one by one. */
        public enum Kind {
            CPU,
            WAIT,
            FILE
        }

        /** Throws {@link IllegalArgumentException}, with a sentence, for what is no cost. */
        public static LogCost parse(String text) {
            if (text.equals("file")) {
                return new LogCost(Kind.FILE, 0);
            }
            Matcher timed = TIMED.matcher(text);
            long nanos = timed.matches() ? Math.round(1_000 * Double.parseDouble(timed.group(2))) : 0;
            if (!timed.matches() || (text.startsWith("wait") && nanos == 0)) {
                throw new IllegalArgumentException(
                        "'" + text + "' is no log; possible: cpu:Tus, wait:Tus with microseconds T, file");
            }
            return new LogCost(Kind.valueOf(timed.group(1).toUpperCase(Locale.ROOT)), nanos);
        }

        public boolean waits() {
            return kind == Kind.WAIT;
        }

        @Override
        public String toString() {
            String name = kind.name().toLowerCase(Locale.ROOT);
            return kind == Kind.FILE ? name : name + ":" + Figures.brief(nanos / 1e3) + "us";
        }
    }
}
