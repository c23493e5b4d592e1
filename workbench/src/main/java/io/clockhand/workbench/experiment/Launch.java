// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import io.clockhand.workbench.experiment.report.Cell;
import java.nio.file.Path;

/**
 * A child JVM that is about to start.
 *
 * @param fileName of its log and its profile, without the ending
 * @param contenders that live at once
 * @param home the directory of the run, deleted after it
 * @param timing null for a run with statistics
 */
public record Launch<S, C>(Cell<S, C> cell, String fileName, int contenders, Path home, Timing timing) {

    public S setting() {
        return cell.setting();
    }

    public C contender() {
        return cell.contender();
    }
}
