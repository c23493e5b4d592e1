// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cost of an append to the log.
 *
 * @param nanos 0 where the kind says all
 */
public record LogCost(Kind kind, long nanos) {
    private static final Pattern TIMED = Pattern.compile("(cpu|wait):([0-9]{1,6}(?:\\.[0-9]{1,3})?)us");
    private static final int DECIMALS = 3;

    /** The work of an append after it has its LSN. */
    public enum Kind {
        /** Computes, at the same time as other threads. */
        CPU,
        /** Parks, at the same time as other threads. */
        WAIT,
        /** Writes to a file, one thread after the other. */
        FILE
    }

    /** Null for what is no cost. */
    public static LogCost parse(String text) {
        if (text.equals("file")) {
            return new LogCost(Kind.FILE, 0);
        }
        Matcher timed = TIMED.matcher(text);
        if (!timed.matches()) {
            return null;
        }
        long nanos = new BigDecimal(timed.group(2)).movePointRight(DECIMALS).longValueExact();
        Kind kind = Kind.valueOf(timed.group(1).toUpperCase(Locale.ROOT));
        return kind == Kind.WAIT && nanos == 0 ? null : new LogCost(kind, nanos);
    }

    /** Whether threads wait for it instead of computing. */
    public boolean waits() {
        return kind == Kind.WAIT;
    }

    /** As options name it. */
    @Override
    public String toString() {
        String name = kind.name().toLowerCase(Locale.ROOT);
        return kind == Kind.FILE
                ? name
                : name + ":"
                        + BigDecimal.valueOf(nanos, DECIMALS)
                                .stripTrailingZeros()
                                .toPlainString() + "us";
    }
}
