// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One file of pages of fixed size, numbered from 0.
 *
 * <p>What a store promises:
 * <ul>
 * <li>Thread-safe; calls for different pages run at the same time.
 * <li>A read fills the whole target or throws; short reads of the device are completed. The same for writes.
 * <li>Every exception names the store and the page.
 * <li>An interrupt of one thread disturbs neither its own call nor those of others; it is kept.
 * <li>A write beyond the end extends the store; pages between that were never written are zero.
 * <li>What was written is there after a crash of the machine only after {@link #force} has returned.
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
     * {@return how many pages there are}
     *
     * @throws IOException if that cannot be found out
     */
    long pages() throws IOException;

    /**
     * Reads a page.
     *
     * @param page its number
     * @param target gets the bytes; {@code pageBytes} must remain in it, and none do afterwards
     * @throws java.io.EOFException if the store ends before the end of the page
     * @throws IOException if the read failed
     */
    void read(long page, ByteBuffer target) throws IOException;

    /**
     * Writes a page.
     *
     * @param page its number
     * @param source holds the bytes; {@code pageBytes} must remain in it, and none do afterwards
     * @throws IOException if the write failed; any part of the page may have been written
     */
    void write(long page, ByteBuffer source) throws IOException;

    /**
     * Cuts the store off behind its first pages.
     *
     * @param pages how many stay; no more than there are
     * @throws IOException if that failed
     */
    void truncate(long pages) throws IOException;

    /**
     * Closes the store and deletes what it holds. What is not kept on a device need not be deleted: such a store is
     * closed.
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
     * @throws IOException if that failed; what was written since the last success may be lost
     */
    void force() throws IOException;
}
