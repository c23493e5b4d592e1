// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;

/**
 * H2's MVStore with one map; with lazy commits it commits in the background. It has no transactions: a commit of a
 * store is one of all its maps and threads. So with forced commits several entries that belong together are set while
 * no other thread can commit; with lazy ones a crash may leave a part of them.
 */
final class MvStoreKv implements KvStore {
    private static final int SETTLING_MILLIS = 60_000;
    private static final int MEGABYTE = 1 << 20;

    private final MVStore store;
    private final MVMap<byte[], byte[]> map;
    private final boolean forced;
    /** Shared by threads that set one entry. */
    private final ReentrantReadWriteLock commits = new ReentrantReadWriteLock();

    MvStoreKv(Path folder, long cacheBytes, boolean forced) {
        this.forced = forced;
        MVStore.Builder builder = new MVStore.Builder()
                .fileName(folder.resolve("mvstore").toString())
                .cacheSize(Math.toIntExact(cacheBytes / MEGABYTE));
        store = (forced ? builder.autoCommitDisabled() : builder).open();
        map = store.openMap(
                "entries",
                new MVMap.Builder<byte[], byte[]>()
                        .keyType(ByteArrayDataType.INSTANCE)
                        .valueType(ByteArrayDataType.INSTANCE));
    }

    @Override
    public byte[] get(byte[] key) {
        return map.get(key);
    }

    @Override
    public void put(List<Map.Entry<byte[], byte[]>> entries) {
        if (forced) {
            commit(commits.writeLock(), entries);
        } else {
            entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
        }
    }

    @Override
    public void put(byte[] key, byte[] value) {
        if (forced) {
            commit(commits.readLock(), List.of(Map.entry(key, value)));
        } else {
            map.put(key, value);
        }
    }

    private void commit(Lock lock, List<Map.Entry<byte[], byte[]>> entries) {
        lock.lock();
        try {
            entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
            store.commit();
            store.sync();
        } finally {
            lock.unlock();
        }
    }

    /** What a fill has left is written anew, since the background would do so while others are measured. */
    @Override
    public void settle() {
        store.compactFile(SETTLING_MILLIS);
    }

    @Override
    public void scan(byte[] from, Visitor visitor) {
        Cursor<byte[], byte[]> cursor = map.cursor(from);
        while (cursor.hasNext()) {
            if (!visitor.visit(cursor.next(), cursor.getValue())) {
                return;
            }
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
