// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file of bytes on a {@link SimulatedDisk}, for the log of an engine and for its master record. It behaves as a
 * {@link java.nio.channels.FileChannel} does, short transfers included, except that an interrupt closes nothing.
 *
 * <p>Thread-safe; each call is atomic, unless a fault ends it. After a crash of the disk each call but {@link #name}
 * and {@link #close} throws {@link DiskCrashedException}.
 */
public final class SimulatedFile implements Closeable {
    private final OpenFile file;

    SimulatedFile(OpenFile file) {
        this.file = file;
    }

    /** {@return the name of the file} */
    public String name() {
        return file.name();
    }

    /**
     * {@return the length in bytes}
     *
     * @throws IOException if the file is closed
     */
    public long size() throws IOException {
        return file.length();
    }

    /**
     * Reads bytes.
     *
     * @param position where they begin, in bytes
     * @param target gets them
     * @return the number of bytes: fewer than remain in the target if the file ends before, or a fault shortens the
     *     read; -1 at the end of the file
     * @throws IllegalArgumentException if the position is negative
     * @throws IOException if the read failed
     */
    public int read(long position, ByteBuffer target) throws IOException {
        checkPosition(position);
        if (!target.hasRemaining()) {
            return 0;
        }
        int bytes =
                file.read("read " + target.remaining() + " bytes at " + position + " of " + name(), position, target);
        return bytes == 0 ? -1 : bytes;
    }

    /**
     * Writes bytes. A write behind the end extends the file; bytes in between are zero. The bytes survive a
     * crash for sure only if {@link #force} has returned since; else any of their sectors may.
     *
     * @param position where they begin, in bytes; {@link #size} to append
     * @param source holds them
     * @return the number of bytes: fewer than remain in the source if a fault shortens the write, but at least one
     * @throws IllegalArgumentException if the position is negative
     * @throws IOException if the write failed; any part of the bytes may have been written
     */
    public int write(long position, ByteBuffer source) throws IOException {
        checkPosition(position);
        if (!source.hasRemaining()) {
            return 0;
        }
        return file.write("write " + source.remaining() + " bytes at " + position + " of " + name(), position, source);
    }

    private void checkPosition(long position) {
        if (position < 0 || position > Long.MAX_VALUE / 2) {
            throw new IllegalArgumentException("there is no position " + position + " in " + name());
        }
    }

    /**
     * Truncates the file, if it is longer.
     *
     * @param size the length in bytes
     * @throws IllegalArgumentException if it is negative
     * @throws IOException if the truncation failed
     */
    public void truncate(long size) throws IOException {
        if (size < 0) {
            throw new IllegalArgumentException("cannot truncate " + name() + " to " + size + " bytes");
        }
        file.truncate("truncate " + name() + " to " + size + " bytes", size);
    }

    /**
     * Brings all changes of this file before the call to the device.
     *
     * @throws IOException if that failed; writes since the last success may be lost, and a later force that succeeds
     *     does not bring them back
     */
    public void force() throws IOException {
        file.force("force " + name());
    }

    /**
     * Deletes the file and closes it. That needs no force.
     *
     * @throws IOException if the file is closed
     */
    public void delete() throws IOException {
        file.delete("delete " + name());
    }

    /** Closes this handle, and forces nothing. */
    @Override
    public void close() {
        file.close();
    }
}
