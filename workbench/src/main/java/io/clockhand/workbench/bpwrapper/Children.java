// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.bpwrapper.driver.RunAnswer;
import io.clockhand.workbench.bpwrapper.driver.RunChild;
import io.clockhand.workbench.bpwrapper.driver.RunOrder;
import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Progress;
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
    /** A child says several times a second how far it is. */
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
