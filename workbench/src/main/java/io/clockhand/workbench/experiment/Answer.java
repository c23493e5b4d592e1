// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

/** The figures of one run. */
public interface Answer {
    /** What was wrong at the end of the run, in words; null if every check held. */
    String wrong();

    /** Measured operations; 0 if no time was measured, or if a referee counted. */
    long operations();

    /** Throughput; null if no time was measured. */
    Double operationsPerSecond();

    default boolean allHolds() {
        return wrong() == null;
    }

    /** The figures of a run that plays references to pages. */
    interface Played extends Answer {
        /** Null if it was not timed. */
        Timed timed();

        /** Fixes, at any time of the run, that gave a page with the content of another. */
        long wrongPages();

        /** One of them in words, or null. */
        String firstWrong();

        @Override
        default String wrong() {
            return wrongPages() == 0 ? null : wrongPages() + " of its fixes gave a wrong page: " + firstWrong();
        }

        @Override
        default long operations() {
            return timed() == null ? 0 : timed().accesses();
        }

        @Override
        default Double operationsPerSecond() {
            return timed() == null ? null : Double.valueOf(timed().operationsPerSecond());
        }
    }
}
