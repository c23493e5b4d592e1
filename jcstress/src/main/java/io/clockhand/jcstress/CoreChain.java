// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.table.ChainedTable;

/** A bucket of core's table: all keys have one hash. */
final class CoreChain implements Chain {
    private static final int KEYS = 4;
    private static final long HASH = Long.MIN_VALUE;

    private final ChainedTable<Integer, Node> table = new ChainedTable<>(KEYS);
    private final Node[] nodes = new Node[KEYS];

    private static final class Node extends ChainedTable.Node<Integer> {
        Node(int key) {
            super(key, HASH);
        }
    }

    @Override
    public void insert(int key) {
        nodes[key] = new Node(key);
        if (!table.putIfAbsent(nodes[key])) {
            throw new IllegalStateException("key " + key + " is there already");
        }
    }

    @Override
    public boolean remove(int key) {
        return table.remove(nodes[key]);
    }

    @Override
    public boolean contains(int key) {
        return table.get(key, HASH) != null;
    }
}
