// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.report;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Figures as a table for the terminal shows them. */
public final class Figures {
    public static final String NOT_MEASURED = "-";

    private Figures() {}

    public static String of(String format, Object value) {
        return value == null ? NOT_MEASURED : String.format(Locale.ROOT, format, value);
    }

    /** Without the decimals that say nothing: 10, 2.5. */
    public static String brief(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** Median, minimum and maximum. */
    public static List<String> of(String format, Spread spread) {
        return spread == null
                ? List.of(NOT_MEASURED, NOT_MEASURED, NOT_MEASURED)
                : List.of(of(format, spread.median()), of(format, spread.min()), of(format, spread.max()));
    }

    /** As {@code 1.50 (1.20 … 1.80)}; the median alone if there is no more. */
    public static String medianAndRange(Spread ratio) {
        if (ratio == null || ratio.min() == ratio.max()) {
            return of("%.2f", ratio == null ? null : ratio.median());
        }
        return String.format(Locale.ROOT, "%.2f (%.2f … %.2f)", ratio.median(), ratio.min(), ratio.max());
    }

    /** The largest; not measured unless all were. */
    public static String largest(List<Integer> values) {
        return values.stream().anyMatch(Objects::isNull)
                ? NOT_MEASURED
                : of("%,d", values.stream().mapToInt(Integer::intValue).max().orElse(0));
    }
}
