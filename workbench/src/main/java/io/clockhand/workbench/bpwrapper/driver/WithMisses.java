// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import io.clockhand.workbench.pages.driver.PageStream;
import java.util.SplittableRandom;

/**
 * A stream in which a share of the references, drawn by lot, go to pages that were never referred to before, and never
 * will be again.
 */
final class WithMisses implements PageStream {
    private static final double PERCENT = 100;

    private final PageStream stream;
    private final double share;
    private final SplittableRandom random;
    private final int step;
    private long fresh;

    /**
     * Mixes misses in.
     *
     * @param first the first of the new pages
     * @param step from one of them to the next, so that those of several threads differ
     */
    WithMisses(PageStream stream, double missPercent, SplittableRandom random, long first, int step) {
        this.stream = stream;
        this.share = missPercent / PERCENT;
        this.random = random;
        this.fresh = first;
        this.step = step;
    }

    @Override
    public long next() {
        if (random.nextDouble() < share) {
            long page = fresh;
            fresh += step;
            return page;
        }
        return stream.next();
    }
}
