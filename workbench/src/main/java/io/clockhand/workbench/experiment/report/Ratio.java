// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Locale;

/**
 * A ratio of throughputs with its 95 % interval.
 *
 * @param inTurns whether the contenders ran in turn; if not, no difference is claimed
 */
public record Ratio(
        double value, double low, double high, @JsonIgnore boolean inTurns) {

    /** As a table has it. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f (%.2f … %.2f)", value, low, high);
    }

    /** How sure it is, in a sentence. */
    String evidence() {
        String interval = String.format(Locale.ROOT, "95 %% interval %.2f … %.2f", low, high);
        if (!inTurns) {
            return interval + ", one after the other: nothing is claimed";
        }
        return low > 1 || high < 1 ? interval : interval + ", no difference shown";
    }
}
