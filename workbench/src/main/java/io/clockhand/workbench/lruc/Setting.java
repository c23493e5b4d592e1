// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Figures;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings that compared schemes have in common.
 *
 * @param readWrite page reads and page writes, such as {@code 2:1}; null if a trace has them
 */
record Setting(Device device, int threads, double poolPercent, String readWrite) {
    private static final Pattern READ_WRITE =
            Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,6})?):([0-9]{1,6}(?:\\.[0-9]{1,6})?)");

    static void checkReadWrite(String typed, Usage usage) {
        Matcher matcher = READ_WRITE.matcher(typed);
        usage.require(
                matcher.matches() && Double.parseDouble(matcher.group(2)) != 0,
                "--read-write: '" + typed + "' is no ratio of page reads to page writes such as 2:1");
        usage.require(
                readsPerWrite(typed) >= 1,
                "--read-write: page reads for each page write must be 1 or more, not " + readsPerWrite(typed));
    }

    private static double readsPerWrite(String typed) {
        int colon = typed.indexOf(':');
        return Double.parseDouble(typed.substring(0, colon)) / Double.parseDouble(typed.substring(colon + 1));
    }

    /** 0 of a trace. */
    double readsPerWrite() {
        return readWrite == null ? 0 : readsPerWrite(readWrite);
    }

    @Override
    public String toString() {
        return device + ", " + Figures.counted(threads, "threads") + ", pool " + Figures.brief(poolPercent) + " %"
                + (readWrite == null ? "" : ", " + readWrite);
    }
}
