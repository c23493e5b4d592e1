// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

/**
 * The figures of a run.
 *
 * @param selects within the measured interval
 * @param wrongRows not found or with another content, at any time of the run
 * @param firstWrong one of them in words, or null
 * @param maxResidentPages the most pages the cache was seen to hold
 */
public record RunAnswer(long selects, long wrongRows, String firstWrong, int maxResidentPages) {

    /** Whether every row that was read had its content. */
    public boolean allHolds() {
        return wrongRows == 0;
    }
}
