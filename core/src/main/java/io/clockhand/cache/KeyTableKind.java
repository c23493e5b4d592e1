// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.table.ChainedTable;
import io.clockhand.internal.table.NodeTable;
import io.clockhand.internal.table.NonBlockingTables;

/** The table in which a {@link HolderCache} looks keys up. No table takes a lock to find a key. */
public enum KeyTableKind {
    /**
     * Clockhand's own table: its size is fixed, and its chains run through the cache's entries, so a lookup touches
     * less memory and a miss allocates less. It finds keys by the number that {@link HolderLifecycle#idOf} gives.
     * Removing a key takes a short lock.
     */
    CHAINED("chained") {
        @Override
        <K, V> NodeTable<K, Entry<K, V>> create(int capacity) {
            return new ChainedTable<>(capacity);
        }
    },
    /**
     * The table of the Nb-GCLOCK paper: Cliff Click's non-blocking hash map in JCTools' implementation.
     *
     * <p>It needs the artifact {@code org.jctools:jctools-core}, an optional dependency; as a module, {@code
     * org.jctools.core} must be in the module graph ({@code --add-modules}). Without it the cache cannot be built.
     * JDK 24 and later print a warning, since JCTools uses {@code Unsafe}.
     */
    NON_BLOCKING_HASH_MAP("non-blocking-hash-map") {
        @Override
        <K, V> NodeTable<K, Entry<K, V>> create(int capacity) {
            return NonBlockingTables.nodeTable(capacity);
        }
    };

    /** The table of a cache that names none. */
    public static final KeyTableKind DEFAULT = CHAINED;

    private final String label;

    KeyTableKind(String label) {
        this.label = label;
    }

    /** {@return the name of this table in options} */
    public String label() {
        return label;
    }

    abstract <K, V> NodeTable<K, Entry<K, V>> create(int capacity);
}
