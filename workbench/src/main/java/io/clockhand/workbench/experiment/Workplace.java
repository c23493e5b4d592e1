// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Journal;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The place where an experiment prepares its runs.
 *
 * @param directory for files, deleted with the end of the command
 * @param childFlags of every child JVM, besides those of the experiment
 */
public record Workplace(Path directory, CleanUp cleanUp, Journal journal, List<String> childFlags) {
    /** The flags of a child JVM: those of the experiment, then those of every child. */
    public List<String> flags(List<String> ofExperiment) {
        return Stream.concat(ofExperiment.stream(), childFlags.stream()).toList();
    }
}
