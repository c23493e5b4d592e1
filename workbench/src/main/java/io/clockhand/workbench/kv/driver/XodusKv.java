// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;

/** JetBrains Xodus with one store, without prefixed keys, and with its own collector of garbage. */
final class XodusKv implements KvStore {
    private final Environment environment;
    private final Store store;

    XodusKv(Path folder, long cacheBytes, boolean forced) {
        environment = Environments.newInstance(
                folder.toFile(),
                new EnvironmentConfig()
                        .setMemoryUsage(cacheBytes)
                        .setLogDurableWrite(forced)
                        .setEnvCloseForcedly(true));
        store = environment.computeInTransaction(
                transaction -> environment.openStore("entries", StoreConfig.WITHOUT_DUPLICATES, transaction));
    }

    @Override
    public byte[] get(byte[] key) {
        return environment.computeInReadonlyTransaction(
                transaction -> bytes(store.get(transaction, new ArrayByteIterable(key))));
    }

    private static byte[] bytes(ByteIterable iterable) {
        return iterable == null ? null : Arrays.copyOf(iterable.getBytesUnsafe(), iterable.getLength());
    }

    @Override
    public void put(List<Map.Entry<byte[], byte[]>> entries) {
        environment.executeInTransaction(transaction -> entries.forEach(entry -> store.put(
                transaction, new ArrayByteIterable(entry.getKey()), new ArrayByteIterable(entry.getValue()))));
    }

    @Override
    public void put(byte[] key, byte[] value) {
        environment.executeInTransaction(
                transaction -> store.put(transaction, new ArrayByteIterable(key), new ArrayByteIterable(value)));
    }

    @Override
    public void scan(byte[] from, Visitor visitor) {
        environment.executeInReadonlyTransaction(transaction -> {
            try (Cursor cursor = store.openCursor(transaction)) {
                boolean more = cursor.getSearchKeyRange(new ArrayByteIterable(from)) != null;
                while (more && visit(cursor.getKey(), cursor.getValue(), visitor)) {
                    more = cursor.getNext();
                }
            }
        });
    }

    private static boolean visit(ByteIterable key, ByteIterable value, Visitor visitor) {
        return visitor.visit(key.getBytesUnsafe(), 0, key.getLength(), value.getBytesUnsafe(), 0, value.getLength());
    }

    @Override
    public void settle() {
        environment.gc();
    }

    @Override
    public void close() {
        environment.close();
    }
}
