// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import io.clockhand.internal.table.ChainedTable;
import io.clockhand.internal.table.MapTable;
import io.clockhand.internal.table.NodeTable;
import java.util.concurrent.ConcurrentHashMap;
import org.jctools.maps.NonBlockingHashMap;

/** The table in which a {@link HolderCache} looks keys up. None takes a lock to find a key. */
public enum KeyTable {
    /**
     * Clockhand's own: a table of fixed size whose chains run through the cache's entries, so that a look-up touches less
     * memory, and a miss allocates less; {@link HolderLifecycle#tagOf} says by what number keys are found. A short lock when a
     * key goes.
     */
    CHAINED("chained") {
        @Override
        <K, V> NodeTable<K, Entry<K, V>> create(int capacity) {
            return new ChainedTable<>(capacity);
        }
    },
    /**
     * The JDK's {@link ConcurrentHashMap}: a short lock on one bucket when a key comes or goes, and none of the
     * warnings that JDK-internal memory access brings on current JDKs.
     */
    CONCURRENT_HASH_MAP("concurrent-hash-map") {
        @Override
        <K, V> NodeTable<K, Entry<K, V>> create(int capacity) {
            return new MapTable<>(new ConcurrentHashMap<>(capacity));
        }
    },
    /**
     * Cliff Click's non-blocking hash table, the paper's, in JCTools' implementation. It uses memory access inside the JDK,
     * so JDK 24 and later print a warning.
     */
    NON_BLOCKING_HASH_MAP("non-blocking-hash-map") {
        @Override
        <K, V> NodeTable<K, Entry<K, V>> create(int capacity) {
            return new MapTable<>(new NonBlockingHashMap<>(capacity));
        }
    };

    /** The table that is used where none is named. */
    public static final KeyTable DEFAULT = CHAINED;

    private final String label;

    KeyTable(String label) {
        this.label = label;
    }

    /** {@return the name under which options know this table} */
    public String label() {
        return label;
    }

    abstract <K, V> NodeTable<K, Entry<K, V>> create(int capacity);
}
