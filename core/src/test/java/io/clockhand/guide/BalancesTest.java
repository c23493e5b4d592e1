// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PageId;
import io.clockhand.io.FileOption;
import io.clockhand.page.BufferPool;
import io.clockhand.page.MultiPageUpdate;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PagedFile;
import io.clockhand.page.WritablePage;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide's program that changes pages, with a log, a checkpoint, and redo after a crash. */
class BalancesTest {
    private static final int LSN = 0;
    private static final int ACCOUNTS = 7;

    @TempDir
    private Path folder;

    /** A balance in a page. */
    private record Balance(long pageId, int offset, long balance) {}

    /** The engine's log: what of it is durable survives {@link #crash}. An LSN is the number of a record, from 1. */
    private static final class Log implements WriteAheadLog {
        private final List<Change> changes = new ArrayList<>();
        private int durable;

        /** A record, of all that changes together. */
        private record Change(long lsn, List<Balance> balances) {}

        synchronized long append(Balance... balances) {
            changes.add(new Change(end(), List.of(balances)));
            return changes.size();
        }

        @Override
        public synchronized long end() {
            return changes.size() + 1L;
        }

        @Override
        public synchronized void makeDurable(long lsn) {
            durable = Math.max(durable, (int) lsn);
        }

        synchronized void crash() {
            changes.subList(durable, changes.size()).clear();
        }

        synchronized List<Change> from(long lsn) {
            return List.copyOf(changes.subList((int) lsn - 1, changes.size()));
        }
    }

    private final Log log = new Log();

    private BufferPool pool() {
        return BufferPool.builder().frames(100).log(log).lsnOffset(LSN).build();
    }

    // tag::change[]
    /** Adds to the balance of an account, and logs the new one. */
    private long deposit(BufferPool pool, long pageId, int offset, long amount) throws IOException {
        try (WritablePage page = pool.fixExclusive(pageId)) {
            page.beginUpdate(); // before the record is appended
            long balance = page.getLong(offset) + amount;
            long lsn = log.append(new Balance(pageId, offset, balance));
            page.putLong(offset, balance);
            page.endUpdate(lsn);
            return lsn;
        }
    }

    /**
     * Moves an amount to an account in another page: both balances change, or none. The first page is that with the
     * lesser id, so that no two threads wait for each other; a negative amount moves back.
     */
    private long transfer(BufferPool pool, long firstId, long secondId, int offset, long amount) throws IOException {
        try (WritablePage first = pool.fixExclusive(firstId);
                WritablePage second = pool.fixExclusive(secondId);
                MultiPageUpdate update = pool.beginUpdate(first, second)) {
            first.putLong(offset, first.getLong(offset) - amount);
            second.putLong(offset, second.getLong(offset) + amount);
            long lsn = log.append( // one record for all pages
                    new Balance(firstId, offset, first.getLong(offset)),
                    new Balance(secondId, offset, second.getLong(offset)));
            update.endUpdate(lsn);
            return lsn;
        }
    }

    /** Repeats the changes from the position of the last checkpoint that the files do not have. */
    private void redo(BufferPool pool, long from) throws IOException {
        for (Log.Change change : log.from(from)) {
            for (Balance balance : change.balances()) {
                try (WritablePage page = pool.fixExclusive(balance.pageId())) {
                    page.redo(change.lsn(), changed -> changed.putLong(balance.offset(), balance.balance()));
                }
            }
        }
    }
    // end::change[]

    @Test
    void balancesSurviveACrash() throws IOException {
        Path path = folder.resolve("accounts.db");
        long redoFrom;
        try (BufferPool pool = pool()) {
            PagedFile accounts = pool.open(ACCOUNTS, path, FileOption.CREATE);
            accounts.create().close();
            accounts.create().close();
            deposit(pool, accounts.id(0), 16, 10);
            deposit(pool, accounts.id(1), 16, 20);
            redoFrom = pool.checkpoint(log.end());
            deposit(pool, accounts.id(0), 16, 5);
            log.makeDurable(deposit(pool, accounts.id(1), 24, 7)); // this transaction commits
            log.makeDurable(transfer(pool, accounts.id(0), accounts.id(1), 16, 2)); // and this one
            deposit(pool, accounts.id(1), 16, 100); // this one does not
            pool.closeWithoutWriting();
        }
        log.crash();

        try (BufferPool pool = pool()) {
            PagedFile accounts = pool.open(ACCOUNTS, path);
            redo(pool, redoFrom);
            try (PageGuard first = pool.fix(accounts.id(0));
                    PageGuard second = pool.fix(PageId.of(ACCOUNTS, 1))) {
                assertThat(first.getLong(16)).isEqualTo(13);
                assertThat(second.getLong(16)).isEqualTo(22);
                assertThat(second.getLong(24)).isEqualTo(7);
            }
            accounts.flush();
            assertThat(pool.checkpoint()).isEqualTo(log.end());
        }
    }
}
