// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.replay.driver.RunAnswer;
import io.clockhand.workbench.replay.driver.RunChild;
import io.clockhand.workbench.replay.driver.RunOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Has child JVMs play.
 *
 * @param flags of every child
 * @param directory for orders and answers
 */
record Children(Settings settings, Installation installation, List<String> flags, Path directory, CleanUp cleanUp) {
    /** A child says several times a second how far it is; to draw a workload takes less than a second. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** One run; a {@link io.clockhand.workbench.CommandFailure} says why there is no answer. */
    RunAnswer run(RunOrder order, String fileName, Progress progress) {
        return new ChildJvm(
                        RunChild.class.getName(),
                        installation.classPath(),
                        flags,
                        directory,
                        PATIENCE,
                        settings.out().resolve(fileName + ".log"))
                .ask(order, RunAnswer.class, RunAnswer::allHolds, cleanUp, progress::at);
    }
}
