// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh.duel;

import io.clockhand.duel.Progress;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Prints a line about the progress every few seconds. */
public final class ProgressLines implements Progress {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String label;
    private final PrintWriter out;
    private long lastNanos = System.nanoTime() - PERIOD_NANOS;

    /**
     * Makes a printer.
     *
     * @param label begins each line
     */
    public ProgressLines(String label, PrintWriter out) {
        this.label = label;
        this.out = out;
    }

    @Override
    public void report(double fraction, String text) {
        long now = System.nanoTime();
        if (now - lastNanos >= PERIOD_NANOS) {
            lastNanos = now;
            out.println(String.format(Locale.ROOT, "%s: %.0f %%, %s", label, fraction * 100, text));
            out.flush();
        }
    }
}
