// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages;

import io.clockhand.workbench.environment.ChildJvm;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Progress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * Has child JVMs play, each one run.
 *
 * @param program whose {@code main} plays a run
 * @param answers what it answers with
 * @param allHolds whether an answer says that all was right
 * @param flags of every child
 * @param directory for orders and answers
 * @param logs gets a log of each child
 */
public record Children<A>(
        Class<?> program,
        Class<A> answers,
        Predicate<A> allHolds,
        Installation installation,
        List<String> flags,
        Path directory,
        Path logs,
        CleanUp cleanUp) {
    /** A child says several times a second how far it is; to draw a workload takes less than a second. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * One run; a {@link io.clockhand.workbench.CommandFailure} says why there is no answer.
     *
     * @param fileName of its log, without the ending
     */
    public A run(Object order, String fileName, Progress progress) {
        return new ChildJvm(
                        program.getName(),
                        installation.classPath(),
                        flags,
                        directory,
                        PATIENCE,
                        logs.resolve(fileName + ".log"))
                .ask(order, answers, allHolds, cleanUp, progress::at);
    }
}
