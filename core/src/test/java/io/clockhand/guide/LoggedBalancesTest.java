// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.PageId;
import io.clockhand.io.FileOption;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PagedFile;
import io.clockhand.page.WritablePage;
import io.clockhand.wal.LogFile;
import io.clockhand.wal.LogReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide's program with a log in files: a pool whose pages are changed after their records, and redone. */
class LoggedBalancesTest {
    private static final int LSN = 0;
    private static final int ACCOUNTS = 7;

    @TempDir
    private Path folder;

    private BufferPool pool(LogFile log) {
        return BufferPool.builder().frames(100).log(log).lsnOffset(LSN).build();
    }

    // tag::log[]
    private LogFile openLog(long durable) throws IOException {
        return LogFile.builder(folder.resolve("log"))
                .options(FileOption.CREATE)
                .durableEnd(durable) // from the master record: a log that ends before is refused
                .open();
    }

    private void redo(BufferPool pool, LogFile log, long from) throws IOException {
        try (LogReader records = log.newReader(from)) {
            while (records.next()) {
                redo(pool, records.lsn(), ByteBuffer.wrap(records.bytes()));
            }
        }
    }
    // end::log[]

    private static void redo(BufferPool pool, long lsn, ByteBuffer record) throws IOException {
        try (WritablePage page = pool.fixExclusive(record.getLong(0))) {
            page.beginRedo(lsn);
            if (page.getLong(LSN) < lsn) {
                page.putLong(16, record.getLong(8));
            }
            page.endUpdate(lsn);
        }
    }

    private static long deposit(BufferPool pool, LogFile log, long pageId, long amount) throws IOException {
        try (WritablePage page = pool.fixExclusive(pageId)) {
            page.beginUpdate();
            long balance = page.getLong(16) + amount;
            long lsn = log.append(
                    ByteBuffer.allocate(16).putLong(pageId).putLong(balance).flip());
            page.putLong(16, balance);
            page.endUpdate(lsn);
            return lsn;
        }
    }

    @Test
    void balancesAreRedoneFromTheFilesOfTheLog() throws IOException {
        Path path = folder.resolve("accounts.db");
        long redoFrom;
        long durable;
        try (LogFile log = openLog(0);
                BufferPool pool = pool(log)) {
            PagedFile accounts = pool.open(ACCOUNTS, path, FileOption.CREATE);
            accounts.create().close();
            accounts.create().close();
            deposit(pool, log, accounts.id(0), 10);
            deposit(pool, log, accounts.id(1), 20);
            accounts.flush();
            assertThat(log.durableEnd()).as("the log, before pages are written").isEqualTo(log.end());
            redoFrom = pool.checkpoint();
            log.reclaim(redoFrom);
            log.makeDurable(deposit(pool, log, accounts.id(0), 5));
            durable = log.durableEnd();
            pool.closeWithoutWriting();
        }

        try (LogFile log = openLog(durable);
                BufferPool pool = pool(log)) {
            PagedFile accounts = pool.open(ACCOUNTS, path);
            redo(pool, log, redoFrom);
            try (PageGuard first = pool.fix(accounts.id(0));
                    PageGuard second = pool.fix(PageId.of(ACCOUNTS, 1))) {
                assertThat(first.getLong(16)).isEqualTo(15);
                assertThat(second.getLong(16)).isEqualTo(20);
            }
            accounts.flush();
            assertThat(pool.checkpoint()).isEqualTo(log.end());
        }
    }
}
