// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import io.clockhand.testkit.DiskCall.Operation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file that was opened: usable until it is closed, or the boot is over. Thread-safe.
 *
 * <p>A call first waits, without a lock, and then takes effect under the monitor of the file, unless the boot has ended
 * meanwhile. So a crash, which ends the boot before it takes the monitors, lets each call happen before or not at all.
 */
final class OpenFile implements Closeable {
    private final SimulatedDisk disk;
    private final DiskFile file;
    private final Boot boot;
    /** Whether writes wait for their turn. */
    private final boolean isPaged;

    private volatile boolean isClosed;

    OpenFile(SimulatedDisk disk, DiskFile file, Boot boot, boolean isPaged) {
        this.disk = disk;
        this.file = file;
        this.boot = boot;
        this.isPaged = isPaged;
    }

    String name() {
        return file.name();
    }

    boolean isUsable() {
        return !isClosed && !boot.isOver();
    }

    boolean tryOwn() {
        return isUsable() && file.tryOwn(this);
    }

    long length() throws IOException {
        synchronized (file) {
            checkUsable("measure " + name());
            return file.length();
        }
    }

    /** Reads until the target is full, the file ends, or a fault ends it; {@return the number of bytes} */
    int read(String what, long position, ByteBuffer target) throws IOException {
        DiskCall call = new DiskCall(Operation.READ, name(), position, target.remaining(), false);
        Injection injection = begin(what, call);
        synchronized (file) {
            check(what, call, injection);
            failOn(DiskFault.READ_ERROR, injection, what);
            if (!injection.is(DiskFault.SHORT_READ)) {
                return file.read(position, target);
            }
            ByteBuffer part = target.duplicate();
            part.limit(part.position() + injection.shorter(part.remaining()));
            int bytes = file.read(position, part);
            target.position(part.position());
            return bytes;
        }
    }

    /** Writes all bytes, unless a fault ends the write; {@return the number of bytes} */
    int write(String what, long position, ByteBuffer source) throws IOException {
        int bytes = source.remaining();
        DiskCall call = new DiskCall(Operation.WRITE, name(), position, bytes, position + bytes > file.length());
        Injection injection = begin(what, call);
        synchronized (file) {
            checkUsable(what);
            failOn(DiskFault.WRITE_ERROR, injection, what);
            failOn(DiskFault.NO_SPACE, injection, what);
            ByteBuffer part = source.duplicate();
            if (injection.is(DiskFault.SHORT_WRITE)) {
                part.limit(part.position() + injection.shorter(bytes));
            }
            boolean isTorn = injection.is(DiskFault.TORN_WRITE);
            if (!file.write(position, part, isTorn ? injection.torn(file.sectors(position, bytes)) : null)) {
                disk.faults().count(DiskFault.NO_SPACE, call);
                throw new IOException("cannot " + what + ": " + DiskFault.NO_SPACE.message() + ", which has "
                        + disk.capacityBytes() + " bytes");
            }
            failOn(DiskFault.TORN_WRITE, injection, what);
            check(what, call, injection);
            int count = part.position() - source.position();
            source.position(part.position());
            return count;
        }
    }

    void truncate(String what, long length) throws IOException {
        DiskCall call = new DiskCall(Operation.TRUNCATE, name(), length, 0, false);
        Injection injection = begin(what, call);
        synchronized (file) {
            checkUsable(what);
            failOn(DiskFault.TRUNCATE_ERROR, injection, what);
            file.truncate(length);
            check(what, call, injection);
        }
    }

    void force(String what) throws IOException {
        DiskCall call = new DiskCall(Operation.FORCE, name(), 0, 0, false);
        Injection injection = begin(what, call);
        synchronized (file) {
            check(what, call, injection);
            if (injection.is(DiskFault.FAILED_FORCE)) {
                file.loseUnforcedBytes();
            }
            failOn(DiskFault.FAILED_FORCE, injection, what);
            file.force();
        }
    }

    /** Waits for as long as the call takes; {@return its faults} */
    private Injection begin(String what, DiskCall call) throws IOException {
        checkUsable(what);
        Injection injection = disk.begin(what, call, isPaged, boot);
        if (injection.isInterrupting()) {
            Thread.currentThread().interrupt();
        }
        return injection;
    }

    /** Throws if the file cannot be used, or the power fails during this call. */
    private void check(String what, DiskCall call, Injection injection) throws IOException {
        checkUsable(what);
        if (injection.is(DiskFault.POWER_LOSS)) {
            boot.end("the power failed during the " + call);
            boot.check(what);
        }
    }

    private void checkUsable(String what) throws IOException {
        boot.check(what);
        if (isClosed) {
            throw new IOException("cannot " + what + ": it is closed");
        }
    }

    private void failOn(DiskFault fault, Injection injection, String what) throws IOException {
        if (injection.is(fault)) {
            throw disk.failure(what, fault);
        }
    }

    /** Deletes the file and closes it. */
    void delete(String what) throws IOException {
        checkUsable(what);
        disk.delete(file, boot, what);
        close();
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
