// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select.driver;

import io.clockhand.workbench.experiment.Answer;

/**
 * The figures of a run.
 *
 * @param selects within the measured interval
 * @param seconds of that interval
 * @param wrongRows not found or with another content, at any time of the run
 * @param firstWrong one of them in words, or null
 * @param maxResidentPages the most pages the cache was seen to hold
 */
public record RunAnswer(long selects, int seconds, long wrongRows, String firstWrong, int maxResidentPages)
        implements Answer {
    @Override
    public String wrong() {
        return wrongRows == 0 ? null : "read " + wrongRows + " wrong rows: " + firstWrong;
    }

    @Override
    public long operations() {
        return selects;
    }

    @Override
    public Double operationsPerSecond() {
        return (double) selects / seconds;
    }
}
