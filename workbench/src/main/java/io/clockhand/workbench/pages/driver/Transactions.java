// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import java.util.SplittableRandom;

/**
 * A stream of transactions, each of which refers to some pages. Tables lie in the leaves of B<sup>+</sup>-trees; the
 * way to a row goes by the root and an inner page. Not thread-safe.
 */
public abstract class Transactions implements PageStream {
    private static final int MOST_REFERENCES = 1024;

    private final SplittableRandom random;
    private final int[] pages = new int[MOST_REFERENCES];
    private int count;
    private int at;

    protected Transactions(SplittableRandom random) {
        this.random = random;
    }

    @Override
    public final long next() {
        if (at == count) {
            at = 0;
            count = 0;
            transact();
        }
        return pages[at++];
    }

    /** Refers to the pages of one transaction: to one at least, and to 1,024 at most. */
    protected abstract void transact();

    protected final SplittableRandom random() {
        return random;
    }

    /** Refers to a page; or changes it, if it is the complement of the page's number. */
    protected final void refer(int page) {
        pages[count++] = page;
    }

    /** Goes from the root to a leaf. */
    protected final void descend(Tree tree, int leaf) {
        refer(tree.root());
        refer(tree.innerPage(leaf));
        refer(tree.leafPage(leaf));
    }

    /**
     * Consecutive pages: the root, then the inner ones, then the leaves.
     *
     * @param inner how many inner pages there are
     * @param leaves how many leaves there are, numbered from 0
     */
    public record Tree(int root, int inner, int leaves) {
        private static final int FAN_OUT = 100;

        /** A tree on {@code pages} pages from {@code first} on. */
        public static Tree on(int first, int pages) {
            int inner = 1 + pages / FAN_OUT;
            return new Tree(first, inner, pages - inner - 1);
        }

        public int innerPage(int leaf) {
            return root + 1 + (int) ((long) leaf * inner / leaves);
        }

        public int leafPage(int leaf) {
            return root + 1 + inner + leaf;
        }

        /** The first page behind it. */
        public int end() {
            return leafPage(leaves);
        }
    }
}
