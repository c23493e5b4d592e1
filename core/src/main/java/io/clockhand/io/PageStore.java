// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One file of pages of fixed size, numbered from 0.
 *
 * <p>A store that passes calls on to another one extends {@link ForwardingPageStore}.
 *
 * <p>The contract, which the test kit's {@code PageStoreContract} tests:
 * <ul>
 * <li>Thread-safe; calls for different pages run concurrently.
 * <li>A read fills the whole target or throws: the store completes short reads of the device. The same holds for
 * writes.
 * <li>Every exception names the store and the page.
 * <li>An interrupt affects neither the interrupted thread's call nor other threads; the thread stays interrupted. (A
 * pool clears the flag before it calls, and sets it again afterwards.)
 * <li>A write behind the end extends the store; pages in between that were never written are zero.
 * <li>A page survives a crash of the machine only if {@link #force} has returned since it was written.
 * </ul>
 */
public interface PageStore extends Closeable {

    /** {@return what messages call the store, for a file its path} */
    String name();

    /** {@return the size of a page in bytes} */
    int pageBytes();

    /** {@return whether the store can only be read; false unless a store says otherwise} */
    default boolean isReadOnly() {
        return false;
    }

    /**
     * {@return whether the call that opened the store has made it, so that it never had a page before} False unless a
     * store says otherwise; a store that passes calls on to another one passes this on, too.
     */
    default boolean isNew() {
        return false;
    }

    /**
     * {@return whether a page must be written before it can be read, also if it is zero} True for a store with
     * checksums or encryption, false unless a store says otherwise. A pool that creates a page does not write it for
     * that, unless this is true; a store that passes calls on to another one passes this on, too.
     */
    default boolean needsFirstWrite() {
        return false;
    }

    /**
     * {@return whether pages that are not adjacent are better written by one {@link #writeBatch} than run by run} True
     * for a store that forces something for each call, as a {@link DoubleWritePageStore} does; false unless a store
     * says otherwise. The writer of a pool passes its batches as a whole if this is true. A store that passes calls on
     * to another one passes this and {@code writeBatch} on, too.
     */
    default boolean writesBatches() {
        return false;
    }

    /**
     * {@return the bytes of each page that the store itself writes} Nothing else may use them: a pool refuses a store
     * that writes where the pool keeps the LSN, for instance. None unless a store says otherwise; a store that passes
     * calls on to another one adds its own to those of the other.
     */
    default List<ByteRange> ownBytes() {
        return List.of();
    }

    /**
     * {@return how many pages there are}
     *
     * @throws IOException if that cannot be found out
     */
    long pages() throws IOException;

    /**
     * {@return whether the last page may be incomplete} False unless a store says otherwise. A store that passes calls
     * on to another one passes this, {@link #lengthBytes} and {@link #setLengthBytes} on, too, if it changes no bytes.
     */
    default boolean hasAnyLength() {
        return false;
    }

    /**
     * {@return the length in bytes: less than all {@link #pages} have if the last one is incomplete}
     *
     * @throws IOException if that cannot be found out
     */
    default long lengthBytes() throws IOException {
        return pages() * pageBytes();
    }

    /**
     * Sets the length in bytes. A store that becomes longer has zeros there.
     *
     * @param bytes the length: of as many pages, the last of which may be incomplete, as the store has
     * @throws UnsupportedOperationException if its last page cannot be incomplete
     * @throws IllegalArgumentException if that is another number of pages
     * @throws IOException if that failed
     */
    default void setLengthBytes(long bytes) throws IOException {
        throw new UnsupportedOperationException(name() + " has whole pages only");
    }

    /**
     * Reads a page. The store does not use the target after this has returned or thrown: a pool uses the memory for
     * another page then.
     *
     * @param page its number
     * @param target gets the bytes; {@code pageBytes} must remain in it, and none do afterwards
     * @throws IllegalArgumentException if the page is negative, or the target has space for more or less than a page
     * @throws java.io.EOFException if the store ends before the end of the page
     * @throws IOException if the read failed
     */
    void read(long page, ByteBuffer target) throws IOException;

    /**
     * {@return whether {@link #readRun} reads several pages at the cost of about one} False unless a store says
     * otherwise: then a pool reads pages one by one, several of them concurrently. A store that passes calls on to
     * another one passes this and {@code readRun} on, too.
     */
    default boolean readsRuns() {
        return false;
    }

    /**
     * Reads adjacent pages, one after the other, into the first target, then into the next ones. Unless a store does
     * better, each page is read by itself. The store uses neither the targets nor the array after this has returned or
     * thrown; it may set the marks of the targets.
     *
     * @param first the number of the first page
     * @param targets get the bytes; a multiple of {@code pageBytes} must remain in each, and nothing does afterwards.
     *     The array is not changed
     * @param count the number of targets, from the first on
     * @throws IllegalArgumentException if a page is negative, there are fewer targets or none, or one does not have
     *     space for one page or more
     * @throws java.io.EOFException if the store ends before the end of the last page
     * @throws IOException if a page could not be read; any target may hold anything, at any position. Nothing is known
     *     about the other pages, which may be read one by one
     */
    default void readRun(long first, ByteBuffer[] targets, int count) throws IOException {
        int pageBytes = pageBytes();
        PageBatch.checkTargets(first, targets, count, pageBytes, name());
        long page = first;
        for (int i = 0; i < count; i++) {
            int end = targets[i].limit();
            try {
                while (targets[i].position() < end) {
                    read(page++, targets[i].limit(targets[i].position() + pageBytes));
                }
            } finally {
                targets[i].limit(end);
            }
        }
    }

    /**
     * {@return whether something below this store reads ahead of reads in sequence, as an operating system does for its
     * cache} If not, a pool has the next run read by another thread meanwhile. True unless a store says otherwise; a
     * store that passes calls on to another one passes this on, too.
     */
    default boolean systemReadsAhead() {
        return true;
    }

    /**
     * Writes a page.
     *
     * @param page its number
     * @param source holds the bytes; {@code pageBytes} must remain in it, and none do afterwards
     * @throws IllegalArgumentException if the page is negative, or the source holds more or less than a page
     * @throws IOException if the write failed; any part of the page may have been written
     */
    void write(long page, ByteBuffer source) throws IOException;

    /**
     * Writes adjacent pages. Unless a store does better, each is written by itself.
     *
     * @param first the number of the first page
     * @param source holds the bytes of all pages; a multiple of {@code pageBytes} must remain in it, and nothing does
     *     afterwards
     * @throws IllegalArgumentException if the page is negative, or the source does not hold one page or more
     * @throws IOException if the write failed; any part of the pages may have been written
     */
    default void writeRun(long first, ByteBuffer source) throws IOException {
        int pageBytes = pageBytes();
        FilePageStore.checkRun(first, source, pageBytes, name());
        int end = source.limit();
        try {
            for (long page = first; source.position() < end; page++) {
                write(page, source.limit(source.position() + pageBytes));
            }
        } finally {
            source.limit(end);
        }
    }

    /**
     * Writes pages that need not be adjacent. Unless a store does better, each run of adjacent pages is written by
     * itself.
     *
     * @param pages has the numbers of the pages, in ascending order; not changed
     * @param from the index of the first number
     * @param to one behind the index of the last number
     * @param source holds the bytes of all these pages, one page after the other; {@code pageBytes} for each must
     *     remain in it, and nothing does afterwards
     * @throws IllegalArgumentException if there is no number, one is negative or not greater than that before it, or
     *     the source holds more or less than these pages
     * @throws IOException if the write failed; any part of any of the pages may have been written
     */
    default void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
        PageBatch.check(pages, from, to, source, pageBytes(), name());
        PageBatch.writeRuns(this, pages, from, to, source);
    }

    /**
     * Extends the store by pages that are zero, unless it has enough. Zeros are written, so that space is allocated and
     * a full disk is reported here, not by a later write. Unless a store does better, each page is written by itself.
     *
     * <p>Pages that exist may be read and written concurrently. The caller excludes other calls that change the length:
     * extensions, truncations, and writes behind the end.
     *
     * @param pages the number of pages that the store has afterwards, or more if it has more already
     * @throws IllegalArgumentException if it is negative
     * @throws IOException if a write failed; the store has been truncated to its former number of pages, of which the
     *     last may be whole now, unless the message states that this failed, too
     */
    default void extend(long pages) throws IOException {
        StoreExtension.extend(this, pages, ByteBuffer.allocate(pageBytes()).asReadOnlyBuffer());
    }

    /**
     * Truncates the store to its first pages.
     *
     * @param pages the number of pages that stay; not more than there are
     * @throws IllegalArgumentException if it is negative
     * @throws IOException if the truncation failed
     */
    void truncate(long pages) throws IOException;

    /**
     * Closes the store and deletes its pages. A store that holds no pages on a device is only closed.
     *
     * @throws IOException if that failed; it can be tried again
     */
    default void delete() throws IOException {
        close();
    }

    /**
     * Takes the store for one pool, until it is closed.
     *
     * @return false if a pool has it already
     */
    boolean tryOwn();

    /**
     * Brings everything written before the call to the device.
     *
     * @throws IOException if that failed; writes since the last success may be lost
     */
    void force() throws IOException;
}
