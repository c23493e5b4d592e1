// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** Two threads remove neighbours at once: C and B of the chain D, C, B, A. */
abstract class ChainRemoval {
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final int D = 3;

    private final Chain chain;

    ChainRemoval(Chain chain) {
        this.chain = chain;
        for (int key = A; key <= D; key++) {
            chain.insert(key);
        }
    }

    final String removeNewer() {
        return remove(C);
    }

    final String removeOlder() {
        return remove(B);
    }

    /** {@return the keys that are found in the end} */
    final String left() {
        StringBuilder left = new StringBuilder();
        for (int key = D; key >= A; key--) {
            if (chain.contains(key)) {
                left.append("ABCD".charAt(key));
            }
        }
        return left.toString();
    }

    private String remove(int key) {
        if (!chain.remove(key)) {
            return "not found";
        }
        if (!chain.contains(A)) {
            return "A missed";
        }
        return chain.contains(key) ? "back" : "gone";
    }
}
