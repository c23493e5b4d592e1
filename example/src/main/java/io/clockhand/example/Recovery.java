// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import io.clockhand.wal.LogFile;
import io.clockhand.wal.LogReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Shows recovery: analysis, redo and undo. Source: Mohan et al., ARIES, TODS 17(1), 1992, §6. Redo repeats history: the
 * changes of all transactions, so that the tree is what it was when the machine crashed; then undo takes back those of
 * the losers, the transactions that have not ended.
 *
 * <p>Unlike in ARIES, analysis and redo are one pass. The pool knows where redo begins, so the analysis need not find
 * the dirty pages; and it keeps the changes of transactions whose end it has not seen, so undo need not follow them
 * backwards in the log. Therefore it begins to read at the first record of the oldest transaction that was active at
 * the checkpoint.
 */
final class Recovery {
    /** The changes, the last one first, of each transaction of which no end was read. */
    private final Map<Long, Deque<LogRecord.Change>> losers = new HashMap<>();

    private long greatestTransaction;

    /** Recovers. {@return the greatest number of a transaction that was met} */
    static long run(LogFile log, Tree tree, MasterRecord.Checkpoint checkpoint) throws IOException {
        Recovery recovery = new Recovery();
        tree.pages = checkpoint.pages();
        try (LogReader reader = log.newReader(checkpoint.scanLsn())) {
            while (reader.next()) {
                LogRecord record = LogRecord.unpack(reader.bytes());
                recovery.analyse(record);
                if (reader.lsn() >= checkpoint.redoLsn()) {
                    tree.redo(reader.lsn(), record);
                }
            }
        }
        tree.endRedo();
        for (Map.Entry<Long, Deque<LogRecord.Change>> loser : recovery.losers.entrySet()) {
            tree.undo(loser.getKey(), loser.getValue()); // without locks: no other transaction has begun
        }
        return recovery.greatestTransaction;
    }

    private void analyse(LogRecord record) {
        if (record instanceof LogRecord.Change change) {
            greatestTransaction = Math.max(greatestTransaction, change.transaction());
            Deque<LogRecord.Change> changes = losers.computeIfAbsent(change.transaction(), id -> new ArrayDeque<>());
            if (change.isCompensation()) {
                changes.poll(); // null if the change was not read, which is so only if the transaction has ended
            } else {
                changes.push(change);
            }
        } else if (record instanceof LogRecord.End end) {
            losers.remove(end.transaction());
        }
    }
}
