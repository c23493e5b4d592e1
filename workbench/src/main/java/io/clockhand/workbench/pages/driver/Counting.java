// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

/**
 * Count what references do, with statistics on after the warm-up.
 *
 * @param warmupAccesses by all threads together, and so are the others
 */
public record Counting(long warmupAccesses, long accesses) {
    /** Unless they take longer than so long, because reads are slow. */
    private static final int AFFORDABLE_SECONDS = 15;

    /**
     * Of a counted run that belongs to a timed one: as many as are enough, after as many, or fewer if those take too
     * long.
     */
    public static Counting after(double operationsPerSecond, long enough) {
        long references = Math.max(1, Math.min(enough, (long) (operationsPerSecond * AFFORDABLE_SECONDS)));
        return new Counting(references, references);
    }
}
