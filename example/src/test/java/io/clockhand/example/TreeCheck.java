// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PagedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Checks the form of a tree that nobody changes: levels, the order of keys, the bounds that the parents give them, the
 * space in each node, and that each page is reached exactly once.
 */
final class TreeCheck {
    private final BufferPool pool;
    private final PagedFile file;
    private final BitSet reached = new BitSet();
    private long entries;

    private TreeCheck(Store store) {
        this.pool = store.pool;
        this.file = pool.file(1).orElseThrow();
    }

    /** Checks a tree. {@return the number of its entries} */
    static long check(Store store) throws IOException {
        TreeCheck check = new TreeCheck(store);
        check.node(0, -1, new byte[0], null);
        assertThat((long) check.reached.cardinality())
                .as("pages that are reached")
                .isEqualTo(store.tree.pages);
        assertThat(check.file.pages()).as("pages of the file").isGreaterThanOrEqualTo(store.tree.pages);
        for (long unused = store.tree.pages; unused < check.file.pages(); unused++) {
            try (PageGuard page = check.pool.fix(check.file.id(unused))) {
                assertThat(page.getLong(Node.LSN))
                        .as("LSN of the unused page %d", unused)
                        .isZero();
            }
        }
        store.pool.checkIntegrity();
        return check.entries;
    }

    private void node(long number, int expectedLevel, byte[] low, byte[] high) throws IOException {
        assertThat(reached.get((int) number))
                .as("page %d was reached before", number)
                .isFalse();
        reached.set((int) number);
        List<byte[]> keys = new ArrayList<>();
        List<Long> children = new ArrayList<>();
        int level;
        try (PageGuard node = pool.fix(file.id(number))) {
            level = Node.level(node);
            if (expectedLevel >= 0) {
                assertThat(level).as("level of page %d", number).isEqualTo(expectedLevel);
            }
            int used = 0;
            for (int slot = 0; slot < Node.count(node); slot++) {
                keys.add(Node.key(node, slot));
                used += Node.entryBytes(keys.get(slot).length, Node.value(node, slot).length);
                if (level > 0) {
                    children.add(Node.child(node, slot));
                }
            }
            assertThat(Node.free(node) + used)
                    .as("space in page %d", number)
                    .isEqualTo(Node.end(pool.pageBytes()) - 16);
        }
        for (int i = 0; i < keys.size(); i++) {
            byte[] key = keys.get(i);
            int order = Arrays.compareUnsigned(i == 0 ? low : keys.get(i - 1), key);
            assertThat(order).as("order of key %d of page %d", i, number).isLessThan(i == 0 ? 1 : 0);
            if (high != null) {
                assertThat(Arrays.compareUnsigned(key, high))
                        .as("bound of key %d of page %d", i, number)
                        .isNegative();
            }
        }
        if (level == 0) {
            entries += keys.size();
        }
        for (int i = 0; i < children.size(); i++) {
            node(children.get(i), level - 1, keys.get(i), i + 1 < keys.size() ? keys.get(i + 1) : high);
        }
    }
}
