// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.internal.pool.EngineCalls;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.ForwardingPageStore;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A store of the engine, called with a clear interrupt flag: see {@link EngineCalls}. */
final class UninterruptedStore extends ForwardingPageStore {

    private UninterruptedStore(PageStore store) {
        super(store);
    }

    /** {@return a store that calls another one; a {@link FilePageStore} as it is, since it does that itself} */
    static PageStore of(PageStore store) {
        return store instanceof FilePageStore ? store : new UninterruptedStore(store);
    }

    @Override
    public boolean readsRuns() {
        return store.readsRuns();
    }

    @Override
    public boolean hasAnyLength() {
        return store.hasAnyLength();
    }

    @Override
    public long lengthBytes() throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            return store.lengthBytes();
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void setLengthBytes(long bytes) throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            store.setLengthBytes(bytes);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public long pages() throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            return store.pages();
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            store.read(page, target);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void readRun(long first, ByteBuffer[] targets, int count) throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            store.readRun(first, targets, count);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            store.write(page, source);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            store.writeRun(first, source);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            store.writeBatch(pages, from, to, source);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void extend(long pages) throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            store.extend(pages);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void truncate(long pages) throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            store.truncate(pages);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void force() throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            store.force();
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public boolean tryOwn() {
        boolean interrupted = EngineCalls.begin();
        try {
            return store.tryOwn();
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void close() throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            store.close();
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    @Override
    public void delete() throws IOException {
        boolean interrupted = EngineCalls.begin();
        try {
            store.delete();
        } finally {
            EngineCalls.end(interrupted);
        }
    }
}
