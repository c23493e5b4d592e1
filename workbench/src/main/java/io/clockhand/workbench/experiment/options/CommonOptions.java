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

    public long seed() {
        return seed;
    }

    public Path out() {
        return out;
    }
}
