// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import java.util.concurrent.ConcurrentMap;

/**
 * A map as a table. The map hashes the keys itself.
 *
 * @param map the map, empty and used by nobody else
 * @param <K> the keys
 * @param <N> the entries
 */
public record MapTable<K, N extends ChainedTable.Node<K>>(ConcurrentMap<K, N> map) implements NodeTable<K, N> {
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
