// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cojen.tupl.Cursor;
import org.cojen.tupl.Database;
import org.cojen.tupl.DatabaseConfig;
import org.cojen.tupl.DurabilityMode;
import org.cojen.tupl.Index;
import org.cojen.tupl.Transaction;

/** TuplDB with one index, and its own checkpoints. */
final class TuplKv implements KvStore {
    private final Database database;
    private final Index index;

    TuplKv(Path folder, long cacheBytes, boolean forced) throws IOException {
        database = Database.open(new DatabaseConfig()
                .baseFile(folder.resolve("tupl").toFile())
                .minCacheSize(cacheBytes)
                .maxCacheSize(cacheBytes)
                .lockTimeout(1, TimeUnit.MINUTES) // a duel stops the process for longer than a second
                .durabilityMode(forced ? DurabilityMode.SYNC : DurabilityMode.NO_FLUSH));
        index = database.openIndex("entries");
    }

    @Override
    public byte[] get(byte[] key) throws IOException {
        return index.load(null, key);
    }

    @Override
    public void put(List<Map.Entry<byte[], byte[]>> entries) throws IOException {
        Transaction transaction = database.newTransaction();
        try {
            for (Map.Entry<byte[], byte[]> entry : entries) {
                index.store(transaction, entry.getKey(), entry.getValue());
            }
            transaction.commit();
        } finally {
            transaction.reset();
        }
    }

    @Override
    public void put(byte[] key, byte[] value) throws IOException {
        index.store(null, key, value);
    }

    @Override
    public void scan(byte[] from, Visitor visitor) throws IOException {
        Cursor cursor = index.newCursor(null);
        try {
            cursor.findGe(from);
            while (cursor.key() != null && visitor.visit(cursor.key(), cursor.value())) {
                cursor.next();
            }
        } finally {
            cursor.reset();
        }
    }

    @Override
    public void close() throws IOException {
        database.checkpoint();
        database.close();
    }
}
