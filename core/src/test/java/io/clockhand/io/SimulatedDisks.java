// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Disks that lose power together, at the write, force or truncation that a test chooses. Then each sector that was
 * written since its disk was last forced has the bytes of any of these writes, or those of before. A truncation is
 * lost only with everything after it, as in a file system that orders changes of a length. Writes and forces may also
 * fail; a failed write is torn, and a failed force may drop what was written before. Not thread-safe.
 */
final class SimulatedDisks {
    private static final int SECTOR_BYTES = 512;

    private final SplittableRandom random;
    private final List<Disk> disks = new ArrayList<>();
    /** The number of steps until the power fails. */
    private int stepsLeft = Integer.MAX_VALUE;
    /** One of this many writes and forces fails; none if it is 0. */
    private int failureRate;

    private int steps;

    /** The power has failed. */
    static final class PowerFailure extends IOException {
        private static final long serialVersionUID = 1L;

        PowerFailure(String disk) {
            super(disk + " has no power");
        }
    }

    /** A sector that was written and not forced, or a truncation, whose bytes are null. */
    private static final class Change {
        private final int offset;
        private final byte[] bytes;

        Change(int offset, byte[] bytes) {
            this.offset = offset;
            this.bytes = bytes;
        }
    }

    /** The bytes of a disk; those behind the length are zero. */
    private static final class Content {
        private byte[] bytes;
        private int length;

        Content(byte[] bytes, int length) {
            this.bytes = bytes;
            this.length = length;
        }

        void apply(Change change, int pageBytes) {
            if (change.bytes == null) {
                if (length > change.offset) {
                    Arrays.fill(bytes, change.offset, length, (byte) 0);
                    length = change.offset;
                }
                return;
            }
            length = Math.max(length, (change.offset / pageBytes + 1) * pageBytes);
            if (length > bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * length);
            }
            System.arraycopy(change.bytes, 0, bytes, change.offset, SECTOR_BYTES);
        }

        Content copy() {
            return new Content(bytes.clone(), length);
        }
    }

    SimulatedDisks(SplittableRandom random) {
        this.random = random;
    }

    void failPowerAfter(int more) {
        stepsLeft = more;
    }

    void failOneOf(int writesAndForces) {
        failureRate = writesAndForces;
    }

    /** {@return the number of steps so far} */
    int steps() {
        return steps;
    }

    boolean hasPower() {
        return stepsLeft >= 0;
    }

    Disk disk(String name, int pageBytes) {
        Disk disk = new Disk(name, pageBytes);
        disks.add(disk);
        return disk;
    }

    /** Every disk loses a part of what was not forced, and has power again. */
    void restart() {
        stepsLeft = Integer.MAX_VALUE;
        for (Disk disk : disks) {
            disk.forced = disk.afterCrash();
            disk.current = disk.forced.copy();
            disk.changes.clear();
            disk.owned = false;
        }
    }

    /** One of the disks. */
    final class Disk implements PageStore {
        private final String name;
        private final int pageBytes;
        private Content forced = new Content(new byte[0], 0);
        private Content current = new Content(new byte[0], 0);
        private final List<Change> changes = new ArrayList<>();
        private boolean owned;

        private Disk(String name, int pageBytes) {
            this.name = name;
            this.pageBytes = pageBytes;
        }

        /** {@return whether the power fails now: the change may be done or not} */
        private boolean powerFails() throws IOException {
            if (stepsLeft < 0) {
                throw new PowerFailure(name);
            }
            steps++;
            return --stepsLeft < 0;
        }

        private boolean fails() {
            return failureRate > 0 && random.nextInt(failureRate) == 0;
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            FilePageStore.checkTransfer(page, source, pageBytes, name);
            writeRun(page, source);
        }

        @Override
        public void writeRun(long first, ByteBuffer source) throws IOException {
            FilePageStore.checkRun(first, source, pageBytes, name);
            boolean last = powerFails();
            byte[] bytes = new byte[source.remaining()];
            source.get(bytes);
            if (last && random.nextBoolean()) {
                throw new PowerFailure(name);
            }
            boolean failed = !last && fails();
            for (int at = 0; at < bytes.length; at += SECTOR_BYTES) {
                if (!failed || random.nextBoolean()) {
                    int offset = Math.toIntExact(first * pageBytes) + at;
                    change(new Change(offset, Arrays.copyOfRange(bytes, at, at + SECTOR_BYTES)));
                }
            }
            if (last) {
                throw new PowerFailure(name);
            }
            if (failed) {
                throw new IOException("cannot write page " + first + " of " + name + ": injected");
            }
        }

        private void change(Change change) {
            changes.add(change);
            current.apply(change, pageBytes);
        }

        private Content afterCrash() {
            Content left = forced.copy();
            int kept = random.nextInt(4); // nothing, everything, or a part
            for (Change change : changes) {
                boolean applies = kept == 1 || (kept > 1 && random.nextBoolean());
                if (change.bytes == null && !applies) {
                    break;
                }
                if (applies) {
                    left.apply(change, pageBytes);
                }
            }
            return left;
        }

        @Override
        public void truncate(long pages) throws IOException {
            boolean last = powerFails();
            if (!last || random.nextBoolean()) {
                change(new Change(Math.toIntExact(pages * pageBytes), null));
            }
            if (last) {
                throw new PowerFailure(name);
            }
        }

        @Override
        public void force() throws IOException {
            boolean last = powerFails();
            if (last ? random.nextBoolean() : !fails()) {
                for (Change change : changes) { // not what a failed force has dropped, although it can be read
                    forced.apply(change, pageBytes);
                }
                changes.clear();
            } else if (!last) {
                dropSome();
                throw new IOException("cannot force " + name + ": injected");
            }
            if (last) {
                throw new PowerFailure(name);
            }
        }

        /** After a failed force, later ones may know nothing of the pages, whether they can still be read or not. */
        private void dropSome() {
            if (random.nextBoolean()) {
                for (Change change : changes) {
                    if (change.bytes == null || random.nextBoolean()) {
                        forced.apply(change, pageBytes);
                    }
                }
                changes.clear();
                if (random.nextBoolean()) {
                    current = forced.copy();
                }
            }
        }

        @Override
        public void read(long page, ByteBuffer target) throws IOException {
            FilePageStore.checkTransfer(page, target, pageBytes, name);
            if (stepsLeft < 0) {
                throw new PowerFailure(name);
            }
            if (page >= pages()) {
                throw new EOFException("page " + page + " of " + name + " does not exist");
            }
            target.put(current.bytes, Math.toIntExact(page * pageBytes), pageBytes);
        }

        @Override
        public long pages() {
            return current.length / pageBytes;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int pageBytes() {
            return pageBytes;
        }

        @Override
        public boolean tryOwn() {
            boolean first = !owned;
            owned = true;
            return first;
        }

        @Override
        public void close() {
            owned = false; // the disk stays as it is
        }
    }
}
