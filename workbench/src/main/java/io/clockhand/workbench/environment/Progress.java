// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Tells on standard error how far a task is: on a terminal by a line that is overwritten, else by a new line now and
 * then. Not thread-safe.
 */
public final class Progress implements AutoCloseable {
    private static final boolean TERMINAL = isTerminal();
    private static final long PAUSE_NANOS =
            TERMINAL ? TimeUnit.MILLISECONDS.toNanos(250) : TimeUnit.SECONDS.toNanos(10);
    /** Goes back to the beginning of the line and erases it. */
    private static final String ANEW = "\r\033[K";

    private long lastLine = System.nanoTime();

    private Progress() {}

    public static Progress of(String task) {
        System.err.println(task);
        return new Progress();
    }

    /** Asked of the system's own {@code test}; where there is none, plain lines do. */
    private static boolean isTerminal() {
        try {
            return new ProcessBuilder("test", "-t", "2").inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    public void at(double fraction) {
        if (System.nanoTime() - lastLine >= PAUSE_NANOS) {
            lastLine = System.nanoTime();
            String percent = "  " + Math.round(100 * fraction) + " %";
            System.err.print(TERMINAL ? ANEW + percent : percent + System.lineSeparator());
        }
    }

    @Override
    public void close() {
        if (TERMINAL) {
            System.err.print(ANEW);
        }
    }
}
