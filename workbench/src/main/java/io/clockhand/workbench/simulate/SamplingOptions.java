// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.options.Usage;
import picocli.CommandLine.Option;

/** Whether hits are counted, or estimated from a sample of the pages. */
final class SamplingOptions {
    private static final int DEFAULT_PAGES = 16_384;
    private static final int FEWEST_PAGES = 1000;
    private static final int MOST_PAGES = 1 << 28;

    @Option(
            names = "--curve",
            description =
                    "The whole curve: 17 sizes from 0.5 to 100 percent of the pages, estimated from a" + " sample.")
    private boolean curve;

    @Option(
            names = "--sample-pages",
            paramLabel = "N",
            description = "Estimates hits from about N pages and a pool that is smaller by the same factor; 0 for all"
                    + " pages, which is exact (default: 0, or 16384 with --curve).")
    private Integer pages;

    /**
     * Refuses wrong values, and fills in the default.
     *
     * @param sized whether numbers of frames are given
     * @param exact whether something is asked for that needs every reference
     */
    void check(Usage usage, boolean sized, boolean exact) {
        usage.require(!curve || !sized, "--curve has its own sizes, so it excludes --frames");
        usage.require(
                pages == null || pages == 0 || (pages >= FEWEST_PAGES && pages <= MOST_PAGES),
                "--sample-pages must be 0, or lie in " + FEWEST_PAGES + " … " + MOST_PAGES + ", not " + pages);
        pages = pages != null ? pages : curve ? DEFAULT_PAGES : 0;
        usage.require(
                !exact || (!curve && pages == 0),
                "--check and --dirty-share need every reference, so they exclude --curve and --sample-pages");
    }

    boolean isCurve() {
        return curve;
    }

    /** 0 for all. */
    int pages() {
        return pages;
    }
}
