// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.pages.driver.PageStream;
import java.util.SplittableRandom;

/**
 * The kinds of streams in the experiments of the BP-Wrapper paper, made up: of the kind of the benchmarks, and not the
 * benchmarks.
 */
public enum References {
    DBT2,
    DBT1,
    /**
     * One table of all pages, read from its first page to its last again and again; each thread is somewhere else in
     * it.
     */
    TABLE_SCAN;

    /** The fewest pages that have room for all tables. */
    public static final int FEWEST_PAGES = 250;

    /**
     * The references of one thread, to pages 0 to {@code pages − 1}.
     *
     * @param thread from 0
     * @param random the thread's own
     */
    PageStream stream(int pages, int thread, SplittableRandom random) {
        return switch (this) {
            case DBT2 -> new Dbt2(pages, thread, random);
            case DBT1 -> new Dbt1(pages, random);
            case TABLE_SCAN -> new TableScan(pages, random.nextInt(pages));
        };
    }

    @Override
    public String toString() {
        return EnumNames.of(this);
    }

    private static final class TableScan implements PageStream {
        private final int pages;
        private int at;

        TableScan(int pages, int at) {
            this.pages = pages;
            this.at = at;
        }

        @Override
        public long next() {
            int page = at;
            at = at + 1 == pages ? 0 : at + 1;
            return page;
        }
    }
}
