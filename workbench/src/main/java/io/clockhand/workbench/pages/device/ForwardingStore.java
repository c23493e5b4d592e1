// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A store that passes every call on to another one, which may differ from call to call. */
public abstract class ForwardingStore implements PageStore {

    /** {@return the store that gets the next call} */
    protected abstract PageStore target();

    @Override
    public String name() {
        return target().name();
    }

    @Override
    public int pageBytes() {
        return target().pageBytes();
    }

    @Override
    public boolean isReadOnly() {
        return target().isReadOnly();
    }

    @Override
    public boolean isNew() {
        return target().isNew();
    }

    @Override
    public boolean needsFirstWrite() {
        return target().needsFirstWrite();
    }

    @Override
    public boolean writesBatches() {
        return target().writesBatches();
    }

    @Override
    public long pages() throws IOException {
        return target().pages();
    }

    @Override
    public void read(long page, ByteBuffer bytes) throws IOException {
        target().read(page, bytes);
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        target().write(page, source);
    }

    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        target().writeRun(first, source);
    }

    @Override
    public void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
        target().writeBatch(pages, from, to, source);
    }

    @Override
    public void extend(long pages) throws IOException {
        target().extend(pages);
    }

    @Override
    public void truncate(long pages) throws IOException {
        target().truncate(pages);
    }

    @Override
    public void delete() throws IOException {
        target().delete();
    }

    @Override
    public boolean tryOwn() {
        return target().tryOwn();
    }

    @Override
    public void force() throws IOException {
        target().force();
    }

    @Override
    public void close() throws IOException {
        target().close();
    }
}
