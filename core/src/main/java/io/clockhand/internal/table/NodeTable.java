// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

/**
 * Maps keys to entries that hold their own key. Linearizable; thread-safe. A lookup takes no lock.
 *
 * @param <K> the keys
 * @param <N> the entries
 */
public interface NodeTable<K, N extends ChainedTable.Node<K>> {
    /**
     * Looks a key up.
     *
     * @param key the key
     * @param tag the tag of the key, see {@link ChainedTable}
     * @return its entry, or null
     */
    N get(K key, long tag);

    /**
     * Inserts an entry unless the table has one with the same key.
     *
     * @param entry an entry that has never been in a table
     * @return whether this call inserted the entry; if not, the entry may be inserted later
     */
    boolean putIfAbsent(N entry);

    /**
     * Removes an entry.
     *
     * @param entry any entry
     * @return whether this call removed the entry
     */
    boolean remove(N entry);

    /** {@return the number of entries; exact only while no thread changes the table} */
    int size();
}
