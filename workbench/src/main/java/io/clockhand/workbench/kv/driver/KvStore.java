// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A store of one of the engines. Thread-safe; each call is a transaction of its own. */
interface KvStore extends AutoCloseable {

    /** {@return the value of a key, or null} */
    byte[] get(byte[] key) throws IOException;

    /** Sets all of these entries, or none if this is interrupted by a crash. */
    void put(List<Map.Entry<byte[], byte[]>> entries) throws IOException;

    void put(byte[] key, byte[] value) throws IOException;

    /** Visits entries, which lie in arrays of the engine's, and returns whether to go on. */
    interface Visitor {
        boolean visit(byte[] key, int keyAt, int keyLength, byte[] value, int valueAt, int valueLength);

        /** Visits an entry with arrays of its own. */
        default boolean visit(byte[] key, byte[] value) {
            return visit(key, 0, key.length, value, 0, value.length);
        }
    }

    /** Visits entries in the order of their keys, from a key on, as long as the visitor wants. */
    void scan(byte[] from, Visitor visitor) throws IOException;

    /** Brings a store that was filled to the size that it has after a while. */
    default void settle() {}

    @Override
    void close() throws Exception;

    /**
     * Opens or creates a store.
     *
     * @param cacheBytes the memory for pages
     * @param forced whether a transaction is durable when its call returns
     */
    static KvStore open(Engine engine, Path folder, long cacheBytes, boolean forced) throws IOException {
        return switch (engine) {
            case EXAMPLE -> new ExampleKv(folder, cacheBytes, forced);
            case TUPL -> new TuplKv(folder, cacheBytes, forced);
            case MVSTORE -> new MvStoreKv(folder, cacheBytes, forced);
            case XODUS -> new XodusKv(folder, cacheBytes, forced);
        };
    }
}
