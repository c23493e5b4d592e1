// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

/**
 * Which references to rows are writes; each is drawn by lot.
 *
 * @param kept the part of the rows that TPC-C changes which are changed, from 0 to 1
 * @param added the part of the rows that TPC-C only reads which are changed nevertheless, from 0 to 1
 */
public record WriteMix(double kept, double added) {
    /** As TPC-C does it: two page reads for each page write. */
    public static final WriteMix TPCC = new WriteMix(1, 0);

    /** Page writes for each page read of {@link #TPCC}. */
    private static final double OF_TPCC = 0.5;

    /** A page that is referred to again before its eviction is dirty more often than one lot says: fitted. */
    private static final double OF_KEPT = 1.3;

    private static final double OF_ADDED = 1.17;

    /** Throws {@link IllegalArgumentException} if one of them is not a part. */
    public WriteMix {
        if (!(kept >= 0 && kept <= 1 && added >= 0 && added <= 1)) {
            throw new IllegalArgumentException("no parts of the references: " + kept + " and " + added);
        }
    }

    /**
     * The mix with a ratio of page reads to page writes, as in Fig. 8 of the paper. It is the ratio of misses to
     * evictions of dirty pages in an LRU pool with a tenth of the pages, to 6 %. It is not the ratio of references, of
     * which most are reads of pages that are in memory. Another size of the pool, another policy, and checkpoints have
     * other ratios with the same mix.
     *
     * <p>The paper changes the parts of the transactions for that; here those stay as they are, so that the skew does.
     *
     * @param readsPerWrite from 1, for example 2 for 2:1, which is {@link #TPCC}
     * @throws IllegalArgumentException if it is less: a page is written once at most for each time that it is read
     */
    public static WriteMix ofRatio(double readsPerWrite) {
        if (!(readsPerWrite >= 1)) {
            throw new IllegalArgumentException(
                    "page reads for each page write must be 1 or more, not " + readsPerWrite);
        }
        double dirty = 1 / readsPerWrite;
        return dirty <= OF_TPCC
                ? new WriteMix(Math.pow(dirty / OF_TPCC, OF_KEPT), 0)
                : new WriteMix(1, Math.pow((dirty - OF_TPCC) / (1 - OF_TPCC), OF_ADDED));
    }
}
