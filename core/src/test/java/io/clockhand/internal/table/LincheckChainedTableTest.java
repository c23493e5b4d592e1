// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Two threads remove neighbours of a chain. */
class LincheckChainedTableTest {
    private static final int INVOCATIONS = 1_000;
    /** A tag that is a hash, so that all keys are in one chain. */
    private static final long HASH = Long.MIN_VALUE | 5;

    /** An entry. */
    private static final class Node extends ChainedTable.Node<Integer> {
        Node(int key) {
            super(key, HASH);
        }
    }

    /** The chain is 3, 2, 1, 0; the threads remove 2 and 1. */
    public static final class Meeting {
        private final ChainedTable<Integer, Node> table = new ChainedTable<>(1);
        private final Node[] nodes = new Node[4];
        private boolean removedTwo;
        private boolean removedOne;

        public Meeting() {
            for (int key = 0; key < nodes.length; key++) {
                nodes[key] = new Node(key);
                table.putIfAbsent(nodes[key]);
            }
        }

        @Operation(runOnce = true)
        public void two() {
            removedTwo = table.remove(nodes[2]);
        }

        @Operation(runOnce = true)
        public void one() {
            removedOne = table.remove(nodes[1]);
        }

        @Validate
        public void removedEntriesAreGone() {
            if (removedTwo == (table.get(2, HASH) != null) || removedOne == (table.get(1, HASH) != null)) {
                throw new IllegalStateException("an entry that was removed is in its chain again");
            }
            if (table.get(0, HASH) == null || table.get(3, HASH) == null) {
                throw new IllegalStateException("an entry that was not removed is gone");
            }
        }
    }

    @Test
    void neighboursThatAreRemovedAtOnceAreBothGone() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(2)
                .invocationsPerIteration(INVOCATIONS)
                .minimizeFailedScenario(false)
                .check(Meeting.class);
    }
}
