// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

/**
 * The one seam between a cache and its tables. Thread-safe; a look-up takes no lock.
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
     * Inserts an entry unless there is one with its key.
     *
     * @param entry an entry that was never in a table
     * @return whether it is in the table now; if not, it may be tried again
     */
    boolean putIfAbsent(N entry);

    /**
     * Removes an entry.
     *
     * @param entry any entry
     * @return whether it was in the table and this call has removed it
     */
    boolean remove(N entry);

    /** {@return the number of entries} */
    int size();
}
