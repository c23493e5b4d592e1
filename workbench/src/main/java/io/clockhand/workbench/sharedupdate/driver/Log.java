// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

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
}
