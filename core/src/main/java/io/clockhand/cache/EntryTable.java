// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.table.ChainedTable;
import java.util.concurrent.ConcurrentMap;

/** The one seam between the cache and its tables. Thread-safe; a look-up takes no lock. */
interface EntryTable<K, V> {
    /** {@return the entry of a key, or null} */
    Entry<K, V> get(K key, int hash);

    /** Inserts an entry that was never in a table, unless there is one with its key; tells whether it is there now. */
    boolean putIfAbsent(Entry<K, V> entry);

    /** Removes an entry, if it is there. */
    void remove(Entry<K, V> entry);

    int size();

    /** Clockhand's own. */
    static <K, V> EntryTable<K, V> chained(int capacity) {
        return new Chained<>(new ChainedTable<>(capacity));
    }

    /** On a map, which hashes the keys itself. */
    static <K, V> EntryTable<K, V> of(ConcurrentMap<K, Entry<K, V>> map) {
        return new Mapped<>(map);
    }

    /** See {@link #chained}. */
    record Chained<K, V>(ChainedTable<K, Entry<K, V>> table) implements EntryTable<K, V> {
        @Override
        public Entry<K, V> get(K key, int hash) {
            return table.get(key, hash);
        }

        @Override
        public boolean putIfAbsent(Entry<K, V> entry) {
            return table.putIfAbsent(entry);
        }

        @Override
        public void remove(Entry<K, V> entry) {
            table.remove(entry);
        }

        @Override
        public int size() {
            return table.size();
        }
    }

    /** See {@link #of}. */
    record Mapped<K, V>(ConcurrentMap<K, Entry<K, V>> map) implements EntryTable<K, V> {
        @Override
        public Entry<K, V> get(K key, int hash) {
            return map.get(key);
        }

        @Override
        public boolean putIfAbsent(Entry<K, V> entry) {
            return map.putIfAbsent(entry.key(), entry) == null;
        }

        @Override
        public void remove(Entry<K, V> entry) {
            map.remove(entry.key(), entry);
        }

        @Override
        public int size() {
            return map.size();
        }
    }
}
