// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Counts calls, and fails those that a test chooses, before they do anything. */
final class FailingStore extends ForwardingStore {
    private static final int NEVER = Integer.MAX_VALUE;

    /** Of single pages, runs and batches. */
    int writes;

    int forces;
    /** The number of writes that succeed before all fail. */
    private int writesLeft = NEVER;

    private int forcesLeft = NEVER;
    private IOException onTruncate;

    FailingStore(PageStore store) {
        super(store);
    }

    void failWritesAfter(int more) {
        writesLeft = more;
    }

    void failForcesAfter(int more) {
        forcesLeft = more;
    }

    void failTruncations(IOException failure) {
        onTruncate = failure;
    }

    void succeed() {
        writesLeft = NEVER;
        forcesLeft = NEVER;
        onTruncate = null;
    }

    private void beforeWrite(long page) throws IOException {
        if (--writesLeft < 0) {
            throw new IOException("cannot write page " + page + " of " + name() + ": No space left on device");
        }
        writes++;
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        beforeWrite(page);
        super.write(page, source);
    }

    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        beforeWrite(first);
        super.writeRun(first, source);
    }

    @Override
    public void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
        beforeWrite(pages[from]);
        super.writeBatch(pages, from, to, source);
    }

    @Override
    public void truncate(long pages) throws IOException {
        if (onTruncate != null) {
            throw onTruncate;
        }
        super.truncate(pages);
    }

    @Override
    public void force() throws IOException {
        if (--forcesLeft < 0) {
            throw new IOException("cannot force " + name() + ": Input/output error");
        }
        forces++;
        super.force();
    }
}
