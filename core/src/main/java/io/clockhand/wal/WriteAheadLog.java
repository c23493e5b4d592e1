// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.wal;

import java.io.IOException;

/**
 * The write-ahead log of an engine, as far as the pool needs it. The pool keeps the rule that gives the log its name: a
 * page is written to its file only after the log is durable up to the last change of the page.
 *
 * <p>A log sequence number (LSN) is a position in the log: not negative, less than {@link Long#MAX_VALUE}, and greater
 * for a later record, also after a restart. An engine that compares LSNs with those in pages begins above 0, since a
 * new page has 0.
 *
 * <p><b>The duty of the engine.</b> {@link #end} and the append of a record are ordered as volatile accesses are: a
 * thread that appends a record makes the new end visible before the append returns, and {@link #end} never returns more
 * than the LSN of a record that is appended after it was called. A log that counts its end by an atomic add, or under a
 * lock, has that.
 *
 * <p>Both methods are called by many threads at once: those of the engine that change a page, need a frame, flush or
 * close, and those of the pool. No lock of the pool is held, but the caller may have a latch on a page, so neither may
 * use the pool. The interrupt flag of the thread is cleared before a call and set again after it, so a log on a
 * {@link java.nio.channels.FileChannel} is not closed by an interrupt that came before.
 */
public interface WriteAheadLog {

    /** For engines without a log: its end is 0, and all of it is durable. */
    WriteAheadLog NONE = new WriteAheadLog() {
        @Override
        public long end() {
            return 0;
        }

        @Override
        public void makeDurable(long lsn) {
            // there are no records
        }

        @Override
        public String toString() {
            return "no log";
        }
    };

    /**
     * {@return where the log ends: no record that is appended later has a lesser LSN} Called at the begin and at the
     * end of each update, so it must not wait. If the pool stores LSNs in pages, the log must end behind each record
     * that redo repeats.
     */
    long end();

    /**
     * Makes the log durable: when this returns, every record whose LSN is not greater than {@code lsn} survives a crash
     * of the machine.
     *
     * @param lsn the LSN of a record that was appended
     * @throws IOException if that failed; the pages of the batch stay dirty, and are written later
     */
    void makeDurable(long lsn) throws IOException;
}
