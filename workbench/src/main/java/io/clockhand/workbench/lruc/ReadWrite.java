// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.lruc.driver.WriteMix;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ratios of page reads to page writes, as they are typed. */
final class ReadWrite {
    private static final Pattern RATIO =
            Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,6})?):([0-9]{1,6}(?:\\.[0-9]{1,6})?)");

    private ReadWrite() {}

    /** Throws {@link IllegalArgumentException}, in a sentence, if it is none, or has more writes than reads. */
    static WriteMix mix(String typed) {
        Matcher matcher = RATIO.matcher(typed);
        if (!matcher.matches() || Double.parseDouble(matcher.group(2)) == 0) {
            throw new IllegalArgumentException("'" + typed + "' is no ratio of page reads to page writes such as 2:1");
        }
        return WriteMix.ofRatio(Double.parseDouble(matcher.group(1)) / Double.parseDouble(matcher.group(2)));
    }
}
