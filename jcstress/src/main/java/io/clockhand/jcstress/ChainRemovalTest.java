// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.table.ChainedTable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * Neighbours in a chain, C and B of D, C, B, A, are removed concurrently: they stay out of it, and all others are still
 * found.
 */
@JCStressTest
@Outcome(id = "gone, gone, DA", expect = ACCEPTABLE, desc = "Both were removed once, and the others are there.")
@Outcome(expect = FORBIDDEN, desc = "A removal brought the neighbour back, or lost an entry that stays.")
@State
public class ChainRemovalTest {
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final int D = 3;
    /** Of all keys, so that they have one bucket. */
    private static final long TAG = Long.MIN_VALUE;

    private final ChainedTable<Integer, Node> table = new ChainedTable<>(4);
    private final Node[] nodes = new Node[4];

    private static final class Node extends ChainedTable.Node<Integer> {
        Node(int key) {
            super(key, TAG);
        }
    }

    public ChainRemovalTest() {
        for (int key = A; key <= D; key++) {
            nodes[key] = new Node(key);
            table.putIfAbsent(nodes[key]);
        }
    }

    private boolean contains(int key) {
        return table.get(key, TAG) != null;
    }

    private String remove(int key) {
        if (!table.remove(nodes[key])) {
            return "not found";
        }
        if (!contains(A)) {
            return "A missed";
        }
        return contains(key) ? "back" : "gone";
    }

    @Actor
    public void newer(LLL_Result r) {
        r.r1 = remove(C);
    }

    @Actor
    public void older(LLL_Result r) {
        r.r2 = remove(B);
    }

    @Arbiter
    public void end(LLL_Result r) {
        StringBuilder left = new StringBuilder();
        for (int key = D; key >= A; key--) {
            left.append(contains(key) ? "ABCD".substring(key, key + 1) : "");
        }
        r.r3 = left.toString();
    }
}
