// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.options;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that every command has. */
public final class CommonOptions {

    @Option(
            names = "--seed",
            order = TimeOptions.ORDER,
            paramLabel = "N",
            description = "Of all random numbers (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--out",
            order = TimeOptions.ORDER,
            paramLabel = "DIR",
            description = "Gets ${COMMAND-NAME}.json, ${COMMAND-NAME}.csv and ${COMMAND-NAME}.html"
                    + " (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("clockhand-out");

    /** The handler of failures asks the parser for it. */
    @SuppressWarnings("UnusedVariable")
    @Option(names = "--debug", order = TimeOptions.ORDER, description = "Show stack traces.")
    private boolean debug;

    public long seed() {
        return seed;
    }

    public Path out() {
        return out;
    }
}
