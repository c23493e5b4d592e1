// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes a trace while its references are made, in {@link TraceFormat#RW32BE}, in the order in which they are added.
 * Thread-safe: all is done under the monitor.
 *
 * <p>The file appears, complete, when the writer is {@linkplain #finish finished}; until then it has the ending {@code
 * .part}. After a failure references are dropped, so that those who make them go on, and {@link #check} and {@link
 * #finish} throw.
 */
public final class TraceWriter implements AutoCloseable {
    private static final int WRITE = Integer.MIN_VALUE;

    private final Path file;
    private final OutputStream part;
    private final DataOutputStream buffer;
    private boolean ended;
    private IOException failure;

    /** Into any stream, which is closed in the end. */
    TraceWriter(Path file, OutputStream part) {
        this.file = file;
        this.part = part;
        this.buffer = new DataOutputStream(new BufferedOutputStream(part, 1 << 16));
    }

    /** Begins a trace; a file of that name is replaced in the end. Not through a channel, which an interrupt closes. */
    public static TraceWriter create(Path file) throws IOException {
        return new TraceWriter(file, new FileOutputStream(part(file).toFile()));
    }

    /** The name that a trace has until it is complete. */
    public static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    /**
     * Adds a reference, unless the trace has ended.
     *
     * @param page its number, not negative
     * @return false if the trace has ended
     */
    public synchronized boolean add(int page, boolean isWrite) {
        if (ended) {
            return false;
        }
        try {
            if (failure == null) {
                buffer.writeInt(isWrite ? page | WRITE : page);
            }
        } catch (IOException e) {
            fail(e);
        }
        return true;
    }

    private void fail(IOException cause) {
        failure = new IOException("cannot record to " + file + ": " + cause.getMessage(), cause);
    }

    /** Throws if something could not be written. */
    public synchronized void check() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    /** Writes the rest and gives the file its name. Throws if it is not complete; then there is none. */
    public synchronized void finish() throws IOException {
        ended = true;
        try {
            if (failure == null) {
                buffer.close();
            }
        } catch (IOException e) {
            fail(e);
        }
        check();
        Files.move(part(file), file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Drops the trace, unless it is finished. */
    @Override
    public synchronized void close() throws IOException {
        ended = true;
        part.close();
        Files.deleteIfExists(part(file));
    }
}
