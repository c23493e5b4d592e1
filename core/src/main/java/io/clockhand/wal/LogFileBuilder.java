// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.io.FileOption;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;

/** The settings of a {@link LogFile}. Not thread-safe. */
public final class LogFileBuilder {
    private static final int LEAST_BUFFER_PAGES = 4;
    private static final int GREATEST_BUFFER_BYTES = 1 << 30;
    private static final Set<FileOption> POSSIBLE =
            EnumSet.of(FileOption.CREATE, FileOption.CREATE_NEW, FileOption.DIRECT);

    private final Path folder;
    private final Set<FileOption> options = EnumSet.noneOf(FileOption.class);
    private long segmentBytes = 64 << 20;
    private int bufferBytes = 1 << 20;
    private Duration waitTimeout = Duration.ofSeconds(30);
    private long firstLsn = LogFile.FIRST_LSN;
    private long durableEnd;
    private LongSupplier clock = System::nanoTime;

    LogFileBuilder(Path folder) {
        this.folder = Objects.requireNonNull(folder, "folder");
    }

    /**
     * Sets the size of a segment; 64 MiB if not set. A segment with one large record may have more.
     *
     * @param bytes the size in bytes; not less than that of a buffer
     * @return this builder
     */
    public LogFileBuilder segmentBytes(long bytes) {
        segmentBytes = bytes;
        return this;
    }

    /**
     * Sets the size of each of the two buffers, which lie outside the heap; 1 MiB if not set. A full buffer is written
     * by the thread whose append it has no space for. A larger record is written by itself, while other appends wait.
     *
     * @param bytes the size in bytes: at least 16 KiB, at most 1 GiB; rounded up to whole pages of 4 KiB
     * @return this builder
     */
    public LogFileBuilder bufferBytes(int bytes) {
        bufferBytes = bytes;
        return this;
    }

    /**
     * Sets how long a thread waits for another one that writes or forces; 30 seconds if not set.
     *
     * @param timeout the bound, after which the call throws a {@link io.clockhand.WaitTimeoutException}
     * @return this builder
     */
    public LogFileBuilder waitTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    "waitTimeout is " + timeout + "; it must be greater than zero, and at most a day");
        }
        waitTimeout = timeout;
        return this;
    }

    /**
     * Sets how the files are opened. Without an option the log must exist.
     *
     * @param chosen CREATE: the log and its folder are created if there is none; CREATE_NEW: one that exists is an
     *     error; DIRECT: segments bypass the operating system's cache
     * @return this builder
     */
    public LogFileBuilder options(FileOption... chosen) {
        for (FileOption option : chosen) {
            if (!POSSIBLE.contains(option)) {
                throw new IllegalArgumentException("a log has no FileOption." + option + ", only " + POSSIBLE);
            }
        }
        options.clear();
        options.addAll(List.of(chosen));
        return this;
    }

    /**
     * Sets the LSN of the first record of a log that is created; {@link LogFile#FIRST_LSN} if not set. For a new log
     * behind pages that have LSNs of a former one.
     *
     * @param lsn greater than 0, and than each LSN in a page
     * @return this builder
     */
    public LogFileBuilder firstLsn(long lsn) {
        if (lsn < 1 || lsn > LogFile.GREATEST_LSN / 2) {
            throw new IllegalArgumentException(
                    "firstLsn is " + lsn + "; it must lie between 1 and " + LogFile.GREATEST_LSN / 2);
        }
        firstLsn = lsn;
        return this;
    }

    /**
     * States that the log was durable up to an LSN, which the engine knows from its checkpoint for instance. If a log
     * that is opened ends before, it is damaged, and its end is not taken for a torn tail.
     *
     * @param lsn a result of {@link LogFile#durableEnd}
     * @return this builder
     */
    public LogFileBuilder durableEnd(long lsn) {
        durableEnd = lsn;
        return this;
    }

    /**
     * Opens the log, and makes what is in it durable.
     *
     * @return the log
     * @throws NoSuchFileException if there is none, and it is not to be created
     * @throws FileAlreadyExistsException if there is one, and it must be new
     * @throws LogDamagedException if the last segment is damaged, or one is missing
     * @throws IOException if the log is in use, a file is none of its own, or it cannot be read or written
     * @throws IllegalArgumentException if the sizes do not fit together
     */
    public LogFile open() throws IOException {
        return open(new FileSegments(folder, options.contains(FileOption.DIRECT)));
    }

    /** Opens a log in other files. */
    LogFile open(SegmentStores stores) throws IOException {
        int least = LEAST_BUFFER_PAGES * stores.pageBytes();
        if (bufferBytes < least || bufferBytes > GREATEST_BUFFER_BYTES) {
            throw new IllegalArgumentException("bufferBytes is " + bufferBytes + "; it must lie between " + least
                    + " and " + GREATEST_BUFFER_BYTES);
        }
        if (segmentBytes < bufferBytes || segmentBytes > LogFile.GREATEST_LSN / 2) {
            throw new IllegalArgumentException("segmentBytes is " + segmentBytes
                    + "; it must not be less than bufferBytes, which is " + bufferBytes);
        }
        boolean interrupted = Thread.interrupted();
        try {
            return LogOpening.open(this, stores);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    Set<FileOption> options() {
        return options;
    }

    long segmentBytes() {
        return segmentBytes;
    }

    /** {@return the size of a buffer in whole pages} */
    int bufferSize(int pageBytes) {
        return (bufferBytes + pageBytes - 1) / pageBytes * pageBytes;
    }

    long waitNanos() {
        return waitTimeout.toNanos();
    }

    /** Sets the clock by which waits are bounded, instead of {@link System#nanoTime}: for tests. */
    LogFileBuilder clock(LongSupplier nanoTime) {
        clock = nanoTime;
        return this;
    }

    LongSupplier clock() {
        return clock;
    }

    long firstLsn() {
        return firstLsn;
    }

    long durableEnd() {
        return durableEnd;
    }
}
