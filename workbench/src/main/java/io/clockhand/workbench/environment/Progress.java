// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Names a task on standard error, and tells how far it is: by a bar on a terminal, else by a line every 10 seconds. */
public final class Progress implements AutoCloseable {
    private static final int STEPS = 1000;
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String task;
    private final ProgressBar bar;
    private long lastLine = System.nanoTime();

    private Progress(String task) {
        this.task = task;
        System.err.println(task); // a line of its own: names of runs are as long as lines of a terminal
        this.bar = isTerminal()
                ? new ProgressBarBuilder()
                        .setInitialMax(STEPS)
                        .setStyle(ProgressBarStyle.ASCII)
                        .setUpdateIntervalMillis(250)
                        .hideEta()
                        .clearDisplayOnFinish()
                        .build()
                : null;
    }

    public static Progress of(String task) {
        return new Progress(task);
    }

    /** From one thread at a time. */
    public void at(double fraction) {
        if (bar != null) {
            bar.stepTo(Math.round(fraction * STEPS));
        } else if (System.nanoTime() - lastLine >= LINE_NANOS) {
            lastLine = System.nanoTime();
            System.err.println(task + ": " + Math.round(100 * fraction) + " %");
        }
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

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
