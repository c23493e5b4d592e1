// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.jctools;

import io.clockhand.internal.table.ChainedTable;
import io.clockhand.internal.table.NodeTable;
import org.jctools.maps.NonBlockingHashMap;

/**
 * A table of entries on Cliff Click's non-blocking hash map, in JCTools' implementation. The map hashes the keys
 * itself and ignores tags. JDK 24 and later print a warning, since JCTools uses {@code Unsafe}.
 *
 * @param <K> the keys
 * @param <N> the entries
 */
public final class NonBlockingNodeTable<K, N extends ChainedTable.Node<K>> implements NodeTable<K, N> {
    private final NonBlockingHashMap<K, N> map;

    /**
     * Creates an empty table.
     *
     * @param capacity the number of entries that the table has space for before it grows
     */
    public NonBlockingNodeTable(int capacity) {
        this.map = new NonBlockingHashMap<>(capacity);
    }

    @Override
    public N get(K key, long tag) {
        return map.get(key);
    }

    @Override
    public boolean putIfAbsent(N entry) {
        return map.putIfAbsent(entry.key(), entry) == null;
    }

    @Override
    public boolean remove(N entry) {
        return map.remove(entry.key(), entry);
    }

    @Override
    public int size() {
        return map.size();
    }
}
