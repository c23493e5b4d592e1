// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Journal;
import java.nio.file.Path;

/**
 * The place where an experiment prepares its runs.
 *
 * @param directory for files, deleted with the end of the command
 */
public record Workplace(Path directory, CleanUp cleanUp, Journal journal) {}
