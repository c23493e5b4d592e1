// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes each record to a file, under a lock: one thread after the other. The file is a circle, so that it stays in
 * memory; it is never forced.
 */
final class FileLog extends Log {
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
