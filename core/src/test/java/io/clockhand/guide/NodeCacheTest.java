// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.cache.HolderCache;
import io.clockhand.cache.HolderLifecycle;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The cache of decoded nodes of the guide. */
class NodeCacheTest {
    /** A decoded node: a set of entries. */
    static final class Node {
        long key;
        volatile boolean dirty;
        private final TreeSet<Integer> entries = new TreeSet<>();

        void reset(long to) {
            key = to;
            dirty = false;
            entries.clear();
        }

        void insert(int entry) {
            entries.add(entry);
        }
    }

    /** Nodes in their stored form. */
    static final class NodeFile {
        private final Map<Long, String> stored = new ConcurrentHashMap<>();

        boolean read(long number, Node node) throws IOException {
            String text = stored.get(number);
            if (text == null) {
                return false;
            }
            if (text.isBlank()) {
                throw new IOException("node " + number + " is torn");
            }
            node.reset(number);
            Arrays.stream(text.split(" ")).map(Integer::valueOf).forEach(node::insert);
            return true;
        }

        void write(Node node) {
            stored.put(node.key, node.entries.toString().replaceAll("[\\[\\],]", ""));
        }
    }

    // tag::lifecycle[]
    /** Loads and writes nodes of a tree; keys are the numbers of their pages. */
    static final class NodeLifecycle implements HolderLifecycle<Long, Node, IOException> {
        private final NodeFile file;

        NodeLifecycle(NodeFile file) {
            this.file = file;
        }

        @Override
        public Node allocate() {
            return new Node();
        }

        @Override
        public Node load(Node node, Long key) throws IOException {
            return file.read(key, node) ? node : null; // null: no such node, nothing is cached
        }

        @Override
        public Node create(Node node, Long key, Object parameter) {
            node.reset(key);
            node.dirty = true;
            return node;
        }

        @Override
        public Long keyOf(Node node) {
            return node.key;
        }

        @Override
        public long idOf(Long key) {
            return key; // not negative: equal numbers mean equal keys
        }

        @Override
        public boolean isDirty(Node node) {
            return node.dirty; // volatile: any thread may ask, at any time
        }

        @Override
        public void clean(Node node, boolean removing) throws IOException {
            synchronized (node) { // no change between the write and the flag
                file.write(node);
                node.dirty = false;
            }
        }

        @Override
        public void clear(Node node) {
            node.reset(-1);
        }
    }
    // end::lifecycle[]

    @Test
    void changedNodeIsWrittenBack() throws IOException {
        NodeFile file = new NodeFile();
        file.stored.put(42L, "1 3");
        int entry = 2;

        // tag::use[]
        HolderCache<Long, Node, IOException> nodes =
                HolderCache.builder(new NodeLifecycle(file)).frames(10_000).build();

        Node node = nodes.find(42L); // found or loaded, and pinned; null if there is none
        if (node != null) {
            try {
                synchronized (node) {
                    node.insert(entry);
                    node.dirty = true;
                }
            } finally {
                nodes.release(node); // unpinned: it may be evicted from now on
            }
        }
        nodes.close(); // writes dirty nodes back and drops all
        // end::use[]

        assertThat(file.stored).containsEntry(42L, "1 2 3");
    }

    @Test
    void absentNodeIsNotCached() throws IOException {
        HolderCache<Long, Node, IOException> nodes =
                HolderCache.builder(new NodeLifecycle(new NodeFile())).build();

        assertThat(nodes.find(7L)).isNull();
        Node node = nodes.create(7L, null);
        assertThat(nodes.findCached(7L)).isSameAs(node);
        nodes.release(node);
        nodes.release(node);
        nodes.close();
    }
}
