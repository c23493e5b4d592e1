// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.pages.driver.PageStream;
import java.util.SplittableRandom;

/**
 * The kinds of streams in the experiments of the BP-Wrapper paper, made up: of the kind of the benchmarks, and not the
 * benchmarks.
 */
enum References {
    DBT2,
    DBT1,
    /** One table of all pages, read from first to last again and again; each thread is somewhere else in it. */
    TABLE_SCAN;

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
            case TABLE_SCAN -> tableScan(pages, random.nextInt(pages));
        };
    }

    private static PageStream tableScan(int pages, int first) {
        return new PageStream() {
            private int next = first;

            @Override
            public long next() {
                int page = next;
                next = page + 1 == pages ? 0 : page + 1;
                return page;
            }
        };
    }

    @Override
    public String toString() {
        return EnumNames.of(this);
    }
}
