// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

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

    /** {@code 1 terminal}, {@code 4 terminals}. */
    public static String counted(long count, String things) {
        return count + " " + (count == 1 ? things.substring(0, things.length() - 1) : things);
    }
}
