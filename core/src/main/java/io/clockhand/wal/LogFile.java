// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.frame.StackReserve;
import io.clockhand.io.PageStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A write-ahead log in files: records of bytes, appended by many threads, and forced for all of them together.
 *
 * <pre>{@code
 * try (LogFile log = LogFile.builder(folder).options(FileOption.CREATE).open()) {
 *     try (LogReader reader = log.newReader(redoLsn)) {
 *         while (reader.next()) {
 *             redo(reader.lsn(), reader.bytes());
 *         }
 *     }
 *     long lsn = log.append(record);
 *     log.makeDurable(lsn);       // the record survives a crash
 *     log.reclaim(nextRedoLsn);   // segments below are deleted
 * }
 * }</pre>
 *
 * <p><b>LSN.</b> That of a record is the position at which it begins in the log, in bytes, its header of 16 bytes
 * included; the next record begins where it ends. The first LSN is {@value #FIRST_LSN}, unless another one was chosen,
 * so none is 0. LSNs never decrease, also not after a restart; but the LSNs of records that a crash has lost are used
 * again.
 *
 * <p><b>Segments.</b> A record lies in one segment. If it does not fit into the last one, a new one is begun, after the
 * former one was forced. A record that does not fit into a buffer beside a page of 4 KiB begins one, which becomes as
 * large as the record needs; so a record may have up to 2 GiB, less a few bytes: as many as an array of any JVM.
 *
 * <p><b>Opening.</b> The log ends at the first record of the last segment that is not whole: a crash has torn it, and
 * it was never durable. The rest is erased. What was found is written and forced again before {@link
 * LogFileBuilder#open} returns, since a killed process may have left it in the system's cache only. A record that is
 * not whole though the log was durable behind it is no torn tail, but damage; so is a segment that is missing between
 * two others. Then {@code open} or {@link LogReader#next} throws a {@link LogDamagedException}. Damage of the last
 * records looks like a torn tail, unless the engine says how far the log was durable: see {@link
 * LogFileBuilder#durableEnd}.
 *
 * <p><b>Failure.</b> If a write fails, since the disk is full for instance, the call throws, and the next call tries
 * again. The records that were appended before stay in the log, and may become durable later; a record whose append
 * threw is not in the log. A force that fails is final, since the system may have dropped what it could not write:
 * each later append and force throws, with that failure as its cause. Then close the log, open it anew, and redo. A
 * record may be durable though {@link #makeDurable} threw.
 *
 * <p><b>One owner.</b> The log has its folder for itself, and its files are locked, as those of a
 * {@link io.clockhand.io.FilePageStore} are, within the JVM and against other processes. Files with other names are not
 * touched; a file with the name of a segment, but without its header, is refused. The file {@code log.lock} stays.
 *
 * <p><b>Memory.</b> Two buffers outside the heap, and one of 64 KiB for each reader. An append waits for a write if a
 * buffer is full, and for some forces if a segment is begun. Waits end with a {@link WaitTimeoutException}, but that of
 * a process that was suspended meanwhile goes on for a second more; interrupts end no wait and close no file, and the
 * interrupt flag stays set.
 *
 * <p>Thread-safe.
 */
public final class LogFile implements WriteAheadLog, Closeable {
    /*
     * Appends copy into the active buffer under the lock, which is never held during I/O. One thread at a time has the
     * turn. It exchanges the buffers under the lock, writes the other one and forces the file, while appends go on. A
     * thread whose record is not durable yet takes the turn if it is free; else it waits until the turn ends, and looks
     * again. So one force serves all threads whose records were appended before the buffers were exchanged.
     *
     * Shared words:
     *
     *   end      written under the lock, after the bytes lie in the buffer; volatile, read without it. An append writes
     *            it before it returns; so a later end() is greater, and an earlier one was not greater than the LSN.
     *   durable  written under the lock by the thread with the turn, after the force; volatile. Read before
     *            Segment.end, which was written before.
     *   begin    written under the lock of the files, before the segment below is deleted; volatile.
     *   failure  written once, under the lock; volatile.
     *   closed   written by the thread with the turn, under the lock of the files, after the last force; volatile. A
     *            thread that takes the turn or the lock of the files afterwards sees it.
     *   Segment.readers
     *            raised under the lock of the files, lowered without it by a reader that leaves; atomic. Who has that
     *            lock and reads 0 may close the store: no reader can enter meanwhile, and one that has left is done.
     *
     * Locks, in this order: the turn, files (the list of the segments and their stores), lock.
     */

    /** The LSN of the first record, if no other was chosen. */
    public static final long FIRST_LSN = 4096;

    /** JVMs have no longer arrays, in which a reader returns records. */
    static final int GREATEST_RECORD = Integer.MAX_VALUE - 8;

    /** LSNs are less, so that sums of them and sizes do not overflow. */
    static final long GREATEST_LSN = Long.MAX_VALUE / 2;

    private final SegmentStores stores;
    private final int pageBytes;
    private final long identity;
    private final long segmentBytes;
    private final long greatestBuffered;
    private final long waitNanos;
    private final LongSupplier clock;
    private final Closeable owner;

    private final ReentrantLock lock = new ReentrantLock();
    /** The turn has ended: a buffer is free, records are durable, or the log has failed. */
    private final Condition changed = lock.newCondition();

    // guarded by the lock
    private LogBuffer active;
    /** The thread that has the turn, or null. */
    private Thread turn;
    /** Whether appends wait: while a segment is begun, or a large record is written. */
    private boolean blocked;

    private long appends;
    private long appendedBytes;
    private long writes;
    private long forces;
    private final LongAdder commits = new LongAdder();

    // by the thread that has the turn; which buffer is spare, and which segment is the last, also under the lock
    private LogBuffer spare;
    /** Whether the spare buffer has bytes that are not written yet, since a write has failed. */
    private boolean unwritten;
    /** The end of the records in the spare buffer. */
    private long spareEnd;
    /** The log is written up to here. */
    private long written;

    private Segment last;

    private final ReentrantLock files = new ReentrantLock();
    /** From the oldest to the last. Guarded by {@code files}. */
    private final Deque<Segment> segments;

    private volatile long begin;
    private volatile long end;
    private volatile long durable;
    private volatile Throwable failure;
    private volatile boolean closed;

    /** Takes over what was opened. */
    LogFile(LogFileBuilder settings, LogOpening opened) {
        this.stores = opened.stores();
        this.pageBytes = stores.pageBytes();
        this.identity = opened.identity();
        this.segmentBytes = settings.segmentBytes();
        this.waitNanos = settings.waitNanos();
        this.clock = settings.clock();
        this.owner = opened.owner();
        this.active = opened.active();
        this.spare = opened.spare();
        this.greatestBuffered = (long) (active.capacityPages() - 1) * pageBytes;
        this.segments = opened.segments();
        this.last = segments.getLast();
        this.begin = segments.getFirst().first();
        this.end = opened.end();
        this.written = end;
        this.durable = end;
    }

    /**
     * {@return a builder for the log in a folder}
     *
     * @param folder the folder, which the log has for itself
     */
    public static LogFileBuilder builder(Path folder) {
        return new LogFileBuilder(folder);
    }

    // --- positions ---------------------------------------------------------------------------------------------------

    /** {@return where the log begins: the LSN of the oldest record that can be read} */
    public long begin() {
        return begin;
    }

    /** {@return where the log ends: the LSN that the next record will have} */
    @Override
    public long end() {
        return end;
    }

    /** {@return up to where the log is durable: all records with lesser LSNs survive a crash} */
    public long durableEnd() {
        return durable;
    }

    // --- append ------------------------------------------------------------------------------------------------------

    /**
     * Appends a record. It is in a buffer when this returns; {@link #makeDurable} makes it durable.
     *
     * @param record its bytes, which must not change meanwhile; may be empty
     * @return its LSN
     * @throws LogFailedException if the log has failed before: then the record is not in the log
     * @throws IOException if the buffer was full and could not be written, or a segment could not be begun: then the
     *     record is not in the log
     * @throws WaitTimeoutException if another thread wrote for too long: then the record is not in the log
     * @throws IllegalStateException if the log is closed
     */
    public long append(byte[] record) throws IOException {
        return append(ByteBuffer.wrap(record));
    }

    /**
     * Appends the bytes that remain in a buffer; its position and limit stay. See {@link #append(byte[])}.
     *
     * @param record the bytes
     * @return the LSN of the record
     * @throws IOException as {@link #append(byte[])}
     * @throws IllegalArgumentException if there are more than an array of any JVM can have: no reader could return them
     */
    public long append(ByteBuffer record) throws IOException {
        StackReserve.check();
        ByteBuffer source = record.slice();
        int length = source.remaining();
        if (length > GREATEST_RECORD) {
            throw new IllegalArgumentException(
                    "the record has " + length + " bytes; it must not have more than " + GREATEST_RECORD);
        }
        int crc = RecordFormat.crc(source);
        return (long) length + RecordFormat.HEADER_BYTES <= greatestBuffered
                ? appendBuffered(source, length, crc)
                : appendLarge(source, length, crc);
    }

    private long appendBuffered(ByteBuffer record, int length, int crc) throws IOException {
        int size = length + RecordFormat.HEADER_BYTES;
        LongWait wait = null;
        while (true) {
            boolean begins;
            lock.lock();
            try {
                while (true) {
                    checkUsable();
                    begins = !fits(size);
                    if (!blocked && !begins && size <= active.remaining()) {
                        return put(record, length, crc, size);
                    }
                    wait = wait == null ? new LongWait() : wait;
                    wait.check();
                    if (turn == null) {
                        takeTurn(begins);
                        break;
                    }
                    wait.await();
                }
            } finally {
                lock.unlock();
            }
            try {
                if (begins) {
                    beginSegment();
                } else {
                    write();
                }
            } finally {
                endTurn();
            }
        }
    }

    /** {@return whether the last segment may have a record more; needs the lock} */
    private boolean fits(int size) {
        return last.offsetOf(end) + size <= segmentBytes || end == last.first();
    }

    /** Needs the lock. */
    private long put(ByteBuffer record, int length, int crc, int size) throws IOException {
        long lsn = end;
        checkLsn(lsn, size);
        active.put(record, 0, length, RecordFormat.HEADER_BYTES); // first: a buffer of the caller may throw
        active.putHeader(identity, lsn, length, crc, durable);
        active.add(size);
        appends++;
        appendedBytes += size;
        end = lsn + size;
        return lsn;
    }

    private static void checkLsn(long lsn, long size) throws IOException {
        if (lsn > GREATEST_LSN - size) {
            throw new IOException("the log has no more LSNs: it ends at " + lsn);
        }
    }

    /**
     * Appends a record that is larger than a buffer: begins a segment, and writes each full buffer, while other appends
     * wait. The segment has no other record yet; so if a write fails, the buffer is cleared, and the next record
     * overwrites what was written.
     */
    private long appendLarge(ByteBuffer record, int length, int crc) throws IOException {
        long size = (long) length + RecordFormat.HEADER_BYTES;
        awaitTurn(true);
        try {
            if (end != last.first()) {
                beginSegment();
            }
            long lsn = end;
            checkLsn(lsn, size);
            if (last.longer) { // or what was written before could complete this record, although its append throws
                last.store.truncate(1);
                last.longer = false;
            }
            boolean complete = false;
            try {
                active.putHeader(identity, lsn, length, crc, durable);
                active.add(RecordFormat.HEADER_BYTES);
                long written = putLarge(record, length);
                lockForRelease(); // the record is in the buffer and the file, but not in the log before this
                try {
                    appends++;
                    appendedBytes += size;
                    writes += written;
                    end = lsn + size;
                    complete = true;
                } finally {
                    lock.unlock();
                }
            } finally {
                if (!complete) {
                    last.longer = true;
                    active.clear(1);
                }
            }
            return lsn;
        } finally {
            endTurn();
        }
    }

    /** {@return the number of writes} What is left is in the buffer. */
    private long putLarge(ByteBuffer record, int length) throws IOException {
        long written = 0;
        for (int done = 0; done < length; ) {
            if (active.remaining() == 0) {
                last.store.writeRun(active.page(), active.pages());
                active.clear(active.pageBehind());
                written++;
            }
            int count = Math.min(length - done, active.remaining());
            active.put(record, done, count, 0);
            active.add(count);
            done += count;
        }
        return written;
    }

    // --- force -------------------------------------------------------------------------------------------------------

    /**
     * Makes the whole record at an LSN durable, and all before it. One force serves all threads that wait for it.
     *
     * @param lsn the LSN of a record that was appended; or {@link #end}, for all records that were
     * @throws LogFailedException if the log has failed before; the record may be durable nevertheless
     * @throws IOException if a write or a force failed; the record may be durable nevertheless
     * @throws WaitTimeoutException if another thread wrote or forced for too long
     * @throws IllegalArgumentException if the log ends before
     * @throws IllegalStateException if the log is closed
     */
    @Override
    public void makeDurable(long lsn) throws IOException {
        if (durable > lsn && failure == null) {
            return;
        }
        long appended = end;
        if (lsn > appended) {
            throw new IllegalArgumentException(
                    "there is no record at LSN " + lsn + " in " + stores.name() + ": the log ends at " + appended);
        }
        long needed = Math.min(lsn + 1, appended);
        if (durable >= needed && failure == null && !closed) {
            return;
        }
        commits.increment();
        StackReserve.check();
        LongWait wait = null;
        lock.lock();
        try {
            checkUsable();
            while (durable < needed && turn != null) {
                wait = wait == null ? new LongWait() : wait;
                wait.check();
                wait.await();
                if (durable < needed) {
                    checkUsable();
                }
            }
            if (durable >= needed) {
                return;
            }
            takeTurn(false);
        } finally {
            lock.unlock();
        }
        try {
            force();
        } finally {
            endTurn();
        }
    }

    /**
     * Makes all records durable that were appended before this call.
     *
     * @throws IOException as {@link #makeDurable(long)}
     */
    public void makeDurable() throws IOException {
        makeDurable(end);
    }

    // --- the turn ----------------------------------------------------------------------------------------------------

    /** A wait for the end of a turn, with a bound. Needs the lock. */
    private final class LongWait {
        private final Deadline deadline = new Deadline(waitNanos, clock);

        /** Throws if the bound is reached. */
        void check() {
            if (deadline.left() <= 0) {
                Thread other = turn;
                throw new WaitTimeoutException("waited " + TimeUnit.NANOSECONDS.toMillis(waitNanos)
                        + " ms for the log in " + stores.name() + ": "
                        + (other == null ? "other threads fill its buffers" : other + " writes or forces " + last)
                        + "; waitTimeout of the log says how long");
            }
        }

        /** Waits until the turn ends, or the bound is reached. */
        void await() {
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        changed.awaitNanos(deadline.left());
                        return; // the caller looks again
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /** Waits for the turn and takes it. */
    private void awaitTurn(boolean blocks) throws IOException {
        lock.lock();
        try {
            checkUsable();
            LongWait wait = new LongWait();
            while (turn != null) {
                wait.check();
                wait.await();
                checkUsable();
            }
            takeTurn(blocks);
        } finally {
            lock.unlock();
        }
    }

    /** Needs the lock, and that the turn is free. */
    private void takeTurn(boolean blocks) {
        turn = Thread.currentThread();
        blocked = blocks;
    }

    private void endTurn() {
        lockForRelease();
        try {
            turn = null;
            blocked = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the lock, also where there is no memory for a place in its queue (Java 17). */
    private void lockForRelease() {
        try {
            lock.lock();
        } catch (Error e) {
            while (!lock.tryLock()) {
                Thread.onSpinWait();
            }
        }
    }

    private void checkUsable() throws IOException {
        Throwable cause = failure;
        if (cause != null) {
            throw new LogFailedException(stores.name(), cause);
        }
        checkOpen();
    }

    // --- I/O, by the thread that has the turn ------------------------------------------------------------------------

    /** Brings the buffers to the file: first what an earlier write has failed to. */
    private void write() throws IOException {
        if (unwritten) {
            writeSpare();
        }
        if (exchange()) {
            writeSpare();
        }
    }

    /** Lets appends go on in the other buffer; {@return whether there is something to be written} */
    private boolean exchange() {
        lock.lock();
        try {
            if (!active.hasNew()) {
                return false;
            }
            spare.follow(active);
            LogBuffer full = active;
            active = spare;
            spare = full;
            spareEnd = end;
            unwritten = true;
            changed.signalAll(); // there is space
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void writeSpare() throws IOException {
        last.store.writeRun(spare.page(), spare.pages());
        unwritten = false;
        written = spareEnd;
        lock.lock();
        try {
            writes++;
        } finally {
            lock.unlock();
        }
    }

    /** Writes and forces everything that was appended before. */
    private void force() throws IOException {
        write();
        if (durable < written) {
            force(last.store);
            lock.lock();
            try {
                durable = written;
                forces++;
            } finally {
                lock.unlock();
            }
        }
    }

    /** A failure is final: the system may have dropped what it could not write, and the next force would succeed. */
    private void force(PageStore store) throws IOException {
        try {
            store.force();
        } catch (Throwable e) {
            fail(e);
            throw e;
        }
    }

    private void fail(Throwable cause) {
        lockForRelease();
        try {
            failure = failure == null ? cause : failure;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the last segment, and begins the next one. Appends wait. */
    private void beginSegment() throws IOException {
        force(); // else a later segment could survive a crash without the end of this one
        Segment former = last;
        Segment next = new Segment(end, pageBytes);
        lockFiles();
        try {
            if (former.longer) {
                former.store.truncate((former.offsetOf(end) + pageBytes - 1) / pageBytes);
            }
            segments.add(next); // before there is a file
            boolean begun = false;
            try {
                create(next);
                lock.lock();
                try {
                    former.end(next.first());
                    last = next;
                    active.clear(1);
                    begun = true;
                } finally {
                    lock.unlock();
                }
            } finally {
                if (!begun) {
                    segments.removeLast();
                    discard(next);
                }
            }
            closeUnread(former);
        } finally {
            files.unlock();
        }
    }

    private void create(Segment next) throws IOException {
        next.store = LogOpening.openNew(stores, next);
        next.store.write(0, new SegmentHeader(pageBytes, identity, next.first()).page());
        force(next.store);
    }

    /** If it stayed though records go on in the former segment, that one would seem to end where this one begins. */
    private void discard(Segment segment) {
        try {
            if (segment.store != null) {
                segment.store.delete();
            }
        } catch (Throwable e) { // also a checked exception of another language
            fail(e);
            LogOpening.closeQuietly(segment.store);
        }
    }

    // --- segments ----------------------------------------------------------------------------------------------------

    private void lockFiles() {
        StackReserve.check();
        boolean interrupted = Thread.interrupted();
        try {
            Deadline deadline = new Deadline(waitNanos, clock);
            while (true) {
                try {
                    if (files.tryLock(deadline.left(), TimeUnit.NANOSECONDS)) {
                        return;
                    }
                    if (deadline.left() > 0) {
                        continue; // time has leapt
                    }
                    throw new WaitTimeoutException("waited " + TimeUnit.NANOSECONDS.toMillis(waitNanos)
                            + " ms for another thread that opens, creates or deletes a segment of the log in "
                            + stores.name());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Needs the lock of the files. */
    private void closeUnread(Segment segment) throws IOException {
        if (segment.readers.get() == 0 && segment.end() != Segment.OPEN_END && segment.store != null) {
            PageStore store = segment.store;
            segment.store = null;
            store.close();
        }
    }

    /** Needs the lock of the files. */
    private void openStore(Segment segment) throws IOException {
        if (segment.store == null) {
            segment.store = stores.open(segment.name(), false);
        }
    }

    /**
     * Reads the records from an LSN on, up to the last one that is durable.
     *
     * @param lsn the LSN of a record, {@link #begin}, or {@link #end}
     * @return a reader before that record, to be closed
     * @throws IllegalArgumentException if the log begins after, or ends before
     * @throws IllegalStateException if the log is closed
     */
    public LogReader newReader(long lsn) {
        checkOpen();
        if (lsn < begin || lsn > end) {
            throw new IllegalArgumentException("cannot read the log in " + stores.name() + " from LSN " + lsn + ": it "
                    + (lsn > end ? "ends at " + end : "begins at " + begin + ", as what was before was reclaimed"));
        }
        return new LogReader(this, lsn, new SegmentInput(pageBytes, identity));
    }

    /** Opens the segment of a record for a reader; {@return the segment} */
    Segment enter(long lsn) throws IOException {
        lockFiles();
        try {
            checkOpen();
            for (Segment segment : segments) {
                if (segment.first() <= lsn && lsn < segment.end() && lsn >= begin) {
                    openStore(segment);
                    segment.readers.getAndIncrement();
                    return segment;
                }
            }
            throw new IllegalArgumentException("cannot read the log in " + stores.name() + " at LSN " + lsn
                    + ": that was reclaimed; the log begins at " + begin);
        } finally {
            files.unlock();
        }
    }

    /** Ends a reader's use of a segment. Does not wait; if the lock is taken the store stays open for the next one. */
    void leave(Segment segment) throws IOException {
        segment.readers.getAndDecrement();
        if (files.tryLock()) {
            try {
                closeUnread(segment);
            } finally {
                files.unlock();
            }
        }
    }

    /** Throws if the log is closed. */
    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the log in " + stores.name() + " is closed");
        }
    }

    /** {@return the name of a segment, for messages} */
    String nameOf(Segment segment) {
        return stores.name() + "/" + segment;
    }

    /**
     * Deletes the segments of which all records are below an LSN. The last segment stays, and so do those that a reader
     * has not left yet, with all later ones.
     *
     * @param lsn the LSN from which on records are needed, to redo for instance
     * @return the number of segments that were deleted
     * @throws IOException if one could not be deleted: the next call tries again, unless the file is gone
     * @throws WaitTimeoutException if another thread created, opened or deleted a segment for too long
     * @throws IllegalArgumentException if the log ends before
     * @throws IllegalStateException if the log is closed
     */
    public int reclaim(long lsn) throws IOException {
        if (lsn > end) {
            throw new IllegalArgumentException(
                    "cannot reclaim up to LSN " + lsn + ": the log in " + stores.name() + " ends at " + end);
        }
        int deleted = 0;
        while (deleteOldest(lsn)) {
            deleted++;
        }
        return deleted;
    }

    private boolean deleteOldest(long lsn) throws IOException {
        lockFiles(); // for one segment only: others wait for it
        try {
            checkOpen();
            Segment oldest = segments.getFirst();
            if (oldest.end() > lsn || oldest.readers.get() > 0) {
                return false;
            }
            begin = oldest.end(); // first: nobody may read what may be gone
            delete(oldest);
            segments.removeFirst();
            return true;
        } finally {
            files.unlock();
        }
    }

    /** Needs the lock of the files. That somebody else has deleted the file is no failure: the next one is deleted. */
    private void delete(Segment segment) throws IOException {
        boolean isThere = stores.list().contains(segment.name()); // afterwards a failed force could look the same
        try {
            openStore(segment);
            segment.store.delete();
        } catch (IOException e) {
            if (isThere) {
                throw e;
            }
            stores.force(); // or a crash could bring this one back, but not the next ones
            LogOpening.closeQuietly(segment.store);
        }
    }

    // --- the end -----------------------------------------------------------------------------------------------------

    /** {@return what this log has done since it was opened} */
    public LogStats stats() {
        lock.lock();
        try {
            return new LogStats(appends, appendedBytes, commits.sum(), writes, forces);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes all records durable, unless the log has failed, and closes it. Readers cannot read on. A second call does
     * nothing.
     *
     * @throws IOException if a write, a force or a close failed: the log is closed nevertheless
     * @throws WaitTimeoutException if another thread wrote or forced for too long: the log stays open
     */
    @Override
    public void close() throws IOException {
        StackReserve.check();
        if (!takeLastTurn()) {
            return;
        }
        try {
            Failures failures = new Failures();
            if (failure == null) {
                failures.run(this::force);
            }
            lockFiles();
            try {
                closed = true;
                for (Segment segment : segments) {
                    if (segment.store != null) {
                        failures.run(segment.store::close);
                    }
                }
                failures.run(owner::close);
            } finally {
                files.unlock();
            }
            failures.throwFirst();
        } finally {
            endTurn();
        }
    }

    /** {@return whether this thread has the turn, to close the log; false if it is closed} */
    private boolean takeLastTurn() {
        lock.lock();
        try {
            LongWait wait = new LongWait();
            while (turn != null) {
                wait.check();
                wait.await();
            }
            if (closed) {
                return false;
            }
            takeTurn(true);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "log in " + stores.name() + " from " + begin + " to " + end + ", durable to " + durable;
    }
}
