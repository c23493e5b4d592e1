// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import java.util.Locale;

/** How much a test does: by a system property of its own, or by the tier, {@code test.tier}. */
final class Work {
    private Work() {}

    static int amount(String property, int inDefault, int inCi, int inNightly) {
        int inTier = switch (System.getProperty("test.tier", "default").toLowerCase(Locale.ROOT)) {
            case "ci" -> inCi;
            case "nightly" -> inNightly;
            default -> inDefault;
        };
        return Integer.getInteger(property, inTier);
    }
}
