// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * The base of a store that passes calls on to another one: all questions about the store, {@link #truncate}, {@link
 * #force} and the calls that end it. A subclass implements {@link #read} and {@link #write}, through which all other
 * reads and writes go that it does not override, {@link #extend} among them. So a store that changes the bytes of pages
 * changes them in every case.
 *
 * <p>Two questions are not passed on, since their answers depend on the subclass. Its last page cannot be incomplete
 * unless it passes {@link #hasAnyLength}, {@link #lengthBytes} and {@link #setLengthBytes} on. Its runs are read page
 * by page: if it overrides {@link #readRun}, it passes {@link #readsRuns} on, too.
 *
 * <p>Thread-safe if the other store is.
 */
public abstract class ForwardingPageStore implements PageStore {
    /** Gets the calls. */
    protected final PageStore store;

    /**
     * Makes a store.
     *
     * @param store gets the calls; closed and deleted with this one
     */
    protected ForwardingPageStore(PageStore store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    @Override
    public String name() {
        return store.name();
    }

    @Override
    public int pageBytes() {
        return store.pageBytes();
    }

    @Override
    public boolean isReadOnly() {
        return store.isReadOnly();
    }

    @Override
    public boolean isNew() {
        return store.isNew();
    }

    @Override
    public boolean needsFirstWrite() {
        return store.needsFirstWrite();
    }

    @Override
    public boolean writesBatches() {
        return store.writesBatches();
    }

    @Override
    public boolean systemReadsAhead() {
        return store.systemReadsAhead();
    }

    @Override
    public List<ByteRange> ownBytes() {
        return store.ownBytes();
    }

    @Override
    public long pages() throws IOException {
        return store.pages();
    }

    @Override
    public void truncate(long pages) throws IOException {
        store.truncate(pages);
    }

    @Override
    public void delete() throws IOException {
        store.delete();
    }

    @Override
    public boolean tryOwn() {
        return store.tryOwn();
    }

    @Override
    public void force() throws IOException {
        store.force();
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
