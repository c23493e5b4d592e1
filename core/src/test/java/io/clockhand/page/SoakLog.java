// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.testkit.SimulatedFile;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * The log of {@link SoakRun}: a ring of records in a file, which is in memory as well, and a master record with the
 * position of the last checkpoint.
 *
 * <p>Records that could not be written or forced are written once more by the next call, from the last durable position
 * on, since a force that has failed may have lost them. A record names its era, the number of the start of the engine:
 * so a record of an earlier era, which a crash has separated from the log, is not taken for the next one.
 */
final class SoakLog implements WriteAheadLog {
    static final int RECORD = 64;
    private static final int CHECKSUM = RECORD - Long.BYTES;
    private static final int RING = 1 << 20;
    private static final long SLOT = 512;

    /** The kinds of records. */
    enum Kind {
        /** The page has the LSN of this record as its value. */
        UPDATE,
        /** The file has this number of pages. */
        TRUNCATION
    }

    /** A record that has survived. */
    record Entry(long lsn, Kind kind, int salt, long page) {}

    private final SimulatedFile file;
    private final SimulatedFile master;
    private final long era;
    /** Puts are guarded by this; the records between {@code durable} and {@code end} do not change. */
    private final ByteBuffer ring = ByteBuffer.allocate(RING);
    /** Truncations that are not complete: redo begins with the first of them. Guarded by this. */
    private final TreeSet<Long> incomplete = new TreeSet<>();

    private final Object writing = new Object();
    private final Object storing = new Object();
    private volatile long end = RECORD; // an LSN is not 0
    private volatile long durable = RECORD;
    private volatile long redo = RECORD;
    private long sequence;

    SoakLog(SimulatedDisk disk, long era) throws IOException {
        this.file = disk.file("log");
        this.master = disk.file("master");
        this.era = era;
    }

    /** Takes the space for the ring: a log that finds no space when it is forced would hold up all pages. */
    void allocate() throws IOException {
        file.write(0, ByteBuffer.allocate(RING));
        file.force();
    }

    synchronized long append(Kind kind, int salt, long page) {
        long lsn = end;
        int at = (int) (lsn % RING);
        ring.putLong(at, lsn).putLong(at + 8, era).putInt(at + 16, kind == Kind.UPDATE ? 0 : 1);
        ring.putInt(at + 20, salt).putLong(at + 24, page).putLong(at + CHECKSUM, checksum(ring, at));
        if (kind == Kind.TRUNCATION) {
            incomplete.add(lsn);
        }
        end = lsn + RECORD;
        return lsn;
    }

    private static long checksum(ByteBuffer bytes, int at) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(at + CHECKSUM).position(at));
        return crc.getValue() + 1;
    }

    synchronized void complete(long truncation) {
        incomplete.remove(truncation);
    }

    /** {@return where redo must begin if all pages were written: the end, or the first truncation in progress} */
    synchronized long safeEnd() {
        return incomplete.isEmpty() ? end : incomplete.first();
    }

    /** {@return whether a checkpoint must come before more updates} */
    boolean isFull() {
        return end - redo > RING / 2;
    }

    boolean isDurable(long lsn) {
        return lsn < durable;
    }

    @Override
    public long end() {
        return end;
    }

    @Override
    public void makeDurable(long lsn) throws IOException {
        if (lsn < durable) {
            return;
        }
        synchronized (writing) {
            if (lsn >= durable) {
                long to = end;
                write(durable, to);
                file.force();
                durable = to;
            }
        }
    }

    private void write(long from, long to) throws IOException {
        for (long next = from; next < to; ) {
            int at = (int) (next % RING);
            int bytes = (int) Math.min(to - next, RING - at);
            ByteBuffer part = ring.duplicate().limit(at + bytes).position(at);
            while (part.hasRemaining()) {
                int moved = file.write(part.position(), part.duplicate());
                part.position(part.position() + moved);
            }
            next += bytes;
        }
    }

    /** Stores where redo begins. The records before it are overwritten from then on. */
    void store(long position) throws IOException {
        makeDurable(position - 1); // else the log could end before it
        synchronized (storing) {
            if (position <= redo) {
                return;
            }
            long next = sequence + 1;
            ByteBuffer slot = ByteBuffer.allocate(RECORD).putLong(0, next).putLong(8, position);
            slot.putLong(CHECKSUM, checksum(slot, 0));
            while (slot.hasRemaining()) {
                master.write(SLOT * (next % 2) + slot.position(), slot);
            }
            master.force();
            sequence = next;
            redo = position;
        }
    }

    // --- recovery ----------------------------------------------------------------------------------------------------

    /** Reads what has survived from the position of the last checkpoint on, and makes it durable. Without faults. */
    List<Entry> recover() throws IOException {
        readMaster();
        ByteBuffer all = ring.duplicate();
        while (all.hasRemaining() && file.read(all.position(), all) > 0) {
            // the rest
        }
        List<Entry> entries = new ArrayList<>();
        long lsn = redo;
        long before = 0;
        for (int at = (int) (lsn % RING); isRecord(at, lsn, before); at = (int) (lsn % RING)) {
            before = ring.getLong(at + 8);
            Kind kind = ring.getInt(at + 16) == 0 ? Kind.UPDATE : Kind.TRUNCATION;
            entries.add(new Entry(lsn, kind, ring.getInt(at + 20), ring.getLong(at + 24)));
            lsn += RECORD;
        }
        end = lsn;
        durable = redo;
        makeDurable(lsn - 1); // reads show what a failed force has lost
        return entries;
    }

    private boolean isRecord(int at, long lsn, long eraBefore) {
        return ring.getLong(at) == lsn
                && ring.getLong(at + 8) >= eraBefore
                && ring.getLong(at + CHECKSUM) == checksum(ring, at);
    }

    private void readMaster() throws IOException {
        for (int which = 0; which < 2; which++) {
            ByteBuffer slot = ByteBuffer.allocate(RECORD);
            master.read(SLOT * which, slot);
            if (!slot.hasRemaining() && slot.getLong(CHECKSUM) == checksum(slot, 0) && slot.getLong(0) > sequence) {
                sequence = slot.getLong(0);
                redo = slot.getLong(8);
            }
        }
    }

    /** A log that says that it is durable, but is not: so pages are written before their records. */
    WriteAheadLog unruly() {
        return new WriteAheadLog() {
            @Override
            public long end() {
                return end;
            }

            @Override
            public void makeDurable(long lsn) {
                // nothing
            }
        };
    }
}
