// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.wal.WideLsn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A page whose rows many threads update. Thread-safe; an {@link Updater} belongs to one thread. */
public abstract class HotPage implements AutoCloseable {
    final Rows rows;
    final Log log;
    final PagesOfPool pages;
    /** Of the page in the pool. */
    final long id;
    /** Whether the LSN is a {@link WideLsn}. */
    final boolean wide;

    HotPage(Rows rows, int lsnBytes, Log log, PagesOfPool pages) throws IOException {
        this.rows = rows;
        this.log = log;
        this.pages = pages;
        id = pages.create();
        wide = isWide(lsnBytes);
    }

    static boolean isWide(int lsnBytes) {
        return lsnBytes == WideLsn.BYTES;
    }

    /**
     * Makes what one thread updates its rows with; called by that thread, so that its state shares no line of the
     * processor's cache with that of others.
     *
     * @param thread from 0; no two have the same
     * @param counts whether it counts, which slows it
     */
    public abstract Updater updater(int thread, boolean counts);

    /**
     * Checks the page when all threads have ended, and ends its use: whether every row has the last value that its
     * thread wrote, and the LSN is the greatest.
     *
     * @param updaters of all threads
     * @return the first error in words, or null
     */
    public abstract String check(List<Updater> updaters) throws IOException;

    final String firstWrong(ByteBuffer page, List<Updater> updaters) {
        long greatest = 0;
        for (Updater updater : updaters) {
            String wrong = rows.firstWrong(page, updater.thread, updater.updates);
            if (wrong != null) {
                return wrong;
            }
            greatest = Math.max(greatest, updater.lastLsn);
        }
        long lsn = wide ? readWide(page) : page.getLong(Rows.LSN_OFFSET);
        return lsn == greatest ? null : "the page's LSN is " + lsn + ", and the greatest of a record is " + greatest;
    }

    @Override
    public final void close() throws IOException {
        pages.close();
    }

    // --- LSNs of ten bytes, in the order of the numbers that they stand for ------------------------------------------

    static long position(long lsn) {
        return lsn >>> (Short.SIZE - 1);
    }

    static int slot(long lsn) {
        return (int) lsn & Short.MAX_VALUE;
    }

    static long readWide(ByteBuffer page) {
        long position = (long) page.getInt(Rows.LSN_OFFSET) << Integer.SIZE
                | Integer.toUnsignedLong(page.getInt(Rows.LSN_OFFSET + Integer.BYTES));
        return position << (Short.SIZE - 1) | page.getShort(Rows.LSN_OFFSET + Long.BYTES);
    }

    static void writeWide(ByteBuffer page, long lsn) {
        page.putInt(Rows.LSN_OFFSET, (int) (position(lsn) >>> Integer.SIZE));
        page.putInt(Rows.LSN_OFFSET + Integer.BYTES, (int) position(lsn));
        page.putShort(Rows.LSN_OFFSET + Long.BYTES, (short) slot(lsn));
    }
}
