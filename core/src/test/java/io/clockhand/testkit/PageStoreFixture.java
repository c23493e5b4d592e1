// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A page store in a test, and the pages that the test writes and reads. */
abstract class PageStoreFixture {
    protected abstract PageStore open() throws IOException;

    protected abstract int pageBytes();

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
        assertThat(bytes.remaining()).as("all of the page is read").isZero();
        long value = bytes.getLong(0);
        for (int at = 0; at < pageBytes(); at += Long.BYTES) {
            if (bytes.getLong(at) != value) {
                throw new AssertionError("page " + page + " is a mixture of " + value + " and " + bytes.getLong(at));
            }
        }
        return value;
    }
}
