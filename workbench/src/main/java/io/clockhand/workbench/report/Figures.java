// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.report;

import java.util.Locale;

/** Figures as a table for the terminal shows them. */
public final class Figures {
    public static final String NOT_MEASURED = "-";

    private Figures() {}

    public static String of(String format, Object value) {
        return value == null ? NOT_MEASURED : String.format(Locale.ROOT, format, value);
    }

    /** Without needless decimals: 10, 2.5. */
    public static String brief(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** As {@code 1.50 (1.20 … 1.80)}; the median alone if there is no more. */
    public static String medianAndRange(Spread ratio) {
        if (ratio == null || ratio.min() == ratio.max()) {
            return of("%.2f", ratio == null ? null : ratio.median());
        }
        return String.format(Locale.ROOT, "%.2f (%.2f … %.2f)", ratio.median(), ratio.min(), ratio.max());
    }

    /** {@code 1 terminal}, {@code 4 terminals}. */
    public static String counted(long count, String things) {
        return count + " " + (count == 1 ? things.substring(0, things.length() - 1) : things);
    }
}
