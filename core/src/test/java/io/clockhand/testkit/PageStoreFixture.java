// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.PageStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A page store in a test, and the pages that the test writes and reads. */
abstract class PageStoreFixture {
    protected abstract PageStore open() throws IOException;

    protected abstract int pageBytes();

    protected abstract boolean isOwnByte(int at);

    protected abstract boolean showsPagesNeverWritten();

    static void assertRefused(PageStore store, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(store.name());
    }

    static void assertFails(PageStore store, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IOException.class).hasMessageContaining(store.name());
    }

    static ByteBuffer allocate(boolean direct, int bytes) {
        return direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    }

    static void fill(ByteBuffer bytes, long value) {
        while (bytes.hasRemaining()) {
            bytes.putLong(value);
        }
    }

    final void write(PageStore store, long page, long value) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(pageBytes());
        fill(bytes, value);
        store.write(page, bytes.flip());
        assertThat(bytes.remaining()).as("all of the page is written").isZero();
    }

    final long read(PageStore store, long page) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(pageBytes());
        store.read(page, bytes);
        return valueOf(page, bytes);
    }

    /** {@return the value of the first page} The others must have the values that follow. */
    final long readRun(PageStore store, long first, int pages) throws IOException {
        ByteBuffer[] targets = new ByteBuffer[pages];
        for (int i = 0; i < pages; i++) {
            targets[i] = ByteBuffer.allocateDirect(pageBytes());
        }
        store.readRun(first, targets, pages);
        long value = valueOf(first, targets[0]);
        for (int i = 1; i < pages; i++) {
            assertThat(valueOf(first + i, targets[i]))
                    .as("page %d of the run from %d", i, first)
                    .isEqualTo(value + i);
        }
        return value;
    }

    private long valueOf(long page, ByteBuffer bytes) {
        assertThat(bytes.remaining()).as("all of the page is read").isZero();
        int first = 0;
        while (isOwnByte(first) || isOwnByte(first + Long.BYTES - 1)) {
            first += Long.BYTES;
        }
        long value = bytes.getLong(first);
        for (int at = 0; at < pageBytes(); at++) {
            byte expected = (byte) (value >>> (Byte.SIZE * (Long.BYTES - 1 - at % Long.BYTES)));
            if (bytes.get(at) != expected && !isOwnByte(at)) {
                throw new AssertionError("page " + page + " is a mixture of " + value + " and "
                        + bytes.getLong(at / Long.BYTES * Long.BYTES));
            }
        }
        return value;
    }

    final void assertNeverWritten(PageStore store, long page) throws IOException {
        if (showsPagesNeverWritten()) {
            assertThat(read(store, page))
                    .as("page %d, which was never written", page)
                    .isZero();
        } else {
            assertThatThrownBy(() -> read(store, page))
                    .as("page %d, which was never written", page)
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(EOFException.class)
                    .hasMessageContaining(store.name())
                    .hasMessageContaining(String.valueOf(page));
        }
    }

    /** Pages of the values first, first + 1 and so on, in one buffer. */
    final ByteBuffer run(boolean direct, int pages, long first) {
        ByteBuffer bytes = allocate(direct, pages * pageBytes());
        for (int page = 0; page < pages; page++) {
            fill(bytes.limit((page + 1) * pageBytes()), first + page);
        }
        return bytes.flip();
    }
}
