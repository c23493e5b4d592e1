// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Option;

/** How many threads play, where a list makes a run for each. */
public final class ThreadOptions {
    public static final int MOST_THREADS = 1000;

    @Option(
            names = "--threads",
            paramLabel = "N,…",
            split = ",",
            description = "Threads; a list makes a run for each (default: ${DEFAULT-VALUE}).")
    private List<Integer> threads;

    public ThreadOptions(List<Integer> defaults) {
        threads = defaults;
    }

    public void check(Usage usage) {
        check(usage, MOST_THREADS);
    }

    public void check(Usage usage, int most) {
        usage.requireEach("--threads", threads, most);
    }

    public List<Integer> threads() {
        return threads;
    }

    public int most() {
        return Collections.max(threads);
    }
}
